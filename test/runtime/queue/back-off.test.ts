import { describe, expect, it } from '@jest/globals';
import { ExponentialBackOff } from '../../../src/runtime/queue/back-off.ts';

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
