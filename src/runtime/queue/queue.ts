// The work queue of a controller: keys, never objects, so that a reconcile reads the newest state.
//
// Guarantees
// - Deduplicated: a key added many times before it is taken is handed out once, with the highest priority asked for.
// - Exclusive: a key that is in work is not handed out again before `done`.
// - Nothing is lost: a key added while in work is handed out once more afterwards; however often one fails, it comes back.
// - Ordered: higher priorities first; within a priority namespaces take turns, so no tenant waits for the backlog of
//   another; inside a namespace in the order in which keys became free to be taken.
// - Only retries are slowed down by failures: what the cluster reports, and dates, are not.
// - All retries together are limited, and a key's first retry is not: others' failures never hold it up.
// - Stopping: nothing more is handed out, who waits is released, what is in work may finish, no timer is left.

import type { Clock } from '../clock.ts';
import type { TokenBucketLimits } from '../token-bucket.ts';
import { ExponentialBackOff, type RateLimiter } from './back-off.ts';
import { FairLine } from './fair-line.ts';
import { Later } from './later.ts';
import { type QueueObserver, silentQueueObserver } from './observer.ts';

/** Priority of replayed keys, such as those of a restart's initial list: they must not delay live changes. */
export const LOW_PRIORITY = -100;
/** The priority of live changes. */
export const NORMAL_PRIORITY = 0;

/**
 * This many retries in a row wait for the key's own back-off only. Each follows an attempt that a change or a date
 * caused, so they at most double that load. Further retries share the limit.
 */
const FREE_RETRIES = 1;
/** client-go's figures. */
const RETRY_LIMITS: TokenBucketLimits = { perSecond: 10, burst: 100 };

/** A key that was handed out, with the priority it had: a retry goes back with the same one. */
export interface Taken {
  readonly key: string;
  readonly priority: number;
}

/** Settings of a queue. */
export interface QueueOptions {
  readonly clock: Clock;
  readonly observer?: QueueObserver;
  /** The back-off of each key. @default 5 ms to 1000 s */
  readonly limiter?: RateLimiter;
}

/** Keys that wait for a worker, each once. */
export class WorkQueue {
  readonly #observer: QueueObserver;
  readonly #limiter: RateLimiter;
  readonly #later: Later;
  readonly #ready = new FairLine();
  readonly #inWork = new Set<string>();
  /** Keys in work that were added again, with their priority. Invariant: a subset of `#inWork`. */
  readonly #again = new Map<string, number>();
  /** Invariant: empty whenever `#ready` is not. */
  readonly #takers: ((taken: Taken | undefined) => void)[] = [];
  readonly #drained = Promise.withResolvers<void>();
  #order = 0;
  #stopped = false;

  constructor({ clock, observer = silentQueueObserver, limiter = new ExponentialBackOff() }: QueueOptions) {
    this.#observer = observer;
    this.#limiter = limiter;
    this.#later = new Later(clock, RETRY_LIMITS, (key, priority) => this.#admit(key, priority));
  }

  /** How many keys wait to be taken. */
  get size(): number {
    return this.#ready.size + this.#again.size;
  }

  /** How many keys wait for a date. */
  get delayed(): number {
    return this.#later.size;
  }

  /** The keys in work at this moment. */
  get inWork(): readonly string[] {
    return [...this.#inWork];
  }

  /** True while the key waits to be taken, or to be taken once more after its present work. */
  isQueued(key: string): boolean {
    return this.#ready.get(key) !== undefined || this.#again.has(key);
  }

  add(key: string, priority: number = NORMAL_PRIORITY): void {
    this.#admit(key, Math.max(priority, this.#later.remove(key) ?? priority));
  }

  /** Adds the key after this time, unless it is added earlier. */
  addAfter(key: string, delayMs: number, priority: number = NORMAL_PRIORITY): void {
    if (delayMs > 0 && !this.#stopped) this.#observer.delayed(key);
    this.addPaced(key, delayMs, priority);
  }

  /** As `addAfter`, but not counted as a retry: the key comes from a live event that is paced. */
  addPaced(key: string, delayMs: number, priority: number = NORMAL_PRIORITY): void {
    if (this.#stopped) return;
    if (this.isQueued(key)) this.add(key, priority);
    else this.#later.after(key, delayMs, priority);
  }

  /** Adds a key that failed, to be tried again; returns its back-off in milliseconds. */
  addRateLimited(key: string, priority: number = NORMAL_PRIORITY): number {
    const backOffMs = this.#limiter.delayOf(key);
    if (this.#stopped || this.isQueued(key) || this.#limiter.failures(key) <= FREE_RETRIES) {
      this.addAfter(key, backOffMs, priority);
    } else {
      this.#observer.delayed(key);
      this.#later.retry(key, backOffMs, priority);
    }
    return backOffMs;
  }

  /** To be called when a key has succeeded, or is not retried: its failures are forgotten. */
  forget(key: string): void {
    this.#limiter.forget(key);
  }

  failures(key: string): number {
    return this.#limiter.failures(key);
  }

  /** The next key, as soon as there is one; undefined once the queue has been stopped. */
  get(): Promise<Taken | undefined> {
    if (this.#stopped) return Promise.resolve(undefined);
    const next = this.#ready.pop();
    if (next !== undefined) return Promise.resolve(this.#take(next));
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  /** Gives a key back after work. Every key that `get` returned must come back exactly once. */
  done(key: string): void {
    if (!this.#inWork.delete(key)) throw new Error(`key "${key}" is not in work`);
    this.#observer.finished(key);
    const priority = this.#again.get(key);
    this.#again.delete(key);
    if (this.#stopped) this.#reportDrained();
    else if (priority !== undefined) this.#makeReady(key, priority);
  }

  /** Stops for good; resolves when nothing is in work any more. */
  stop(): Promise<void> {
    this.#stopped = true;
    this.#later.stop();
    for (const release of this.#takers.splice(0)) release(undefined);
    this.#reportDrained();
    return this.#drained.promise;
  }

  #admit(key: string, priority: number): void {
    if (this.#stopped) return;
    const queuedWith = this.#again.get(key) ?? this.#ready.get(key)?.priority;
    if (queuedWith === undefined) this.#observer.added(key, priority);
    else if (queuedWith < priority) this.#observer.raised(key, queuedWith, priority);
    else return;

    if (this.#inWork.has(key)) this.#again.set(key, priority);
    else this.#makeReady(key, priority);
  }

  /** A key keeps its place among keys of equal priority when only its priority is raised. */
  #makeReady(key: string, priority: number): void {
    const taker = this.#takers.shift();
    if (taker !== undefined) taker(this.#take({ key, priority }));
    else this.#ready.set({ key, priority, order: this.#ready.get(key)?.order ?? this.#order++ });
  }

  #take({ key, priority }: Taken): Taken {
    this.#inWork.add(key);
    this.#observer.taken(key, priority);
    return { key, priority };
  }

  #reportDrained(): void {
    if (this.#inWork.size === 0) this.#drained.resolve();
  }
}
