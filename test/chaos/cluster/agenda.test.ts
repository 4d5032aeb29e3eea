import { expect, it } from '@jest/globals';
import { Agenda, type Need } from './agenda.ts';

/** Seeds 0, 1, 2… with these needs, and only lanes after them. */
function agendaOf(...needs: readonly Need[]): Agenda {
  function* seeds(): Generator<number, never, void> {
    for (let seed = 0; ; seed++) yield seed;
  }
  return new Agenda(seeds(), (seed) => needs[seed] ?? 'lane');
}

function take(agenda: Agenda, count: number): number[] {
  return Array.from({ length: count }, () => agenda.next().seed);
}

it('those who need only a lane play together, in the order of their seeds', () => {
  expect(take(agendaOf('lane', 'lane'), 4)).toEqual([0, 1, 2, 3]);
});

it('puts off what is in use, and plays it first of all when that is free', () => {
  const agenda = agendaOf('lease', 'lease', 'lease', 'lane');
  const first = agenda.next();
  expect(first.seed).toBe(0);
  expect(take(agenda, 2)).toEqual([3, 4]);
  first.leave();
  const second = agenda.next();
  expect([second.seed, ...take(agenda, 1)]).toEqual([1, 5]);
  second.leave();
  expect(take(agenda, 2)).toEqual([2, 6]);
});

it('lets one use the Lease while another uses the webhooks', () => {
  expect(take(agendaOf('lease', 'webhooks', 'webhooks', 'lease'), 3)).toEqual([0, 1, 4]);
});

it('gives back what a run used, and nothing else', () => {
  const agenda = agendaOf('lease', 'webhooks', 'lease', 'webhooks');
  const [, webhooks] = [agenda.next(), agenda.next()];
  webhooks.leave();
  expect(take(agenda, 2)).toEqual([3, 4]);
});
