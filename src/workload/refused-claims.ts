// Remembers which adoptions and releases for one owner the API server refused, for example because a policy protects a
// pod. Each is tried again after a delay that doubles; until then plans go on without it, and the owner's status says why.

import { type Clock, type Instant, later, msBetween } from '../runtime/clock.ts';
import type { Refusal, Refusals } from './claim.ts';

/** A policy that lets go of an object tells nobody: half a minute later the operator has noticed. */
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

interface Waiting extends Refusal {
  readonly until: Instant;
  readonly waitMs: number;
}

export class RefusedClaims {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Waiting>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The claim was refused: it waits, twice as long as the last time. */
  note(uid: string, refusal: Refusal): void {
    const before = this.#waiting.get(uid)?.waitMs;
    const waitMs = before === undefined ? FIRST_MS : Math.min(LONGEST_MS, 2 * before);
    this.#waiting.set(uid, { ...refusal, until: later(this.#clock.now(), waitMs), waitMs });
  }

  /** How many are remembered. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Those that are not to be tried again yet. One that was not tried when its time came needs no claim any more. */
  get refusals(): Refusals {
    const now = this.#clock.now();
    const left = [...this.#waiting].map(([uid, waiting]) => ({
      uid,
      ...waiting,
      forMs: msBetween(now, waiting.until),
    }));
    for (const { uid, forMs } of left) if (forMs < -LONGEST_MS) this.#waiting.delete(uid);
    const waiting = left.filter(({ forMs }) => forMs > 0);
    return new Map(waiting.map(({ uid, reason, message, forMs }) => [uid, { reason, message, forMs }]));
  }
}
