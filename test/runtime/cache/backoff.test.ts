import { describe, expect, it } from '@jest/globals';
import { Backoff } from '../../../src/runtime/cache/backoff.ts';

const limits = { firstMs: 200, longestMs: 10_000, healthyAfterMs: 5_000 };

describe('back-off', () => {
  it.each([
    { random: 0, expected: [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000] },
    { random: 0.337, expected: [134, 267, 535, 1_070, 2_139, 4_278, 6_685, 6_685] },
    { random: 1, expected: [200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000] },
  ])('grows up to its limit, jittered by $random', ({ random, expected }) => {
    const backoff = new Backoff(limits, () => random);
    expect(expected.map(() => backoff.after(0))).toEqual(expected);
    expect(backoff.failures).toBe(8);
  });

  it('starts over after a healthy stretch, and not after a shorter one', () => {
    const backoff = new Backoff(limits, () => 1);
    const lasted = [0, 0, 4_999, 5_000, 0];
    expect(lasted.map((ms) => backoff.after(ms))).toEqual([200, 400, 800, 200, 200]);
    expect(backoff.failures).toBe(1);
  });
});
