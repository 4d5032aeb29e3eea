// Remembers what the API server refused to one owner and would refuse again: adoptions and releases of objects that a
// policy protects, and new objects that admission changes so that their owner does not recognize them. Each is tried again
// after a delay that doubles. Until then plans do without it, whatever wakes the owner, and the owner's status says why.

import type { Clock } from '../clock.ts';
import { type Instant, later, msBetween } from '../instant.ts';
import type { Refusal, Refusals } from './refusals.ts';

/** Longer than an owner waits for a cache that lags (owner-writes.ts), so that other work is done between two attempts. */
const FIRST_MS = 2_000;
/** No event reports that a policy was withdrawn: the operator finds out by a retry within half a minute. */
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

  /** The write was refused: it waits, twice as long as the last time. */
  note(what: string, refusal: Refusal): void {
    const before = this.#waiting.get(what)?.waitMs;
    const waitMs = before === undefined ? FIRST_MS : Math.min(LONGEST_MS, 2 * before);
    this.#waiting.set(what, { ...refusal, until: later(this.#clock.now(), waitMs), waitMs });
  }

  /** The write was granted: the next refusal counts as the first one. */
  clear(what: string): void {
    this.#waiting.delete(what);
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** What is not to be tried again yet. A write that was not tried when its time came is no longer wanted. */
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
