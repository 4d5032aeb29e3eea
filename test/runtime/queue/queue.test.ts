import { describe, expect, it } from '@jest/globals';
import type { QueueObserver } from '../../../src/runtime/queue/observer.ts';
import { LOW_PRIORITY, WorkQueue } from '../../../src/runtime/queue/queue.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';

async function takeAll(queue: WorkQueue): Promise<string[]> {
  const keys: string[] = [];
  while (queue.size > 0) {
    const { key } = (await queue.get()) ?? { key: 'stopped' };
    keys.push(key);
    queue.done(key);
  }
  return keys;
}

/** Says whether a promise has settled by now. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  void promise.finally(() => {
    pending = false;
  });
  await settle();
  return pending;
}

describe('WorkQueue', () => {
  it('hands out a key once however often it was added', async () => {
    const queue = new WorkQueue({ clock: new FakeClock() });
    for (let i = 0; i < 5; i++) queue.add('a');
    queue.add('b');
    expect(queue.size).toBe(2);
    expect(await takeAll(queue)).toEqual(['a', 'b']);
  });

  it('hands out a key added while in work once more, and only after its work is done', async () => {
    const queue = new WorkQueue({ clock: new FakeClock() });
    queue.add('a');
    await queue.get();
    queue.add('a');
    queue.add('a');
    expect([queue.size, queue.isQueued('a')]).toEqual([1, true]);
    const second = queue.get();
    expect(await isPending(second)).toBe(true);
    queue.done('a');
    expect((await second)?.key).toBe('a');
    queue.done('a');
    expect(queue.size).toBe(0);
    expect(queue.inWork).toEqual([]);
  });

  it('lets different keys be worked on at the same time', async () => {
    const queue = new WorkQueue({ clock: new FakeClock() });
    queue.add('a');
    queue.add('b');
    await queue.get();
    await queue.get();
    expect(queue.inWork).toEqual(['a', 'b']);
  });

  it('serves whoever waited longest first', async () => {
    const queue = new WorkQueue({ clock: new FakeClock() });
    const first = queue.get();
    const second = queue.get();
    queue.add('a');
    queue.add('b');
    expect([(await first)?.key, (await second)?.key]).toEqual(['a', 'b']);
  });

  it('hands out higher priorities first and equals in the order they came', async () => {
    const queue = new WorkQueue({ clock: new FakeClock() });
    queue.add('listed-1', LOW_PRIORITY);
    queue.add('listed-2', LOW_PRIORITY);
    queue.add('live-1');
    queue.add('urgent', 10);
    queue.add('live-2');
    expect(await takeAll(queue)).toEqual(['urgent', 'live-1', 'live-2', 'listed-1', 'listed-2']);
  });

  it('raises a waiting key to the highest priority asked for, and never lowers it', async () => {
    const queue = new WorkQueue({ clock: new FakeClock() });
    queue.add('a', LOW_PRIORITY);
    queue.add('b');
    queue.add('a', 5);
    queue.add('a', LOW_PRIORITY);
    expect(await queue.get()).toEqual({ key: 'a', priority: 5 });
  });

  it('keeps the place a key had among its equals when its priority is raised', async () => {
    const queue = new WorkQueue({ clock: new FakeClock() });
    queue.add('a', LOW_PRIORITY);
    queue.add('b');
    queue.add('c');
    queue.add('a');
    expect(await takeAll(queue)).toEqual(['a', 'b', 'c']);
  });

  it('remembers the highest priority asked for while a key was in work', async () => {
    const queue = new WorkQueue({ clock: new FakeClock() });
    queue.add('a');
    await queue.get();
    queue.add('a', LOW_PRIORITY);
    queue.add('a', 7);
    queue.add('a', 3);
    queue.done('a');
    expect(await queue.get()).toEqual({ key: 'a', priority: 7 });
  });

  it('puts a key that comes back from work behind those that have been waiting', async () => {
    const queue = new WorkQueue({ clock: new FakeClock() });
    queue.add('hot');
    await queue.get();
    queue.add('hot');
    queue.add('patient');
    queue.done('hot');
    expect(await takeAll(queue)).toEqual(['patient', 'hot']);
  });

  it('refuses a key that is not in work', () => {
    expect(() => new WorkQueue({ clock: new FakeClock() }).done('a')).toThrow('key "a" is not in work');
  });

  it('releases whoever waits when it stops, and hands out nothing more', async () => {
    const queue = new WorkQueue({ clock: new FakeClock() });
    const waiting = queue.get();
    const stopped = queue.stop();
    expect(await waiting).toBeUndefined();
    await stopped;
    queue.add('late');
    expect(await queue.get()).toBeUndefined();
    expect(queue.size).toBe(0);
  });

  it('keeps waiting keys to itself once stopped', async () => {
    const queue = new WorkQueue({ clock: new FakeClock() });
    queue.add('a');
    void queue.stop();
    expect(await queue.get()).toBeUndefined();
  });

  it('is drained when the last key in work is done, and not before', async () => {
    const queue = new WorkQueue({ clock: new FakeClock() });
    queue.add('a');
    queue.add('b');
    await queue.get();
    await queue.get();
    queue.add('a');
    const drained = queue.stop();
    queue.done('a');
    expect(await isPending(drained)).toBe(true);
    queue.done('b');
    expect(await isPending(drained)).toBe(false);
    expect(await isPending(queue.stop())).toBe(false);
  });

  it('tells an observer every step of a key', async () => {
    const steps: string[] = [];
    const observer: QueueObserver = {
      added: (key, priority) => steps.push(`added ${key} ${priority}`),
      raised: (key, from, to) => steps.push(`raised ${key} ${from} ${to}`),
      taken: (key, priority) => steps.push(`taken ${key} ${priority}`),
      finished: (key) => steps.push(`finished ${key}`),
      delayed: (key) => steps.push(`delayed ${key}`),
    };
    const queue = new WorkQueue({ clock: new FakeClock(), observer });
    queue.add('a', LOW_PRIORITY);
    queue.add('a');
    queue.add('a');
    await queue.get();
    queue.add('a');
    queue.done('a');
    expect(steps).toEqual(['added a -100', 'raised a -100 0', 'taken a 0', 'added a 0', 'finished a']);
  });
});
