// Remembers what the API server refused to an owner and will refuse again: adoptions and releases of what a policy
// protects, and new pods that admission changes so that their owner would not know them again. Each is tried again after a
// delay that doubles. Until then plans go on without it, whatever wakes the owner, and the owner's status says why.

import type { Clock } from '../runtime/clock.ts';

export interface Refusal {
  readonly reason: 'FailedAdopt' | 'FailedRelease' | 'FailedCreate';
  /** The server's own words. */
  readonly message: string;
}

/** Stands for every pod that an owner has yet to make; an adoption or release is known by the UID of its object. */
export const NEW_PODS = 'new pods';

/** What was refused to one owner, by UID or as NEW_PODS, each with the time left to the next attempt. */
export type Refusals = ReadonlyMap<string, Refusal & { readonly forMs: number }>;

export const NO_REFUSALS: Refusals = new Map();

/** Longer than an owner waits for a cache that lags (own-writes.ts): between two attempts, everything else has its turn. */
const FIRST_MS = 2_000;
/** A policy that is taken back tells nobody: half a minute later the operator has noticed. */
const LONGEST_MS = 30_000;

interface Waiting extends Refusal {
  readonly until: number;
  readonly waitMs: number;
}

export class RefusedWrites {
  readonly #clock: Clock;
  readonly #byOwner = new Map<string, Map<string, Waiting>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** It was refused: it waits, twice as long as the last time. */
  note(ownerUid: string, what: string, refusal: Refusal): void {
    const refused = this.#byOwner.get(ownerUid) ?? new Map<string, Waiting>();
    const before = refused.get(what)?.waitMs;
    const waitMs = before === undefined ? FIRST_MS : Math.min(LONGEST_MS, 2 * before);
    this.#byOwner.set(ownerUid, refused.set(what, { ...refusal, until: this.#clock.now() + waitMs, waitMs }));
  }

  /** What is not to be tried again yet. What nobody tried when its time came is not wanted any more. */
  of(ownerUid: string): Refusals {
    const now = this.#clock.now();
    const refused = this.#byOwner.get(ownerUid) ?? new Map<string, Waiting>();
    for (const [what, { until }] of refused) if (until + LONGEST_MS < now) refused.delete(what);
    if (refused.size === 0) this.#byOwner.delete(ownerUid);
    const waiting = [...refused].filter(([, { until }]) => until > now);
    return new Map(
      waiting.map(([what, { reason, message, until }]) => [what, { reason, message, forMs: until - now }]),
    );
  }

  /** It was granted: the next refusal is a first one. */
  settle(ownerUid: string, what: string): void {
    this.#byOwner.get(ownerUid)?.delete(what);
  }

  /** The owner is gone. */
  forget(ownerUid: string): void {
    this.#byOwner.delete(ownerUid);
  }
}
