// The innermost work queue: keys, never objects, so that whoever works on one reads the newest state.
//
// Guarantees
// - Deduplicated: a key added many times before it is taken is handed out once, with the highest priority asked for.
// - Exclusive: a key that is in work is not handed out again before `done`.
// - Nothing is lost: a key added while in work is handed out once more afterwards.
// - Ordered: higher priorities first; inside a priority in the order in which keys became free to be taken.
// - Stopping: nothing more is handed out, who waits is released, what is in work may finish.

import { Heap } from './heap.ts';
import { type QueueObserver, silentQueueObserver } from './observer.ts';

/** Priority of what is merely replayed, such as a restart's initial list: it must not hold up live changes. */
export const LOW_PRIORITY = -100;
export const NORMAL_PRIORITY = 0;

/** A key that was handed out, with the priority it had: a retry goes back with the same one. */
export interface Taken {
  readonly key: string;
  readonly priority: number;
}

export interface Queue {
  add(key: string, priority?: number): void;
  /** The next key, as soon as there is one; undefined once the queue has been stopped. */
  get(): Promise<Taken | undefined>;
  /** Gives a key back after work. Every key that `get` returned must come back exactly once. */
  done(key: string): void;
  /** True while the key waits to be taken, or to be taken once more after its present work. */
  isQueued(key: string): boolean;
  /** How many keys wait. */
  readonly size: number;
  /** The keys in work at this moment. */
  readonly inWork: readonly string[];
  /** Stops for good; resolves when nothing is in work any more. */
  stop(): Promise<void>;
}

interface Waiting extends Taken {
  readonly order: number;
}

export class WorkQueue implements Queue {
  readonly #observer: QueueObserver;
  readonly #ready = new Heap<Waiting>((a, b) => b.priority - a.priority || a.order - b.order);
  readonly #inWork = new Set<string>();
  /** Keys in work that were added again, with their priority. Invariant: a subset of `#inWork`. */
  readonly #again = new Map<string, number>();
  /** Invariant: empty whenever `#ready` is not. */
  readonly #takers: ((taken: Taken | undefined) => void)[] = [];
  readonly #drained = Promise.withResolvers<void>();
  #order = 0;
  #stopped = false;

  constructor(observer: QueueObserver = silentQueueObserver) {
    this.#observer = observer;
  }

  get size(): number {
    return this.#ready.size + this.#again.size;
  }

  get inWork(): readonly string[] {
    return [...this.#inWork];
  }

  isQueued(key: string): boolean {
    return this.#ready.get(key) !== undefined || this.#again.has(key);
  }

  add(key: string, priority: number = NORMAL_PRIORITY): void {
    if (this.#stopped) return;
    const queuedWith = this.#again.get(key) ?? this.#ready.get(key)?.priority;
    if (queuedWith === undefined) this.#observer.added(key, priority);
    else if (queuedWith < priority) this.#observer.raised(key, queuedWith, priority);
    else return;

    if (this.#inWork.has(key)) this.#again.set(key, priority);
    else this.#makeReady(key, priority);
  }

  get(): Promise<Taken | undefined> {
    if (this.#stopped) return Promise.resolve(undefined);
    const next = this.#ready.pop();
    if (next !== undefined) return Promise.resolve(this.#take(next));
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  done(key: string): void {
    if (!this.#inWork.delete(key)) throw new Error(`key "${key}" is not in work`);
    this.#observer.finished(key);
    const priority = this.#again.get(key);
    this.#again.delete(key);
    if (this.#stopped) this.#reportDrained();
    else if (priority !== undefined) this.#makeReady(key, priority);
  }

  stop(): Promise<void> {
    this.#stopped = true;
    for (const release of this.#takers.splice(0)) release(undefined);
    this.#reportDrained();
    return this.#drained.promise;
  }

  /** A key keeps its place among its equals when only its priority is raised. */
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
