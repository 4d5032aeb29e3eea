// The record that leaders and candidates share: a coordination.k8s.io/v1 Lease, written as client-go writes it, so that
// kubectl and operators in Go read it as one of their own.

import type { KubeObject } from '../object.ts';
import type { Resource } from '../resource.ts';

export interface LeaseSpec {
  /** Empty or absent: nobody holds the lease. */
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  /** By the holder's clock, for people to read: nobody decides by it. */
  readonly acquireTime?: string;
  /** By the holder's clock; that it changes is what others look at. */
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

export interface Lease extends KubeObject {
  readonly spec?: LeaseSpec;
}

export const leases: Resource<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

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

/** The record by which the holder gives the lease away: no holder, and a duration so short that it holds up nobody. */
export function released(previous: LeaseSpec, wallMs: number): LeaseSpec {
  const now = microTime(wallMs);
  return { ...previous, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
}

/** Kubernetes' MicroTime: RFC 3339 with six fractional digits, of which our clock fills three. */
function microTime(wallMs: number): string {
  return new Date(wallMs).toISOString().replace('Z', '000Z');
}
