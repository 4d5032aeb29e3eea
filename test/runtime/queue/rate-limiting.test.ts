import { beforeEach, describe, expect, it } from '@jest/globals';
import { createQueue, type RateLimitingQueue } from '../../../src/runtime/queue/rate-limiting.ts';
import { FakeClock } from '../../support/fake-clock.ts';

let clock: FakeClock;
let queue: RateLimitingQueue;

beforeEach(() => {
  clock = new FakeClock();
  queue = createQueue({ clock });
});

describe('RateLimitingQueue', () => {
  it('brings a failed key back after a delay that grows with every failure', async () => {
    expect([1, 2, 3].map(() => queue.addRateLimited('a'))).toEqual([5, 10, 20]);
    expect(queue.failures('a')).toBe(3);
    await clock.advance(4);
    expect(queue.size).toBe(0);
    await clock.advance(1);
    expect(queue.size).toBe(1);
  });

  it('does not slow down what the cluster reports, however often the key failed', () => {
    for (let i = 0; i < 20; i++) queue.addRateLimited('a');
    queue.add('a');
    expect(queue.size).toBe(1);
  });

  it('starts over after forget', () => {
    for (let i = 0; i < 10; i++) queue.addRateLimited('a');
    queue.forget('a');
    expect(queue.addRateLimited('a')).toBe(5);
  });

  it('never gives a key up', async () => {
    for (let failure = 0; failure < 50; failure++) {
      queue.addRateLimited('a');
      await clock.advance(1_000_000);
      expect((await queue.get())?.key).toBe('a');
      queue.done('a');
    }
  });

  it('keeps the priority of a key that failed', async () => {
    queue.addRateLimited('a', -100);
    await clock.advance(5);
    expect(await queue.get()).toEqual({ key: 'a', priority: -100 });
  });

  it('passes everything else on to the queue inside', async () => {
    queue.addAfter('later', 10, 2);
    queue.addSettled('settling', { quietMs: 20, maxWaitMs: 40 }, 1);
    queue.add('now');
    expect(queue.isQueued('now')).toBe(true);
    await queue.get();
    expect(queue.inWork).toEqual(['now']);
    queue.done('now');
    await clock.advance(20);
    expect([await queue.get(), await queue.get()]).toEqual([
      { key: 'later', priority: 2 },
      { key: 'settling', priority: 1 },
    ]);
    queue.done('later');
    queue.done('settling');
    await queue.stop();
    expect(await queue.get()).toBeUndefined();
  });

  it('uses the limiter it is given', () => {
    const limiter = { delayOf: () => 77, failures: () => 0, forget() {} };
    expect(createQueue({ clock, limiter }).addRateLimited('a')).toBe(77);
  });
});
