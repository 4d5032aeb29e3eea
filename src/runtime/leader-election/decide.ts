// Decides what a replica does about the lease that it has read. Pure.
//
// Clocks of different machines are never compared: a candidate measures, with its own clock, for how long it has seen
// the same record. A lease is taken over only when its record has not changed for the whole lease duration.

import { type Instant, msBetween } from '../instant.ts';
import type { LeaseSpec } from './lease.ts';

/** A record, and when this replica first saw it in this form. */
export interface ObservedLease {
  readonly record: LeaseSpec;
  readonly seenAt: Instant;
}

export type Decision =
  /** Write the record with this replica as the holder. */
  | 'acquire'
  /** This replica holds it: renew it. */
  | 'renew'
  /** Another replica holds it. */
  | 'wait'
  /** This replica held it, and another one holds it now. */
  | 'lost';

export interface Candidate {
  readonly identity: string;
  /** True from acquiring the lease until losing or releasing it. */
  readonly leading: boolean;
  /** Used for records without a duration. */
  readonly leaseSeconds: number;
}

/** The same value while the record stays the same, whatever else in the object changes. */
export function observe(previous: ObservedLease | undefined, record: LeaseSpec, now: Instant): ObservedLease {
  return previous !== undefined && isSameRecord(previous.record, record) ? previous : { record, seenAt: now };
}

/** What to do about the lease as it was last observed; undefined when there is none. */
export function decide(candidate: Candidate, observed: ObservedLease | undefined, now: Instant): Decision {
  if (observed === undefined) return 'acquire';
  const { holderIdentity, leaseDurationSeconds } = observed.record;
  // Held by this replica although it does not lead: the response to an earlier acquire was lost.
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
