import { describe, expect, it } from '@jest/globals';
import { parseRuntimeOptions } from './options.ts';

describe('parseRuntimeOptions', () => {
  it('measures everything, three times, with ten thousand pods', () => {
    const parts = ['creates', 'latency', 'caches'];
    expect(parseRuntimeOptions([])).toEqual({ rounds: 3, creates: 1000, pods: 10_000, seconds: 15, parts });
  });

  it('takes what a person chooses', () => {
    const args = ['--rounds=1', '--creates=20', '--pods=30', '--seconds=4', '--only=caches,creates'];
    const parts = ['creates', 'caches'];
    expect(parseRuntimeOptions(args)).toEqual({ rounds: 1, creates: 20, pods: 30, seconds: 4, parts });
  });

  it.each([
    { args: ['--pods', '0'], message: '--pods: must be a whole number from 1, got "0"' },
    { args: ['--only', 'caches,fly'], message: '--only: there is no "fly"' },
  ])('refuses $args', ({ args, message }) => {
    expect(() => parseRuntimeOptions(args)).toThrow(message);
  });
});
