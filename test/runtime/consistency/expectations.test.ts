import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Change } from '../../../src/runtime/cache/informer.ts';
import { later } from '../../../src/runtime/clock.ts';
import { Expectations, type Pending } from '../../../src/runtime/consistency/expectations.ts';
import type { KubeObject, ObjectMeta } from '../../../src/runtime/object.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const owner = { key: 'ns/owner', uid: 'uid-1' };

let clock: FakeClock;
let leaks: { key: string; pending: Pending }[];
let expectations: Expectations;

beforeEach(() => {
  clock = new FakeClock();
  leaks = [];
  expectations = new Expectations({ clock, ttlMs: 30_000, onLeak: (key, pending) => leaks.push({ key, pending }) });
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
    expectations.expectCreations(owner, creations);
    expectations.expectDeletions(owner, deletions);
    for (const name of [...creations, 'one-too-many']) expectations.lowerCreation(owner.key, name);
    expect(expectations.satisfied(owner.key)).toBe(false);
    for (const uid of [...deletions, 'one-too-many']) expectations.lowerDeletion(owner.key, uid);
    expect(expectations.satisfied(owner.key)).toBe(true);
    expect(expectations.pending(owner.key)).toEqual({ creations: [], deletions: [] });
    expect(leaks).toEqual([]);
  });

  it('A creation and a deletion do not make up for each other', () => {
    expectations.expectCreations(owner, ['new']);
    expectations.expectDeletions(owner, ['uid']);
    expect(expectations.satisfied(owner.key)).toBe(false);
  });

  it('Old expectations are cleared because of ttl', async () => {
    expectations.expectCreations(owner, ['a']);
    expectations.expectDeletions(owner, ['u1', 'u2']);
    await clock.advance(29_999);
    expect(expectations.satisfied(owner.key)).toBe(false);
    await clock.advance(1);
    expect(expectations.satisfied(owner.key)).toBe(true);
    expect(expectations.satisfied(owner.key)).toBe(true);
    expect(leaks).toEqual([{ key: owner.key, pending: { creations: ['a'], deletions: ['u1', 'u2'] } }]);
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
    const rc = { key: `ns/rc-${replicas}`, uid: `uid-${replicas}` };
    const uids = names(5, `pod-of-${replicas}`);
    expectations.expectDeletions(rc, uids);
    expect(expectations.satisfied(rc.key)).toBe(false);
    for (const uid of uids) expectations.lowerDeletion(rc.key, uid);
    expect(expectations.satisfied(rc.key)).toBe(true);
    expect(expectations.expiresAt(rc.key)).toBeUndefined();
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
    expectations.expectCreations(owner, ['new']);
    expectations.expectDeletions(owner, ['uid-old']);
    expectations.observe(owner.key, change);
    expect(expectations.pending(owner.key)).toEqual(left);
  });

  it('counts nothing twice', () => {
    expectations.expectDeletions(owner, ['uid-a', 'uid-b']);
    for (let i = 0; i < 3; i++) {
      expectations.observe(owner.key, { type: 'deleted', object: pod({ uid: 'uid-a' }), initial: false });
    }
    expect(expectations.pending(owner.key).deletions).toEqual(['uid-b']);
  });
});

describe('Expectations', () => {
  it('are satisfied where nothing is expected', () => {
    expect(expectations.satisfied('ns/unknown')).toBe(true);
  });

  it('are lowered by a request that failed', () => {
    expectations.expectCreations(owner, ['a', 'b']);
    expectations.lowerCreation(owner.key, 'a');
    expectations.lowerCreation(owner.key, 'b');
    expect(expectations.satisfied(owner.key)).toBe(true);
  });

  it('may be fulfilled before the answer to the request arrives', () => {
    expectations.expectCreations(owner, ['pod']);
    expectations.observe(owner.key, { type: 'added', object: pod(), initial: false });
    expectations.lowerCreation(owner.key, 'pod');
    expect(expectations.satisfied(owner.key)).toBe(true);
  });

  it('do not pass from an owner to the next one of the same name', () => {
    expectations.expectCreations(owner, ['a']);
    expectations.expectCreations({ ...owner, uid: 'uid-2' }, ['b']);
    expect(expectations.pending(owner.key).creations).toEqual(['b']);
  });

  it("of one owner are none of another owner's business", () => {
    expectations.expectCreations(owner, ['a']);
    expectations.expectCreations({ key: 'ns/other', uid: 'u' }, ['a']);
    expectations.lowerCreation('ns/other', 'a');
    expect(expectations.satisfied(owner.key)).toBe(false);
    expect(expectations.satisfied('ns/other')).toBe(true);
  });

  it.each([
    { name: 'whoever it was', uid: undefined, left: [] },
    { name: 'this one', uid: 'uid-1', left: [] },
    { name: 'not one that has gone before', uid: 'uid-0', left: ['a'] },
  ])('are forgotten with their owner: $name', ({ uid, left }) => {
    expectations.expectCreations(owner, ['a']);
    expectations.forget(owner.key, uid);
    expect(expectations.pending(owner.key).creations).toEqual(left);
  });

  it('say when to look again, counted from the last request', async () => {
    expectations.expectCreations(owner, ['a']);
    await clock.advance(10_000);
    expectations.expectDeletions(owner, ['u']);
    expect(expectations.expiresAt(owner.key)).toBe(later(clock.now(), 30_000));
    expect(expectations.expiresAt('ns/unknown')).toBeUndefined();
  });

  it('live for five minutes unless told otherwise', async () => {
    const usual = new Expectations({ clock });
    usual.expectCreations(owner, ['a']);
    await clock.advance(299_999);
    expect(usual.satisfied(owner.key)).toBe(false);
    await clock.advance(1);
    expect(usual.satisfied(owner.key)).toBe(true);
  });
});
