// Spaces the reconciles of one key: the first few changes are reconciled at once, later ones are merged into one reconcile for
// each pace. Unlike a debounce, this delays neither a single change nor the changes that a reconcile itself has caused.
//
// A key whose reconciles compute for long gets a longer pace, so that no key uses more than a twentieth of the process: a
// MyDeployment of 5,000 pods is planned six times a second instead of twenty, and the cost of a pod hardly grows with their
// number.

import type { Clock } from '../clock.ts';
import { type Instant, later, msBetween } from '../instant.ts';

/** Old entries are looked for when there are this many more. */
const SWEEP_EVERY = 1024;

/** How many reconciles may follow each other at once before the pace holds: a change, its answer, and a status. */
const AT_ONCE = 3;

/** A pace is at least this many times as long as the reconcile thought, that is, until it first waited for something. */
const PACE_OF_THOUGHT = 20;

/** The least time between two reconciles of a key, in milliseconds; 0 when they need not be spaced. */
export type PaceOf = (key: string) => number;

interface Account {
  /** When the key could be worked on next if every reconcile so far had kept to the pace. */
  readonly paidUntil: Instant;
  readonly paceMs: number;
}

export class Pacer {
  readonly #clock: Clock;
  readonly #paceOf: PaceOf;
  readonly #accounts = new Map<string, Account>();
  #sweepAt = SWEEP_EVERY;

  constructor(clock: Clock, paceOf: PaceOf) {
    this.#clock = clock;
    this.#paceOf = paceOf;
  }

  /** Begins a reconcile of this key. */
  run<Result>(key: string, reconcile: () => Result): Result {
    const leastMs = this.#paceOf(key);
    if (leastMs === 0) return reconcile();
    const owed = this.#owed(key);
    const startedAt = this.#clock.now();
    const result = reconcile();
    const paceMs = Math.max(leastMs, PACE_OF_THOUGHT * msBetween(startedAt, this.#clock.now()));
    // Retries are not spaced, so their debt is bounded: no change waits for longer than the pace.
    const paidUntil = later(startedAt, Math.min(Math.max(0, owed), (AT_ONCE - 1) * paceMs) + paceMs);
    this.#accounts.set(key, { paidUntil, paceMs });
    if (this.#accounts.size >= this.#sweepAt) this.#sweep();
    return result;
  }

  /** How long the next reconcile of this key should wait. */
  delayOf(key: string): number {
    const paceMs = this.#accounts.get(key)?.paceMs ?? 0;
    return Math.max(0, this.#owed(key) - (AT_ONCE - 1) * paceMs);
  }

  #owed(key: string): number {
    const account = this.#accounts.get(key);
    return account === undefined ? 0 : msBetween(this.#clock.now(), account.paidUntil);
  }

  /** Forgets the keys that owe nothing any more, so that memory follows the keys at work. */
  #sweep(): void {
    for (const key of this.#accounts.keys()) if (this.#owed(key) <= 0) this.#accounts.delete(key);
    this.#sweepAt = this.#accounts.size + SWEEP_EVERY;
  }
}
