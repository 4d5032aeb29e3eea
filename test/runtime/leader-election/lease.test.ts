import { describe, expect, it } from '@jest/globals';
import { claimed, type LeaseSpec, leases, released, renewed } from '../../../src/runtime/leader-election/lease.ts';

const holder = { identity: 'me', leaseSeconds: 15 };
const wallMs = Date.UTC(2026, 4, 17, 8, 5, 3, 42);
const now = '2026-05-17T08:05:03.042000Z';

const previous: LeaseSpec = {
  holderIdentity: 'other',
  leaseDurationSeconds: 30,
  acquireTime: '2026-01-01T00:00:00.000000Z',
  renewTime: '2026-01-02T00:00:00.000000Z',
  leaseTransitions: 4,
};

describe('the record of a lease', () => {
  it('is where client-go has it', () => {
    expect(leases).toEqual({
      group: 'coordination.k8s.io',
      version: 'v1',
      kind: 'Lease',
      plural: 'leases',
      namespaced: true,
    });
  });

  it('of a first holder counts no transition', () => {
    expect(claimed(undefined, holder, wallMs)).toEqual({
      holderIdentity: 'me',
      leaseDurationSeconds: 15,
      acquireTime: now,
      renewTime: now,
      leaseTransitions: 0,
    });
  });

  it('of a later holder counts one more transition', () => {
    expect(claimed(previous, holder, wallMs)).toMatchObject({
      holderIdentity: 'me',
      acquireTime: now,
      leaseTransitions: 5,
    });
    expect(claimed({}, holder, wallMs).leaseTransitions).toBe(1);
  });

  it('keeps when it was acquired while it is renewed', () => {
    const ours = { ...previous, holderIdentity: 'me' };
    expect(renewed(ours, holder, wallMs)).toEqual({ ...ours, leaseDurationSeconds: 15, renewTime: now });
  });

  it('names nobody and holds up nobody once released', () => {
    expect(released(previous, wallMs)).toEqual({
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: now,
      renewTime: now,
      leaseTransitions: 4,
    });
  });
});
