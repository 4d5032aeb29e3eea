// A queue to which keys can be added for later. It keeps at most one date a key and arms a single timer.
//
// Guarantees
// - The earliest date wins: adding a key for now, or for sooner, replaces a later date; a later date never postpones.
// - Only `addSettled` postpones, and only up to its own limit: a burst of adds makes the key ready once, after the
//   burst has been quiet for a moment or has lasted too long.
// - The highest priority asked for wins.
// - A stopped queue holds no timer.

import { type Clock, type Instant, later, msBetween, type Timer } from '../clock.ts';
import { Heap } from './heap.ts';
import { type QueueObserver, silentQueueObserver } from './observer.ts';
import { NORMAL_PRIORITY, type Queue, type Taken } from './queue.ts';

/** How long a burst of adds must have been quiet, and how long it may postpone a key altogether. */
export interface Settle {
  readonly quietMs: number;
  readonly maxWaitMs: number;
}

export interface DelayedAdds extends Queue {
  addAfter(key: string, delayMs: number, priority?: number): void;
  addSettled(key: string, settle: Settle, priority?: number): void;
}

interface Delayed {
  readonly key: string;
  readonly priority: number;
  readonly readyAt: Instant;
  /** No further `addSettled` may move `readyAt` beyond this. Invariant: readyAt <= latest. */
  readonly latest: Instant;
  readonly order: number;
}

export class DelayingQueue implements DelayedAdds {
  readonly #queue: Queue;
  readonly #clock: Clock;
  readonly #observer: QueueObserver;
  readonly #delayed = new Heap<Delayed>((a, b) => msBetween(b.readyAt, a.readyAt) || a.order - b.order);
  #order = 0;
  #stopped = false;
  /** Invariant: armed for the first of `#delayed`, or for sooner. */
  #timer: { readonly at: Instant; readonly timer: Timer } | undefined;

  constructor(queue: Queue, clock: Clock, observer: QueueObserver = silentQueueObserver) {
    this.#queue = queue;
    this.#clock = clock;
    this.#observer = observer;
  }

  get size(): number {
    return this.#queue.size;
  }

  get inWork(): readonly string[] {
    return this.#queue.inWork;
  }

  /** How many keys wait for their date. */
  get delayed(): number {
    return this.#delayed.size;
  }

  isQueued(key: string): boolean {
    return this.#queue.isQueued(key);
  }

  get(): Promise<Taken | undefined> {
    return this.#queue.get();
  }

  done(key: string): void {
    this.#queue.done(key);
  }

  add(key: string, priority: number = NORMAL_PRIORITY): void {
    const delayed = this.#delayed.delete(key);
    this.#queue.add(key, Math.max(priority, delayed?.priority ?? priority));
  }

  addAfter(key: string, delayMs: number, priority: number = NORMAL_PRIORITY): void {
    if (delayMs > 0 && !this.#stopped) this.#observer.delayed(key);
    const due = later(this.#clock.now(), delayMs);
    const before = this.#delayed.get(key);
    const latest = sooner(due, before?.latest);
    this.#schedule(key, { priority, latest, readyAt: sooner(due, before?.readyAt) });
  }

  addSettled(key: string, settle: Settle, priority: number = NORMAL_PRIORITY): void {
    const now = this.#clock.now();
    const latest = sooner(later(now, settle.maxWaitMs), this.#delayed.get(key)?.latest);
    this.#schedule(key, { priority, latest, readyAt: sooner(later(now, settle.quietMs), latest) });
  }

  stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.timer.cancel();
    return this.#queue.stop();
  }

  #schedule(key: string, asked: { priority: number; readyAt: Instant; latest: Instant }): void {
    if (this.#stopped) return;
    if (asked.readyAt <= this.#clock.now() || this.#queue.isQueued(key)) {
      this.add(key, asked.priority);
      return;
    }
    const before = this.#delayed.get(key);
    const priority = Math.max(asked.priority, before?.priority ?? asked.priority);
    this.#delayed.set({ ...asked, key, priority, order: before?.order ?? this.#order++ });
    this.#arm();
  }

  #arm(): void {
    const at = this.#delayed.peek()?.readyAt;
    if (at === undefined || (this.#timer !== undefined && this.#timer.at <= at)) return;
    this.#timer?.timer.cancel();
    this.#timer = { at, timer: this.#clock.after(msBetween(this.#clock.now(), at), () => this.#release()) };
  }

  #release(): void {
    this.#timer = undefined;
    for (let next = this.#delayed.peek(); next !== undefined; next = this.#delayed.peek()) {
      if (next.readyAt > this.#clock.now()) break;
      this.add(next.key, next.priority);
    }
    this.#arm();
  }
}

function sooner(one: Instant, other: Instant | undefined): Instant {
  return other !== undefined && other < one ? other : one;
}
