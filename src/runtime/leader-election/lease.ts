// The record that leader and candidates share: a coordination.k8s.io/v1 Lease in the format of client-go, so that
// kubectl and operators in Go can read it.

import * as builtIn from '../built-in.ts';
import type { KubeObject } from '../object.ts';
import type { Resource } from '../resource.ts';

export interface LeaseSpec {
  /** Empty or absent when the lease has no holder. */
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  /** By the holder's clock, for display: no decision depends on it. */
  readonly acquireTime?: string;
  /** By the holder's clock; candidates only check whether it changes. */
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

export interface Lease extends KubeObject {
  readonly spec?: LeaseSpec;
}

export const leases: Resource<Lease> = builtIn.leases;

export interface Holder {
  readonly identity: string;
  readonly leaseSeconds: number;
}

/** The record by which `holder` takes the lease over, or takes it first. */
export function claimed(previous: LeaseSpec | undefined, holder: Holder, wallMs: number): LeaseSpec {
  const now = microTime(wallMs);
  return {
    holderIdentity: holder.identity,
    leaseDurationSeconds: holder.leaseSeconds,
    acquireTime: now,
    renewTime: now,
    leaseTransitions: previous === undefined ? 0 : (previous.leaseTransitions ?? 0) + 1,
  };
}

/** The record by which the holder keeps the lease. */
export function renewed(previous: LeaseSpec, holder: Holder, wallMs: number): LeaseSpec {
  return { ...previous, leaseDurationSeconds: holder.leaseSeconds, renewTime: microTime(wallMs) };
}

/** The record that releases the lease: no holder, and a duration so short that no candidate waits for it. */
export function released(previous: LeaseSpec, wallMs: number): LeaseSpec {
  const now = microTime(wallMs);
  return { ...previous, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
}

/** Kubernetes' MicroTime: RFC 3339 with six fractional digits, of which the clock of JavaScript fills three. */
function microTime(wallMs: number): string {
  return new Date(wallMs).toISOString().replace('Z', '000Z');
}
