import { expect, it } from '@jest/globals';
import { judgeStrain } from './hostile/memory.ts';
import { withName } from './hostile/plugin.ts';
import { codesIn } from './hostile/poison.ts';
import { emptyTally, inLanes, type Part } from './part.ts';

function budget(endsAt: number, signal = new AbortController().signal): Part & { readonly violations: string[] } {
  const violations: string[] = [];
  return { endsAt, signal, seed: 1, violations, onViolation: (what) => void violations.push(what) };
}

const transitions = Array.from({ length: 5 }, (_, index) => ({
  path: `spec.field${index}`,
  what: 'text',
  value: index,
}));

it('plays every transition once, whatever the number of lanes', async () => {
  const played: number[] = [];
  await inLanes(transitions, 3, budget(Number.POSITIVE_INFINITY), async ({ value }) => void played.push(value));
  expect(played.sort()).toEqual([0, 1, 2, 3, 4]);
});

it('takes what is thrown for a violation, and goes on', async () => {
  const part = budget(Number.POSITIVE_INFINITY);
  await inLanes(transitions, 2, part, async ({ value }) => {
    if (value === 1) throw new Error('does not come to rest');
  });
  expect(part.violations).toEqual(['spec.field1, text: 1: does not come to rest']);
});

it('ends between two transitions when the time is up or nobody wants more', async () => {
  const aborted = new AbortController();
  const played: number[] = [];
  await inLanes(transitions, 1, budget(0), async ({ value }) => void played.push(value));
  await inLanes(transitions, 1, budget(Number.POSITIVE_INFINITY, aborted.signal), async ({ value }) => {
    played.push(value);
    aborted.abort();
  });
  expect(played).toEqual([0]);
});

it.each([
  { name: 'nothing but text', text: 'naïve 名前 🚀\n\ttab\n', isObject: false, found: undefined },
  { name: 'colours of our own', text: '\u001b[32mgood\u001b[39m', isObject: false, found: undefined },
  { name: 'a line of our own that is written over', text: '\r\u001b[Kwaiting', isObject: false, found: undefined },
  { name: 'a code from elsewhere', text: 'a\u001b[2Jb', isObject: false, found: 'a\u001b[2Jb' },
  { name: 'the start of the line', text: 'a\rb', isObject: false, found: 'a\rb' },
  { name: 'a code in 8 bits', text: 'a\u009b2J', isObject: false, found: 'a\u009b2J' },
  { name: 'a code in 8 bits inside of an object', text: 'a\u009b2J', isObject: true, found: undefined },
  { name: 'a bell inside of an object', text: 'a\u0007', isObject: true, found: 'a\u0007' },
])('finds codes for terminals: $name', ({ text, isObject, found }) => {
  expect(codesIn(text, isObject)).toBe(found);
});

it.each([
  { command: ['get'], argv: ['get', 'web'] },
  { command: ['rollout', 'undo', '--dry-run=server'], argv: ['rollout', 'undo', 'web', '--dry-run=server'] },
  { command: ['set', 'image', '*=web:v2'], argv: ['set', 'image', 'web', '*=web:v2'] },
])('puts a name behind the words of $command', ({ command, argv }) => {
  expect(withName(command, 'web')).toEqual(argv);
});

it.each([
  { peakMiB: 399.6, violations: [] },
  { peakMiB: 400.6, violations: ['large reviews: the operator took 401 MiB'] },
])('notes what an attack took, and holds $peakMiB MiB to the bound', ({ peakMiB, violations }) => {
  const part = budget(Number.POSITIVE_INFINITY);
  const tally = emptyTally();
  judgeStrain('large reviews', { peakMiB, slowestProbeMs: 7 }, part, tally);
  expect(part.violations).toEqual(violations);
  expect([...tally.strains]).toEqual([['large reviews', { peakMiB, slowestProbeMs: 7 }]]);
});
