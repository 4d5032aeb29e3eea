import { beforeEach, describe, expect, it } from '@jest/globals';
import { silentQueueObserver } from '../../../src/runtime/queue/observer.ts';
import { LOW_PRIORITY, WorkQueue } from '../../../src/runtime/queue/queue.ts';
import { FakeClock } from '../../support/fake-clock.ts';

let clock: FakeClock;
let queue: WorkQueue;

beforeEach(() => {
  clock = new FakeClock();
  queue = new WorkQueue({ clock });
});

describe('WorkQueue.addAfter', () => {
  it('makes a key ready when its time has come, not a millisecond before', async () => {
    queue.addAfter('a', 100);
    await clock.advance(99);
    expect(queue.size).toBe(0);
    await clock.advance(1);
    expect(queue.size).toBe(1);
  });

  it.each([0, -5])('makes a key ready at once when the delay is %d', (delay) => {
    queue.addAfter('a', delay);
    expect(queue.size).toBe(1);
    expect(clock.timers).toBe(0);
  });

  it('releases keys in the order of their times', async () => {
    queue.addAfter('late', 30);
    queue.addAfter('early', 10);
    queue.addAfter('middle', 20);
    await clock.advance(30);
    expect([await queue.get(), await queue.get(), await queue.get()].map((taken) => taken?.key)).toEqual([
      'early',
      'middle',
      'late',
    ]);
  });

  it.each([
    { name: 'a sooner time replaces a later one', first: 100, second: 10 },
    { name: 'a later time does not postpone', first: 10, second: 100 },
  ])('$name', async ({ first, second }) => {
    queue.addAfter('a', first);
    queue.addAfter('a', second);
    await clock.advance(10);
    expect(queue.size).toBe(1);
    await queue.get();
    queue.done('a');
    await clock.advance(200);
    expect(queue.size).toBe(0);
  });

  it('is overtaken by an add for now, and the later time is forgotten', async () => {
    queue.addAfter('a', 50);
    queue.add('a');
    expect(queue.size).toBe(1);
    await queue.get();
    queue.done('a');
    await clock.advance(100);
    expect(queue.size).toBe(0);
    expect(queue.delayed).toBe(0);
  });

  it('adds nothing to a key that is ready already, except a higher priority', async () => {
    queue.add('a', LOW_PRIORITY);
    queue.addAfter('a', 50, 5);
    expect(queue.delayed).toBe(0);
    expect(await queue.get()).toEqual({ key: 'a', priority: 5 });
  });

  it('takes a higher priority from another delay', async () => {
    queue.addAfter('a', 50, 1);
    queue.addAfter('a', 60, 3);
    await clock.advance(50);
    expect(await queue.get()).toEqual({ key: 'a', priority: 3 });
  });

  it('tells the observer of every delay, and of nothing that is at once', () => {
    const delayed: string[] = [];
    queue = new WorkQueue({ clock, observer: { ...silentQueueObserver, delayed: (key) => delayed.push(key) } });
    for (const ms of [-1, 0, 1, 2]) queue.addAfter(`${ms} ms`, ms);
    queue.addPaced('paced', 10);
    expect(delayed).toEqual(['1 ms', '2 ms']);
    void queue.stop();
    queue.addAfter('stopped', 1);
    expect(delayed).toEqual(['1 ms', '2 ms']);
  });

  it.each([
    { name: 'by another delay', again: (priority: number) => queue.addAfter('a', 60, priority) },
    { name: 'by an add for now', again: (priority: number) => queue.add('a', priority) },
  ])('keeps the highest priority when merged $name', async ({ again }) => {
    queue.addAfter('a', 50, 3);
    again(LOW_PRIORITY);
    await clock.advance(50);
    expect(await queue.get()).toEqual({ key: 'a', priority: 3 });
  });

  it('keeps a key for later that is in work, and hands it out after that', async () => {
    queue.add('a');
    await queue.get();
    queue.addAfter('a', 10);
    await clock.advance(20);
    expect(queue.inWork).toEqual(['a']);
    queue.done('a');
    expect((await queue.get())?.key).toBe('a');
  });

  it('needs one timer for any number of keys', () => {
    for (let i = 0; i < 1000; i++) queue.addAfter(`k${i}`, 1000 - i);
    expect(clock.timers).toBe(1);
  });

  it('releases keys of one time in the order in which they came, whatever is asked for again', async () => {
    for (const key of ['c', 'a', 'b', 'c']) queue.addAfter(key, 10);
    await clock.advance(10);
    expect([await queue.get(), await queue.get(), await queue.get()].map((taken) => taken?.key)).toEqual([
      'c',
      'a',
      'b',
    ]);
  });

  it('takes nothing more when it was stopped before anything was put off', async () => {
    await queue.stop();
    queue.addAfter('a', 10);
    expect(clock.timers).toBe(0);
    expect(queue.delayed).toBe(0);
  });

  it('leaves no timer behind when stopped, and takes nothing more', async () => {
    queue.addAfter('a', 10);
    await queue.stop();
    queue.addAfter('b', 10);
    expect(clock.timers).toBe(0);
    await clock.advance(20);
    expect(queue.size).toBe(0);
  });
});

describe('WorkQueue.addPaced', () => {
  it('makes a burst of adds one, at the first date', async () => {
    for (let i = 0; i < 3; i++) {
      queue.addPaced('a', 10);
      await clock.advance(3);
    }
    expect(queue.size).toBe(0);
    await clock.advance(1);
    expect([queue.size, queue.delayed]).toEqual([1, 0]);
  });

  it('brings forward a key that waits for a distant date', async () => {
    queue.addAfter('a', 1_000_000);
    queue.addPaced('a', 10);
    await clock.advance(10);
    expect(queue.size).toBe(1);
  });

  it('adds nothing to a key that is ready already, except a higher priority', async () => {
    queue.add('a');
    queue.addPaced('a', 10, 5);
    expect(queue.delayed).toBe(0);
    expect(await queue.get()).toEqual({ key: 'a', priority: 5 });
  });

  it('takes nothing more when it was stopped', async () => {
    await queue.stop();
    queue.addPaced('a', 10);
    expect([queue.delayed, clock.timers]).toEqual([0, 0]);
  });

  it('is at once when there is no delay', () => {
    queue.addPaced('a', 0);
    expect(queue.size).toBe(1);
  });
});
