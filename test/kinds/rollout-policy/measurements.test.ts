import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../../src/kinds/rollout-policy/gates/judge.ts';
import type { Measurement } from '../../../src/kinds/rollout-policy/gates/measurement.ts';
import { Measurements } from '../../../src/kinds/rollout-policy/measurements.ts';
import { NOW, policy } from './fixture.ts';

const place = { number: 2, step: 1, since: NOW };
const good: Outcome = { is: 'value', text: '0' };

const measurement = (gate: string, where = place): Measurement => {
  return { gate, place: where, by: 'prometheus', server: 'default', query: 'up' };
};

describe('measurements beside the workers', () => {
  const canary = policy();
  const { uid } = canary.metadata;
  let asked: { readonly gate: string; readonly end: PromiseWithResolvers<Outcome>; readonly signal: AbortSignal }[];
  let woken: number;
  let measurements: Measurements;
  let unsubscribe: () => void;

  beforeEach(() => {
    asked = [];
    woken = 0;
    const measure = (_: unknown, { gate }: Measurement, signal: AbortSignal): Promise<Outcome> => {
      const end = Promise.withResolvers<Outcome>();
      asked.push({ gate, end, signal });
      return end.promise;
    };
    measurements = new Measurements(measure, () => NOW + 7);
    unsubscribe = measurements.onChange(({ object, initial }) => {
      expect([object, initial]).toEqual([canary, false]);
      woken += 1;
    });
  });

  const settled = () => new Promise(setImmediate);
  const end = async (index: number, outcome: Outcome | Error): Promise<void> => {
    const { resolve, reject } = asked[index]?.end ?? Promise.withResolvers();
    if (outcome instanceof Error) reject(outcome);
    else resolve(outcome);
    await settled();
  };
  const measuring = () => measurements.measuring(uid).map(({ gate }) => gate);

  it('wake the policy when they end, and are remembered until they are stored', async () => {
    measurements.begin(canary, place, [measurement('a'), measurement('b')]);
    expect(measuring()).toEqual(['a', 'b']);
    await end(0, good);
    expect([measuring(), woken]).toEqual([['b'], 1]);
    const ended = [{ gate: 'a', place, outcome: good, at: NOW + 7 }];
    expect(measurements.measured(uid)).toEqual(ended);
    const stored = measurements.measured(uid);
    await end(1, good);
    measurements.confirm(uid, stored);
    expect(measurements.measured(uid).map(({ gate }) => gate)).toEqual(['b']);
  });

  it('are errors when they throw', async () => {
    measurements.begin(canary, place, [measurement('a')]);
    await end(0, new Error('a bug'));
    expect(measurements.measured(uid)).toMatchObject([{ outcome: { is: 'error', message: 'a bug' } }]);
  });

  it.each<{ name: string; leave: () => void }>([
    { name: 'the rollout is elsewhere', leave: () => measurements.begin(canary, { ...place, step: 2 }, []) },
    { name: 'nothing rolls out', leave: () => measurements.begin(canary, undefined, []) },
    { name: 'the policy is gone', leave: () => measurements.forget(uid) },
    { name: 'the controller stops', leave: () => unsubscribe() },
  ])('are given up when $name', async ({ leave }) => {
    measurements.begin(canary, place, [measurement('a'), measurement('b')]);
    await end(0, good);
    leave();
    expect(asked[1]?.signal.aborted).toBe(true);
    await end(1, good);
    expect([measuring(), measurements.measured(uid), woken]).toEqual([[], [], 1]);
  });

  it('go on while the rollout stays', () => {
    measurements.begin(canary, place, [measurement('a')]);
    measurements.begin(canary, { ...place }, [measurement('b')]);
    expect(measuring()).toEqual(['a', 'b']);
  });
});
