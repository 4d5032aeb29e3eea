import { beforeEach, describe, expect, it } from '@jest/globals';
import { silentQueueObserver } from '../../../src/runtime/queue/observer.ts';
import { WorkQueue } from '../../../src/runtime/queue/queue.ts';
import { FakeClock } from '../../support/fake-clock.ts';

let clock: FakeClock;
let queue: WorkQueue;

beforeEach(() => {
  clock = new FakeClock();
  queue = new WorkQueue({ clock });
});

describe('retries', () => {
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
    queue.addPaced('paced', 20, 1);
    queue.add('now');
    expect(queue.isQueued('now')).toBe(true);
    await queue.get();
    expect(queue.inWork).toEqual(['now']);
    queue.done('now');
    await clock.advance(20);
    expect([await queue.get(), await queue.get()]).toEqual([
      { key: 'later', priority: 2 },
      { key: 'paced', priority: 1 },
    ]);
    queue.done('later');
    queue.done('paced');
    await queue.stop();
    expect(await queue.get()).toBeUndefined();
  });

  it('uses the limiter it is given', () => {
    const limiter = { delayOf: () => 77, failures: () => 0, forget() {} };
    expect(new WorkQueue({ clock, limiter }).addRateLimited('a')).toBe(77);
  });
});

describe('the limit of all retries together', () => {
  /** Takes every key that is ready. */
  const takeReady = async (): Promise<string[]> => {
    const keys: string[] = [];
    while (queue.size > 0) keys.push((await queue.get())?.key ?? 'stopped');
    return keys;
  };

  /** Uses up what may be tried again at once, and leaves `left` keys in line. */
  const fillLine = async (left: number): Promise<void> => {
    const keys = Array.from({ length: 100 + left }, (_, index) => `noisy/${index}`);
    const limiter = { delayOf: () => 5, failures: () => 2, forget() {} };
    queue = new WorkQueue({ clock, limiter });
    for (const key of keys) queue.addRateLimited(key);
    await clock.advance(5);
    expect(await takeReady()).toEqual(keys.slice(0, 100));
  };

  it('slows down all keys together after a hundred, to ten a second', async () => {
    await fillLine(3);
    for (let next = 100; next < 103; next++) {
      await clock.advance(99);
      expect(queue.size).toBe(0);
      await clock.advance(1);
      expect(await takeReady()).toEqual([`noisy/${next}`]);
    }
    await clock.advance(1_000);
    expect([queue.size, queue.delayed, clock.timers]).toEqual([0, 0, 0]);
  });

  it('does not concern the first retry of a key', async () => {
    for (let index = 0; index < 500; index++) queue.addRateLimited(`noisy/${index}`);
    await clock.advance(5);
    expect(queue.size).toBe(500);
  });

  it('does not concern what the cluster reports, nor dates', async () => {
    await fillLine(50);
    for (const key of ['noisy/147', 'noisy/148', 'noisy/149']) expect(queue.isQueued(key)).toBe(false);
    queue.add('noisy/149');
    queue.addAfter('noisy/148', 10, 3);
    queue.addPaced('noisy/147', 20);
    expect(await takeReady()).toEqual(['noisy/149']);
    await clock.advance(10);
    expect(await queue.get()).toEqual({ key: 'noisy/148', priority: 3 });
    await clock.advance(10);
    expect(await takeReady()).toEqual(['noisy/147']);
    // None of them comes a second time.
    for (const key of ['noisy/147', 'noisy/148', 'noisy/149']) queue.done(key);
    await clock.advance(60_000);
    expect((await takeReady()).length).toBe(47);
  });

  it('keeps a date that comes before the retry has its turn', async () => {
    await fillLine(20);
    queue.addAfter('noisy/late', 500);
    queue.addRateLimited('noisy/late');
    await clock.advance(499);
    expect(await takeReady()).not.toContain('noisy/late');
    await clock.advance(1);
    expect(await takeReady()).toContain('noisy/late');
  });

  it('is shared by namespaces in turns, so nobody waits for the line of another', async () => {
    await fillLine(1_000);
    queue.addRateLimited('quiet/a');
    await clock.advance(210);
    expect(await takeReady()).toContain('quiet/a');
  });

  it('lets a key of higher priority go first, with that priority', async () => {
    await fillLine(50);
    queue.addRateLimited('noisy/urgent', 7);
    await clock.advance(110);
    expect(await queue.get()).toEqual({ key: 'noisy/urgent', priority: 7 });
  });

  it('concerns no key that is ready already', async () => {
    await fillLine(1);
    queue.add('noisy/ready');
    queue.addRateLimited('noisy/ready', 5);
    expect(queue.delayed).toBe(0);
    expect(await queue.get()).toEqual({ key: 'noisy/ready', priority: 5 });
    queue.done('noisy/ready');
    await clock.advance(60_000);
    expect(await takeReady()).toEqual(['noisy/100']);
  });

  it('keeps no date for a key that stands in line', async () => {
    await fillLine(3);
    expect(queue.delayed).toBe(0);
  });

  it('lets a retry and a date of the same moment go in the order in which they were asked for', async () => {
    queue = new WorkQueue({ clock, limiter: { delayOf: () => 5, failures: () => 2, forget() {} } });
    queue.addRateLimited('a');
    queue.addAfter('b', 5);
    await clock.advance(5);
    expect(await takeReady()).toEqual(['a', 'b']);
  });

  it.each([
    { name: 'by its turn, with that of the date', retry: 1, date: 3, dateMs: 60_000, add: undefined },
    { name: 'by its turn, with that of the retry', retry: 3, date: 1, dateMs: 60_000, add: undefined },
    { name: 'by an add, with that of the retry', retry: 3, date: 1, dateMs: 60_000, add: 0 },
    { name: 'by an add, with that of the date', retry: 1, date: 3, dateMs: 60_000, add: 0 },
    { name: 'by its date, with that of the retry', retry: 3, date: 1, dateMs: 20, add: undefined },
  ])('hands a key over that waits for both with the higher priority: $name', async ({ retry, date, dateMs, add }) => {
    await fillLine(0);
    queue.addRateLimited('noisy/both', retry);
    await clock.advance(5);
    queue.addAfter('noisy/both', dateMs, date);
    if (add !== undefined) queue.add('noisy/both', add);
    await clock.advance(dateMs === 20 ? 20 : 100);
    expect(await queue.get()).toEqual({ key: 'noisy/both', priority: 3 });
    expect(queue.delayed).toBe(0);
  });

  it('tells the observer of every retry', async () => {
    const delayed: string[] = [];
    queue = new WorkQueue({ clock, observer: { ...silentQueueObserver, delayed: (key) => delayed.push(key) } });
    for (let failure = 0; failure < 3; failure++) queue.addRateLimited('a');
    expect(delayed).toEqual(['a', 'a', 'a']);
  });

  it('leaves no timer behind when the queue is stopped', async () => {
    await fillLine(50);
    await Promise.all([queue.stop(), ...queue.inWork.map((key) => queue.done(key))]);
    queue.addRateLimited('late');
    expect(clock.timers).toBe(0);
  });
});
