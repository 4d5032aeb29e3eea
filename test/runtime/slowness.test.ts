import { describe, expect, it } from '@jest/globals';
import { Slowness } from '../../src/runtime/slowness.ts';

function timesAfter(...tookMs: readonly number[]): number {
  const slowness = new Slowness();
  for (const ms of tookMs) slowness.note(ms);
  return slowness.times;
}

const often = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms);

describe('slowness', () => {
  it.each([
    { name: 'nothing is known', answers: [], times: 1 },
    { name: 'all answers take the same', answers: often(10, 40), times: 1 },
    { name: 'a far server is as far as ever', answers: [200, 201, 200, 200], times: 1 },
    { name: 'a millisecond is nothing', answers: [1, 4, 1, 5], times: 1 },
    { name: 'one answer of many took long', answers: [...often(10, 10), 20], times: 1.2 },
    { name: 'the last answers take five times as long', answers: [10, ...often(9, 50)], times: 4 },
    { name: 'somebody set the clock by an hour', answers: [10, 3_600_000, ...often(20, 10)], times: 1.2 },
    { name: 'somebody set the clock back', answers: [10, -3_600_000, ...often(9, 10)], times: 2 },
  ])('$name: $times', ({ answers, times }) => {
    expect(timesAfter(...answers)).toBeCloseTo(times, 0);
  });

  it('takes a second for the longest that an answer can take', () => {
    expect(timesAfter(5, 60_000)).toBeCloseTo((0.8 * 5 + 0.2 * 1000) / (5 * 1.02), 9);
  });

  it('takes what has become usual for usual', () => {
    expect(timesAfter(10, ...often(100, 50))).toBeCloseTo(1, 1);
  });
});
