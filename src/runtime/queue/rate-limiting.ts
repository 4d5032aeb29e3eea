// The outermost queue: failed keys come back after a delay that grows with every failure in a row.
//
// Guarantees
// - Only `addRateLimited` waits for the limiter; what the cluster reports is never slowed down by past failures.
// - A key is never given up, however often it fails.
// - After `forget` nothing of the key's failures is remembered, neither in delays nor in memory.

import type { Clock } from '../clock.ts';
import { type DelayedAdds, DelayingQueue, type Settle } from './delaying.ts';
import type { QueueObserver } from './observer.ts';
import { type Taken, WorkQueue } from './queue.ts';
import { defaultRateLimiter, type RateLimiter } from './rate-limiter.ts';

export class RateLimitingQueue implements DelayedAdds {
  readonly #queue: DelayedAdds;
  readonly #limiter: RateLimiter;

  constructor(queue: DelayedAdds, limiter: RateLimiter) {
    this.#queue = queue;
    this.#limiter = limiter;
  }

  get size(): number {
    return this.#queue.size;
  }

  get inWork(): readonly string[] {
    return this.#queue.inWork;
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

  add(key: string, priority?: number): void {
    this.#queue.add(key, priority);
  }

  addAfter(key: string, delayMs: number, priority?: number): void {
    this.#queue.addAfter(key, delayMs, priority);
  }

  addSettled(key: string, settle: Settle, priority?: number): void {
    this.#queue.addSettled(key, settle, priority);
  }

  /** Adds a key that failed; returns the milliseconds it has to wait. */
  addRateLimited(key: string, priority?: number): number {
    const delayMs = this.#limiter.delayOf(key);
    this.#queue.addAfter(key, delayMs, priority);
    return delayMs;
  }

  /** To be called when a key has succeeded, or will not be retried. */
  forget(key: string): void {
    this.#limiter.forget(key);
  }

  failures(key: string): number {
    return this.#limiter.failures(key);
  }

  stop(): Promise<void> {
    return this.#queue.stop();
  }
}

export interface QueueOptions {
  readonly clock: Clock;
  readonly observer?: QueueObserver;
  /** @default 5 ms to 1000 s for each key, 10 a second after a burst of 100 for all together */
  readonly limiter?: RateLimiter;
}

/** All layers together: what a controller works from. */
export function createQueue({ clock, observer, limiter }: QueueOptions): RateLimitingQueue {
  const delaying = new DelayingQueue(new WorkQueue(observer), clock, observer);
  return new RateLimitingQueue(delaying, limiter ?? defaultRateLimiter(clock));
}
