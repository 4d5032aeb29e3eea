// Spaces the reconciles of one key: the first few changes are worked on at once, the hundred that follow come together,
// one reconcile for each pace. Unlike waiting for quiet, this delays nothing that comes alone, nor the answer to what a
// reconcile itself has caused.

import type { Clock } from '../clock.ts';

/** Old entries are looked for when there are this many more. */
const SWEEP_EVERY = 1024;

/** How many reconciles may follow each other at once before the pace holds: a change, its answer, and a status. */
const AT_ONCE = 3;

export class Pacer {
  readonly #clock: Clock;
  readonly #paceMs: number;
  /** By key: when it could be worked on next if every reconcile so far had kept to the pace. */
  readonly #paidUntil = new Map<string, number>();
  #sweepAt = SWEEP_EVERY;

  constructor(clock: Clock, paceMs: number) {
    this.#clock = clock;
    this.#paceMs = paceMs;
  }

  /** A reconcile of this key begins. */
  started(key: string): void {
    if (this.#paceMs === 0) return;
    // Retries do not ask us, so what they owe has an end: no change waits for longer than the pace.
    const owed = Math.min(Math.max(0, this.#owed(key)), (AT_ONCE - 1) * this.#paceMs) + this.#paceMs;
    this.#paidUntil.set(key, this.#clock.now() + owed);
    if (this.#paidUntil.size >= this.#sweepAt) this.#sweep();
  }

  /** How long the next reconcile of this key should wait. */
  delayOf(key: string): number {
    return Math.max(0, this.#owed(key) - (AT_ONCE - 1) * this.#paceMs);
  }

  #owed(key: string): number {
    return (this.#paidUntil.get(key) ?? 0) - this.#clock.now();
  }

  /** Forgets the keys that owe nothing any more, so that memory follows the keys at work. */
  #sweep(): void {
    for (const key of this.#paidUntil.keys()) if (this.#owed(key) <= 0) this.#paidUntil.delete(key);
    this.#sweepAt = this.#paidUntil.size + SWEEP_EVERY;
  }
}
