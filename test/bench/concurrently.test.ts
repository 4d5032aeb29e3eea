import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { concurrently, range } from './concurrently.ts';

describe('concurrently', () => {
  it('does everything once, 64 at a time', async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    await concurrently(range(200), async (index) => {
      most = Math.max(most, ++running);
      await setImmediate();
      running--;
      done.push(index);
    });
    expect(done.toSorted((a, b) => a - b)).toEqual(range(200));
    expect(most).toBe(64);
  });

  it('fails with the first failure', async () => {
    const failing = concurrently(range(3), async (index) => {
      if (index === 1) throw new Error(`item ${index}`);
    });
    await expect(failing).rejects.toThrow('item 1');
  });
});
