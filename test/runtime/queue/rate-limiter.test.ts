import { describe, expect, it } from '@jest/globals';
import {
  defaultRateLimiter,
  ExponentialBackOff,
  OverallBucket,
  slowestOf,
} from '../../../src/runtime/queue/rate-limiter.ts';
import { FakeClock } from '../../support/fake-clock.ts';

function repeat(times: number, ask: () => number): number[] {
  return Array.from({ length: times }, ask);
}

describe('ExponentialBackOff', () => {
  it('doubles from 5 ms up to 1000 s and stays there', () => {
    const backOff = new ExponentialBackOff();
    const delays = repeat(2000, () => backOff.delayOf('a'));
    expect(delays.slice(0, 6)).toEqual([5, 10, 20, 40, 80, 160]);
    expect(delays.slice(17, 19)).toEqual([655_360, 1_000_000]);
    expect(delays.at(-1)).toBe(1_000_000);
    expect(backOff.failures('a')).toBe(2000);
  });

  it('counts each key by itself and starts over after forget', () => {
    const backOff = new ExponentialBackOff();
    repeat(3, () => backOff.delayOf('a'));
    expect(backOff.delayOf('b')).toBe(5);
    backOff.forget('a');
    expect(backOff.failures('a')).toBe(0);
    expect(backOff.delayOf('a')).toBe(5);
    expect(backOff.delayOf('b')).toBe(10);
  });
});

describe('slowestOf', () => {
  it('asks every limiter and answers with the longest delay and the most failures', () => {
    const clock = new FakeClock();
    const limiter = slowestOf(
      new ExponentialBackOff({ firstMs: 30, longestMs: 50 }),
      new OverallBucket(clock, { perSecond: 10, burst: 2 }),
    );
    expect(repeat(4, () => limiter.delayOf('a'))).toEqual([30, 50, 100, 200]);
    expect(limiter.failures('a')).toBe(4);
    limiter.forget('a');
    expect(limiter.failures('a')).toBe(0);
  });
});

describe('defaultRateLimiter', () => {
  it('slows down all keys together after a hundred failures, by ten a second', () => {
    const limiter = defaultRateLimiter(new FakeClock());
    const delays = Array.from({ length: 103 }, (_, i) => limiter.delayOf(`k${i}`));
    expect(new Set(delays.slice(0, 100))).toEqual(new Set([5]));
    expect(delays.slice(100)).toEqual([100, 200, 300]);
  });
});
