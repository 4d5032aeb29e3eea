// Spaces the reconciles of one key: a lone change is worked on at once, the hundred that follow it come together in one
// reconcile. Unlike waiting for quiet, this never delays the first of them.

import type { Clock } from '../clock.ts';

/** Old entries are looked for when there are this many more. */
const SWEEP_EVERY = 1024;

export class Pacer {
  readonly #clock: Clock;
  readonly #paceMs: number;
  readonly #startedAt = new Map<string, number>();
  #sweepAt = SWEEP_EVERY;

  constructor(clock: Clock, paceMs: number) {
    this.#clock = clock;
    this.#paceMs = paceMs;
  }

  /** A reconcile of this key begins. */
  started(key: string): void {
    if (this.#paceMs === 0) return;
    this.#startedAt.set(key, this.#clock.now());
    if (this.#startedAt.size >= this.#sweepAt) this.#sweep();
  }

  /** How long the next reconcile of this key should wait. */
  delayOf(key: string): number {
    const startedAt = this.#startedAt.get(key);
    return startedAt === undefined ? 0 : Math.max(0, startedAt + this.#paceMs - this.#clock.now());
  }

  /** Forgets the keys that need not wait any more, so that memory follows the keys at work. */
  #sweep(): void {
    for (const key of this.#startedAt.keys()) if (this.delayOf(key) === 0) this.#startedAt.delete(key);
    this.#sweepAt = this.#startedAt.size + SWEEP_EVERY;
  }
}
