// Remembers which adoptions and releases the API server refused, for example because a policy protects a pod. Each is
// tried again after a delay that doubles; until then plans go on without it, and the owner's status says why.

import type { Clock } from '../runtime/clock.ts';

export interface Refusal {
  readonly reason: 'FailedAdopt' | 'FailedRelease';
  /** The server's own words. */
  readonly message: string;
}

/** Refusals of one owner's claims by the UID of what was to be claimed, each with the time left to the next attempt. */
export type Refusals = ReadonlyMap<string, Refusal & { readonly forMs: number }>;

export const NO_REFUSALS: Refusals = new Map();

/** A policy that lets go of an object tells nobody: half a minute later the operator has noticed. */
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

interface Waiting extends Refusal {
  readonly until: number;
  readonly waitMs: number;
}

export class RefusedClaims {
  readonly #clock: Clock;
  readonly #byOwner = new Map<string, Map<string, Waiting>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The claim was refused: it waits, twice as long as the last time. */
  note(ownerUid: string, uid: string, refusal: Refusal): void {
    const claims = this.#byOwner.get(ownerUid) ?? new Map<string, Waiting>();
    const before = claims.get(uid)?.waitMs;
    const waitMs = before === undefined ? FIRST_MS : Math.min(LONGEST_MS, 2 * before);
    this.#byOwner.set(ownerUid, claims.set(uid, { ...refusal, until: this.#clock.now() + waitMs, waitMs }));
  }

  /** Those that are not to be tried again yet. One that was not tried when its time came needs no claim any more. */
  of(ownerUid: string): Refusals {
    const now = this.#clock.now();
    const claims = this.#byOwner.get(ownerUid) ?? new Map<string, Waiting>();
    for (const [uid, { until }] of claims) if (until + LONGEST_MS < now) claims.delete(uid);
    if (claims.size === 0) this.#byOwner.delete(ownerUid);
    const waiting = [...claims].filter(([, { until }]) => until > now);
    return new Map(waiting.map(([uid, { reason, message, until }]) => [uid, { reason, message, forMs: until - now }]));
  }

  /** The claim was granted, or there is nothing left to claim. */
  settle(ownerUid: string, uid: string): void {
    this.#byOwner.get(ownerUid)?.delete(uid);
  }

  /** The owner is gone. */
  forget(ownerUid: string): void {
    this.#byOwner.delete(ownerUid);
  }
}
