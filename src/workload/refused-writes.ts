// Remembers what the API server refused to one owner and will refuse again: adoptions and releases of what a policy
// protects, and new pods that admission changes so that their owner would not know them again. Each is tried again after a
// delay that doubles. Until then plans go on without it, whatever wakes the owner, and the owner's status says why.

import { type Clock, type Instant, later, msBetween } from '../runtime/clock.ts';
import type { Refusal, Refusals } from './refusals.ts';

/** Longer than an owner waits for a cache that lags (own-writes.ts): between two attempts, everything else has its turn. */
const FIRST_MS = 2_000;
/** A policy that is taken back tells nobody: half a minute later the operator has noticed. */
const LONGEST_MS = 30_000;

interface Waiting extends Refusal {
  readonly until: Instant;
  readonly waitMs: number;
}

export class RefusedWrites {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Waiting>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** It was refused: it waits, twice as long as the last time. */
  note(what: string, refusal: Refusal): void {
    const before = this.#waiting.get(what)?.waitMs;
    const waitMs = before === undefined ? FIRST_MS : Math.min(LONGEST_MS, 2 * before);
    this.#waiting.set(what, { ...refusal, until: later(this.#clock.now(), waitMs), waitMs });
  }

  /** It was granted: the next refusal is a first one. */
  settle(what: string): void {
    this.#waiting.delete(what);
  }

  /** How many are remembered. */
  get size(): number {
    return this.#waiting.size;
  }

  /** What is not to be tried again yet. What nobody tried when its time came is not wanted any more. */
  get refusals(): Refusals {
    const now = this.#clock.now();
    const left = [...this.#waiting].map(([what, waiting]) => ({
      what,
      ...waiting,
      forMs: msBetween(now, waiting.until),
    }));
    for (const { what, forMs } of left) if (forMs < -LONGEST_MS) this.#waiting.delete(what);
    const waiting = left.filter(({ forMs }) => forMs > 0);
    return new Map(waiting.map(({ what, reason, message, forMs }) => [what, { reason, message, forMs }]));
  }
}
