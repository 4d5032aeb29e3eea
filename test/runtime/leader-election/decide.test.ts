import { describe, expect, it } from '@jest/globals';
import { toInstant as at } from '../../../src/runtime/instant.ts';
import { type Candidate, decide, observe } from '../../../src/runtime/leader-election/decide.ts';
import type { LeaseSpec } from '../../../src/runtime/leader-election/lease.ts';

const standby: Candidate = { identity: 'me', leading: false, leaseSeconds: 15 };
const leader: Candidate = { ...standby, leading: true };

const theirs: LeaseSpec = { holderIdentity: 'other', leaseDurationSeconds: 15, renewTime: 'a' };
const ours: LeaseSpec = { ...theirs, holderIdentity: 'me' };
const nobodys: LeaseSpec = { ...theirs, holderIdentity: '', leaseDurationSeconds: 1 };

describe('what a look at the lease means', () => {
  it.each([
    { name: 'no lease, standing by', candidate: standby, record: undefined, agoMs: 0, decision: 'acquire' },
    { name: 'no lease, leading', candidate: leader, record: undefined, agoMs: 0, decision: 'acquire' },
    { name: 'nobody holds it, standing by', candidate: standby, record: nobodys, agoMs: 0, decision: 'acquire' },
    { name: 'empty record, standing by', candidate: standby, record: {}, agoMs: 0, decision: 'acquire' },
    { name: 'nobody holds it any more, leading', candidate: leader, record: nobodys, agoMs: 0, decision: 'lost' },
    { name: 'ours, leading', candidate: leader, record: ours, agoMs: 0, decision: 'renew' },
    { name: 'ours, claim unanswered', candidate: standby, record: ours, agoMs: 0, decision: 'renew' },
    { name: 'theirs, just seen', candidate: standby, record: theirs, agoMs: 0, decision: 'wait' },
    { name: 'theirs, unchanged almost too long', candidate: standby, record: theirs, agoMs: 14_999, decision: 'wait' },
    { name: 'theirs, unchanged too long', candidate: standby, record: theirs, agoMs: 15_000, decision: 'acquire' },
    { name: 'theirs, leading', candidate: leader, record: theirs, agoMs: 0, decision: 'lost' },
    { name: 'theirs, expired, leading', candidate: leader, record: theirs, agoMs: 60_000, decision: 'lost' },
    {
      name: 'theirs, with a longer lease than ours',
      candidate: standby,
      record: { ...theirs, leaseDurationSeconds: 60 },
      agoMs: 59_999,
      decision: 'wait',
    },
    {
      name: 'theirs, without a duration',
      candidate: standby,
      record: { holderIdentity: 'other' },
      agoMs: 15_000,
      decision: 'acquire',
    },
  ])('$name: $decision', ({ candidate, record, agoMs, decision }) => {
    const now = 1_000_000;
    const observed = record === undefined ? undefined : { record, seenAt: at(now - agoMs) };
    expect(decide(candidate, observed, at(now))).toBe(decision);
  });
});

describe('how long a record has been seen', () => {
  it('counts from the first time it was just so', () => {
    const first = observe(undefined, theirs, at(100));
    expect(first).toEqual({ record: theirs, seenAt: 100 });
    expect(observe(first, { ...theirs }, at(200))).toBe(first);
  });

  it.each<{ change: Partial<LeaseSpec> }>([
    { change: { renewTime: 'b' } },
    { change: { acquireTime: 'b' } },
    { change: { holderIdentity: 'third' } },
    { change: { leaseDurationSeconds: 16 } },
    { change: { leaseTransitions: 1 } },
  ])('counts anew when it changes: $change', ({ change }) => {
    const record = { ...theirs, ...change };
    expect(observe(observe(undefined, theirs, at(100)), record, at(200))).toEqual({ record, seenAt: 200 });
  });

  it('does not depend on the times that the holder wrote into it', () => {
    const fromTheFuture = { ...theirs, renewTime: '2999-01-01T00:00:00.000000Z' };
    const observed = observe(undefined, fromTheFuture, at(0));
    expect(decide(standby, observed, at(14_999))).toBe('wait');
    expect(decide(standby, observed, at(15_000))).toBe('acquire');
  });
});
