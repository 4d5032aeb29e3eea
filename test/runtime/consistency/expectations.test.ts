import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Change } from '../../../src/runtime/cache/informer.ts';
import { Expectations, type Pending } from '../../../src/runtime/consistency/expectations.ts';
import type { KubeObject, ObjectMeta } from '../../../src/runtime/object.ts';
import { FakeClock } from '../../support/fake-clock.ts';

let clock: FakeClock;
let leaks: Pending[];
let expectations: Expectations;

beforeEach(() => {
  clock = new FakeClock();
  leaks = [];
  expectations = new Expectations({ clock, ttlMs: 30_000, onLeak: (pending) => leaks.push(pending) });
});

function names(count: number, prefix: string): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
}

function pod(metadata: Partial<ObjectMeta> = {}): KubeObject {
  return { metadata: { name: 'pod', uid: 'uid-pod', resourceVersion: '1', ...metadata } };
}

// The cases of TestControllerExpectations, with names in the place of counts.
describe('TestControllerExpectations', () => {
  it('Expectations have been surpassed', () => {
    const creations = names(10, 'new');
    const deletions = names(30, 'uid');
    expectations.expectCreations(creations);
    expectations.expectDeletions(deletions);
    for (const name of [...creations, 'one-too-many']) expectations.lowerCreation(name);
    expect(expectations.satisfied()).toBe(false);
    for (const uid of [...deletions, 'one-too-many']) expectations.lowerDeletion(uid);
    expect(expectations.satisfied()).toBe(true);
    expect(expectations.pending).toEqual({ creations: [], deletions: [] });
    expect(leaks).toEqual([]);
  });

  it('A creation and a deletion do not make up for each other', () => {
    expectations.expectCreations(['new']);
    expectations.expectDeletions(['uid']);
    expect(expectations.satisfied()).toBe(false);
  });

  it('Old expectations are cleared because of ttl', async () => {
    expectations.expectCreations(['a']);
    expectations.expectDeletions(['u1', 'u2']);
    await clock.advance(29_999);
    expect(expectations.satisfied()).toBe(false);
    await clock.advance(1);
    expect(expectations.satisfied()).toBe(true);
    expect(expectations.satisfied()).toBe(true);
    expect(leaks).toEqual([{ creations: ['a'], deletions: ['u1', 'u2'] }]);
  });
});

// The cases of TestUIDExpectations.
describe('TestUIDExpectations', () => {
  it.each([
    { name: 'Replication controller with 2 replicas', replicas: 2 },
    { name: 'Replication controller with 1 replica', replicas: 1 },
    { name: 'Replication controller with no replicas', replicas: 0 },
    { name: 'Replication controller with 5 replicas', replicas: 5 },
  ])('$name', ({ replicas }) => {
    const uids = names(5, `pod-of-${replicas}`);
    expectations.expectDeletions(uids);
    expect(expectations.satisfied()).toBe(false);
    for (const uid of uids) expectations.lowerDeletion(uid);
    expect(expectations.satisfied()).toBe(true);
    expect(expectations.isEmpty).toBe(true);
  });
});

describe('Expectations.observe', () => {
  const observed: readonly { name: string; change: Change<KubeObject>; left: Pending }[] = [
    {
      name: 'a created object',
      change: { type: 'added', object: pod({ name: 'new', uid: 'uid-new' }), initial: false },
      left: { creations: [], deletions: ['uid-old'] },
    },
    {
      name: 'the removal of an object',
      change: { type: 'deleted', object: pod({ name: 'old', uid: 'uid-old' }), initial: false },
      left: { creations: ['new'], deletions: [] },
    },
    {
      name: 'an object that begins to terminate',
      change: {
        type: 'updated',
        old: pod({ name: 'old', uid: 'uid-old' }),
        object: pod({ name: 'old', uid: 'uid-old', deletionTimestamp: '2026-01-01T00:00:00Z' }),
        initial: false,
      },
      left: { creations: ['new'], deletions: [] },
    },
    {
      name: 'an object that is terminating when it is first seen',
      change: {
        type: 'added',
        object: pod({ name: 'old', uid: 'uid-old', deletionTimestamp: '2026-01-01T00:00:00Z' }),
        initial: true,
      },
      left: { creations: ['new'], deletions: [] },
    },
    {
      name: 'the removal of a created object that was never seen',
      change: { type: 'deleted', object: pod({ name: 'new', uid: 'uid-new' }), initial: false },
      left: { creations: [], deletions: ['uid-old'] },
    },
    {
      name: 'not an update that leaves the object alive',
      change: {
        type: 'updated',
        old: pod({ name: 'old', uid: 'uid-old' }),
        object: pod({ name: 'old', uid: 'uid-old' }),
        initial: false,
      },
      left: { creations: ['new'], deletions: ['uid-old'] },
    },
    {
      name: 'not the removal of another object of the same name',
      change: { type: 'deleted', object: pod({ name: 'old', uid: 'uid-older' }), initial: false },
      left: { creations: ['new'], deletions: ['uid-old'] },
    },
  ];

  it.each(observed)('sees $name', ({ change, left }) => {
    expectations.expectCreations(['new']);
    expectations.expectDeletions(['uid-old']);
    expectations.observe(change);
    expect(expectations.pending).toEqual(left);
  });

  it('counts nothing twice', () => {
    expectations.expectDeletions(['uid-a', 'uid-b']);
    for (let i = 0; i < 3; i++) {
      expectations.observe({ type: 'deleted', object: pod({ uid: 'uid-a' }), initial: false });
    }
    expect(expectations.pending.deletions).toEqual(['uid-b']);
  });
});

describe('Expectations', () => {
  it('are satisfied where nothing is expected', () => {
    expect(expectations.satisfied()).toBe(true);
  });

  it('are lowered by a request that failed', () => {
    expectations.expectCreations(['a', 'b']);
    expectations.lowerCreation('a');
    expectations.lowerCreation('b');
    expect(expectations.satisfied()).toBe(true);
  });

  it('may be fulfilled before the answer to the request arrives', () => {
    expectations.expectCreations(['pod']);
    expectations.observe({ type: 'added', object: pod(), initial: false });
    expectations.lowerCreation('pod');
    expect(expectations.satisfied()).toBe(true);
  });

  it('know what they expect by name and by UID', () => {
    expectations.expectCreations(['a']);
    expectations.expectDeletions(['u']);
    expect([expectations.expectsCreation('a'), expectations.expectsCreation('u')]).toEqual([true, false]);
    expect([expectations.expectsDeletion('u'), expectations.expectsDeletion('a')]).toEqual([true, false]);
  });

  it('live for as long again after each request', async () => {
    expectations.expectCreations(['a']);
    await clock.advance(10_000);
    expectations.expectDeletions(['u']);
    await clock.advance(29_999);
    expect(expectations.satisfied()).toBe(false);
    await clock.advance(1);
    expect(expectations.satisfied()).toBe(true);
  });

  it('live for five minutes unless told otherwise', async () => {
    const usual = new Expectations({ clock });
    usual.expectCreations(['a']);
    await clock.advance(299_999);
    expect(usual.satisfied()).toBe(false);
    await clock.advance(1);
    expect(usual.satisfied()).toBe(true);
  });
});
