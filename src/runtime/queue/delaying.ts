// A queue to which keys can be added for later. It keeps at most one date a key and arms a single timer.
//
// Guarantees
// - The earliest date wins: adding a key for now, or for sooner, replaces a later date; a later date never postpones.
// - Only `addSettled` postpones, and only up to its own limit: a burst of adds makes the key ready once, after the
//   burst has been quiet for a moment or has lasted too long.
// - The highest priority asked for wins.
// - A stopped queue holds no timer.

import type { Clock, Timer } from '../clock.ts';
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
  readonly readyAt: number;
  /** No further `addSettled` may move `readyAt` beyond this. Invariant: readyAt <= latest. */
  readonly latest: number;
  readonly order: number;
}

export class DelayingQueue implements DelayedAdds {
  readonly #queue: Queue;
  readonly #clock: Clock;
  readonly #observer: QueueObserver;
  readonly #delayed = new Heap<Delayed>((a, b) => a.readyAt - b.readyAt || a.order - b.order);
  #order = 0;
  #stopped = false;
  /** Invariant: armed for the first of `#delayed`, or for sooner. */
  #timer: { readonly at: number; readonly timer: Timer } | undefined;

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
    const due = this.#clock.now() + delayMs;
    const before = this.#delayed.get(key);
    const latest = Math.min(due, before?.latest ?? due);
    this.#schedule(key, { priority, latest, readyAt: Math.min(due, before?.readyAt ?? due) });
  }

  addSettled(key: string, settle: Settle, priority: number = NORMAL_PRIORITY): void {
    const now = this.#clock.now();
    const latest = Math.min(now + settle.maxWaitMs, this.#delayed.get(key)?.latest ?? Number.POSITIVE_INFINITY);
    this.#schedule(key, { priority, latest, readyAt: Math.min(now + settle.quietMs, latest) });
  }

  stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.timer.cancel();
    return this.#queue.stop();
  }

  #schedule(key: string, asked: { priority: number; readyAt: number; latest: number }): void {
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
    this.#timer = { at, timer: this.#clock.after(at - this.#clock.now(), () => this.#release()) };
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
