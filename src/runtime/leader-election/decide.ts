// Decides what one look at the lease means for us. Pure.
//
// Clocks of different machines are never compared: a candidate measures, on its own clock, for how long it has seen the
// same record. Only a record that stood still for the whole lease duration is taken from its holder.

import { type Instant, msBetween } from '../instant.ts';
import type { LeaseSpec } from './lease.ts';

/** A record, and when we first saw it just so. */
export interface ObservedLease {
  readonly record: LeaseSpec;
  readonly seenAt: Instant;
}

export type Decision =
  /** Write the record with ourselves as holder. */
  | 'acquire'
  /** It is ours: write it with a new renewTime. */
  | 'renew'
  /** Somebody else has it. */
  | 'wait'
  /** We had it, and somebody else has it now. */
  | 'lost';

export interface Candidate {
  readonly identity: string;
  /** True from acquiring until losing or releasing. */
  readonly leading: boolean;
  /** Counts for records that do not say how long they are valid. */
  readonly leaseSeconds: number;
}

/** The same observed as long as the record stays the same, whatever else about the object changes. */
export function observe(previous: ObservedLease | undefined, record: LeaseSpec, now: Instant): ObservedLease {
  return previous !== undefined && isSameRecord(previous.record, record) ? previous : { record, seenAt: now };
}

/** What to do about the lease as it was last seen; undefined when there is none. */
export function decide(candidate: Candidate, observed: ObservedLease | undefined, now: Instant): Decision {
  if (observed === undefined) return 'acquire';
  const { holderIdentity, leaseDurationSeconds } = observed.record;
  // Ours although we do not lead: the answer to an earlier claim of ours was lost.
  if (holderIdentity === candidate.identity) return 'renew';
  if (candidate.leading) return 'lost';
  if (!holderIdentity) return 'acquire';
  const lastsMs = (leaseDurationSeconds ?? candidate.leaseSeconds) * 1_000;
  return msBetween(observed.seenAt, now) < lastsMs ? 'wait' : 'acquire';
}

function isSameRecord(a: LeaseSpec, b: LeaseSpec): boolean {
  return (
    a.holderIdentity === b.holderIdentity &&
    a.renewTime === b.renewTime &&
    a.acquireTime === b.acquireTime &&
    a.leaseDurationSeconds === b.leaseDurationSeconds &&
    a.leaseTransitions === b.leaseTransitions
  );
}
