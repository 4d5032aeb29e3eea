// The memory of our own writes: when the cache counts as up to date, and which names new pods get.

import { beforeEach, describe, expect, it } from '@jest/globals';
import { later } from '../../src/runtime/clock.ts';
import { OwnWrites, type PodNaming } from '../../src/workload/own-writes.ts';
import type { Pod } from '../../src/workload/pod.ts';
import { controllerRevisions, pods } from '../../src/workload/write-context.ts';
import { FakeClock } from '../support/fake-clock.ts';

const owner = { key: 'default/web', uid: 'owner-uid' };
const MINUTE = 60_000;

let clock: FakeClock;
let synced: string | undefined;
let inCache: Set<string>;
let skipped: string[];
let leaked: number;
let remembered: () => number;
let own: OwnWrites;

const naming: PodNaming = { nameWith: (suffix) => `web-${suffix}`, isThere: (name) => inCache.has(name) };

function pod(name: string, more: Partial<Pod['metadata']> = {}): Pod {
  return { metadata: { name, uid: `uid-of-${name}`, resourceVersion: '1', namespace: 'default', ...more } };
}

function seen(name: string): void {
  inCache.add(name);
  own.observe({ type: 'added', object: pod(name), initial: false }, () => [owner.key]);
}

beforeEach(() => {
  clock = new FakeClock();
  synced = '100';
  inCache = new Set();
  skipped = [];
  leaked = 0;
  own = new OwnWrites({
    clock,
    lastSynced: () => synced,
    observer: {
      staleSkip: (groupResource) => skipped.push(groupResource),
      leaked: ({ creations, deletions }) => {
        leaked += creations.length + deletions.length;
      },
      remembers: (owners) => {
        remembered = owners;
      },
    },
  });
});

describe('the cache', () => {
  it('is up to date while nothing was written', () => {
    expect(own.behindUntil(owner)).toBeUndefined();
    expect(skipped).toEqual([]);
  });

  it('is behind until it has reached the version of our write', () => {
    own.wrote(owner, pods, '101');
    expect(own.behindUntil(owner)).toBe(later(clock.now(), 1000));
    expect(skipped).toEqual(['pods']);
    synced = '101';
    expect(own.behindUntil(owner)).toBeUndefined();
  });

  it('is behind until it shows every pod that is to be created', () => {
    const [first, second] = own.expectPods(owner, 'hash', 2, naming) as [string, string];
    expect(own.behindUntil(owner)).toBeDefined();
    seen(first);
    expect(own.behindUntil(owner)).toBeDefined();
    seen(second);
    expect(own.behindUntil(owner)).toBeUndefined();
  });

  it('says of which resource it is behind', () => {
    own.wrote(owner, controllerRevisions, '101');
    own.behindUntil(owner);
    own.forget(owner.key);
    own.expectPods(owner, 'hash', 1, naming);
    own.behindUntil(owner);
    expect(skipped).toEqual(['controllerrevisions.apps', 'pods']);
  });

  it('waits for nothing that was not created', () => {
    const [name] = own.expectPods(owner, 'hash', 1, naming) as [string];
    own.podNotCreated(owner, name);
    expect(own.behindUntil(owner)).toBeUndefined();
  });

  it('is behind until it shows a pod as being deleted, or no longer shows it', () => {
    own.expectDeletions(owner, ['uid-of-a', 'uid-of-b', 'uid-of-c']);
    own.podNotDeleted(owner, 'uid-of-c');
    const going = pod('a', { deletionTimestamp: '2026-01-01T00:00:00Z' });
    own.observe({ type: 'updated', old: pod('a'), object: going, initial: false }, () => [owner.key]);
    expect(own.behindUntil(owner)).toBeDefined();
    own.observe({ type: 'deleted', object: pod('b'), initial: false }, () => [owner.key]);
    expect(own.behindUntil(owner)).toBeUndefined();
  });

  it('is believed again after five minutes, and the leak is counted', async () => {
    own.expectPods(owner, 'hash', 3, naming);
    await clock.advance(5 * MINUTE - 1);
    expect(own.behindUntil(owner)).toBeDefined();
    expect(leaked).toBe(0);
    await clock.advance(1);
    expect(own.behindUntil(owner)).toBeUndefined();
    expect(leaked).toBe(3);
  });

  it('owes nothing to a former owner of the name, not even what its last reconcile began after it was gone', () => {
    own.forget(owner.key);
    own.expectDeletions(owner, ['uid-of-a']);
    expect(own.behindUntil({ ...owner, uid: 'new-uid' })).toBeUndefined();
  });

  it('has seen what it never shows, once it has come as far as the answer to the create', () => {
    const [name] = own.expectPods(owner, 'hash', 1, naming) as [string];
    own.wrote(owner, pods, '101');
    own.podCreated(owner, name, '101');
    expect(own.behindUntil(owner)).toBeDefined();
    synced = '101';
    expect(own.behindUntil(owner)).toBeUndefined();
  });

  it.each([undefined, 'v101', '101-a'])(
    'has to show a pod whose create was answered with the version %s',
    (version) => {
      const [name] = own.expectPods(owner, 'hash', 1, naming) as [string];
      own.podCreated(owner, name, version);
      expect(own.behindUntil(owner)).toBeDefined();
      seen(name);
      expect(own.behindUntil(owner)).toBeUndefined();
    },
  );

  it('has to show a pod again that is made again under the same name', () => {
    const makeAgain = () => {
      own.expectNamedPods(owner, ['web-node-1']);
      return own.behindUntil(owner);
    };
    makeAgain();
    own.podCreated(owner, 'web-node-1', '100');
    expect(own.behindUntil(owner)).toBeUndefined();
    expect(makeAgain()).toBeDefined();
    own.podCreated(owner, 'web-node-1', '100');
    own.forget(owner.key);
    expect(makeAgain()).toBeDefined();
  });

  it('is behind although a pod that is to be deleted changed in another way', () => {
    own.expectDeletions(owner, ['uid-of-a']);
    own.observe({ type: 'updated', old: pod('a'), object: pod('a'), initial: false }, () => [owner.key]);
    expect(own.behindUntil(owner)).toBeDefined();
  });

  it('owes nothing to an owner that is gone', () => {
    own.expectPods(owner, 'hash', 1, naming);
    own.wrote(owner, pods, '999');
    own.forget(owner.key);
    expect(own.behindUntil(owner)).toBeUndefined();
  });
});

describe('what is remembered', () => {
  it('is released when the cache shows all that was written', () => {
    const [name] = own.expectPods(owner, 'hash', 1, naming) as [string];
    own.wrote(owner, pods, '101');
    expect(remembered()).toBe(1);
    seen(name);
    synced = '101';
    own.behindUntil(owner);
    expect(remembered()).toBe(0);
  });

  it.each<{ name: string; write: () => void }>([
    { name: 'a create that may have succeeded', write: () => lose(own.expectPods(owner, 'hash', 1, naming)) },
    { name: 'a record that may have been written', write: () => own.recordPerhapsWritten(owner, 'web-1') },
    { name: 'that something had changed', write: () => own.outdated(owner) },
  ])('stays while it matters: $name', ({ write }) => {
    write();
    own.behindUntil(owner);
    expect(remembered()).toBe(1);
  });

  it.each<{ name: string; write: () => void }>([
    { name: 'a version', write: () => own.wrote(owner, pods, '999') },
    { name: 'pods on their way', write: () => own.expectPods(owner, 'hash', 2, naming) },
    { name: 'named pods on their way', write: () => own.expectNamedPods(owner, ['web-1']) },
    { name: 'pods that are to go', write: () => own.expectDeletions(owner, ['uid-of-a']) },
    { name: 'the answer to a create', write: () => own.podCreated(owner, 'web-1', '101') },
    { name: 'a create without an answer', write: () => lose(own.expectPods(owner, 'hash', 1, naming)) },
    { name: 'a record without an answer', write: () => own.recordPerhapsWritten(owner, 'web-1') },
    { name: 'a pod that changed', write: () => own.podChanged(owner, 'uid-of-a') },
  ])('goes with the owner, and with the next one of its name: $name', ({ write }) => {
    write();
    own.forget(owner.key);
    expect(remembered()).toBe(0);
    expect([own.behindUntil(owner), own.doubtsOf(owner), own.wasOutdated(owner)]).toEqual([undefined, [], false]);
    write();
    const next = { ...owner, uid: 'new-uid' };
    own.behindUntil(next);
    expect([own.doubtsOf(next), own.wasOutdated(next)]).toEqual([[], false]);
    expect(remembered()).toBe(0);
  });

  function lose(names: readonly string[]): void {
    for (const name of names) own.podPerhapsCreated(owner, name, 'hash');
  }
});

it('says once that a pod had changed before it could be deleted', () => {
  own.expectDeletions(owner, ['uid-of-a']);
  own.podChanged(owner, 'uid-of-a');
  expect(own.behindUntil(owner)).toBeUndefined();
  expect([own.wasOutdated(owner), own.wasOutdated(owner)]).toEqual([true, false]);
});

describe('what nobody knows', () => {
  const ownerReferences = [{ apiVersion: '', kind: 'MyDeployment', name: 'web', uid: owner.uid, controller: true }];
  const ours = (more: Partial<Pod['metadata']> = {}): Pod => pod('a', { ownerReferences, ...more });
  const inDoubt = (): void => {
    own.expectDeletions(owner, ['uid-of-a']);
    own.podPerhapsDeleted(owner, { name: 'a', uid: 'uid-of-a' });
  };

  it('is known when the pod turns out to have been created', () => {
    const [name] = own.expectPods(owner, 'hash', 1, naming) as [string];
    own.podPerhapsCreated(owner, name, 'hash');
    expect(own.doubtsOf(owner)).toEqual([{ of: 'create', name }]);
    own.podCreated(owner, name);
    expect(own.doubtsOf(owner)).toEqual([]);
  });

  it('is known when the cache shows that the pod is going, or gone, and not before', () => {
    const updated = (object: Pod) =>
      own.observe({ type: 'updated', old: ours(), object, initial: false }, () => [owner.key]);
    inDoubt();
    updated(ours());
    expect(own.doubtsOf(owner)).toHaveLength(1);
    updated(ours({ deletionTimestamp: '2026-01-01T00:00:00Z' }));
    expect(own.doubtsOf(owner)).toEqual([]);
    inDoubt();
    own.observe({ type: 'deleted', object: ours(), initial: false }, () => [owner.key]);
    expect(own.doubtsOf(owner)).toEqual([]);
  });

  it('was known before, when the watch was quicker than the answer', () => {
    own.expectDeletions(owner, ['uid-of-a']);
    own.observe({ type: 'deleted', object: ours(), initial: false }, () => [owner.key]);
    own.podPerhapsDeleted(owner, { name: 'a', uid: 'uid-of-a' });
    expect(own.doubtsOf(owner)).toEqual([]);
  });

  it('is of no interest when the owner is gone', () => {
    const [name] = own.expectPods(owner, 'hash', 1, naming) as [string];
    own.podPerhapsCreated(owner, name, 'hash');
    own.outdated(owner);
    own.forget(owner.key);
    expect(own.doubtsOf(owner)).toEqual([]);
    expect(own.wasOutdated(owner)).toBe(false);
    expect(own.expectPods(owner, 'hash', 1, naming)).not.toEqual([name]);
  });
});

describe('names of new pods', () => {
  it('differ from each other and from what is there', () => {
    const names = own.expectPods(owner, 'hash', 500, naming);
    expect(new Set(names).size).toBe(500);
    for (const name of names) expect(name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it('skip one that the cache already shows', () => {
    const letters = [0, 0, 0, 0, 0, 0.5, 0.5, 0.5, 0.5, 0.5];
    own = new OwnWrites({ clock, lastSynced: () => undefined, random: () => letters.shift() ?? 0.9 });
    inCache.add('web-bbbbb');
    expect(own.expectPods(owner, 'hash', 1, naming)).toEqual(['web-rrrrr']);
  });

  it('skip one that was chosen just now', () => {
    const letters = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0.5, 0.5, 0.5, 0.5];
    own = new OwnWrites({ clock, lastSynced: () => undefined, random: () => letters.shift() ?? 0.9 });
    expect(own.expectPods(owner, 'hash', 2, naming)).toEqual(['web-bbbbb', 'web-rrrrr']);
  });

  it('begin with those whose create got no answer, so that no pod is made twice', () => {
    const lost = own.expectPods(owner, 'hash', 3, naming);
    for (const name of lost) own.podPerhapsCreated(owner, name, 'hash');
    expect(own.behindUntil(owner)).toBeUndefined();
    expect(own.expectPods(owner, 'hash', 2, naming)).toEqual(lost.slice(0, 2));
    expect(own.expectPods(owner, 'hash', 4, naming).slice(0, 3)).toEqual(lost);
  });

  it('of another revision are new', () => {
    const lost = own.expectPods(owner, 'old', 1, naming);
    own.podPerhapsCreated(owner, lost[0] as string, 'old');
    expect(own.expectPods(owner, 'new', 1, naming)).not.toEqual(lost);
    expect(own.expectPods(owner, 'old', 1, naming)).toEqual(lost);
  });

  it('are not used again when their pod was seen and is gone, before the answer was lost or after', () => {
    const [before, after] = own.expectPods(owner, 'hash', 2, naming) as [string, string];
    const ownerReferences = [{ apiVersion: '', kind: 'MyDeployment', name: 'web', uid: owner.uid, controller: true }];
    const isGone = (name: string) =>
      own.observe({ type: 'deleted', object: pod(name, { ownerReferences }), initial: false }, () => [owner.key]);
    isGone(before);
    own.podPerhapsCreated(owner, before, 'hash');
    own.podPerhapsCreated(owner, after, 'hash');
    isGone(after);
    const next = own.expectPods(owner, 'hash', 2, naming);
    for (const name of [before, after]) expect(next).not.toContain(name);
  });

  it('are not used again once their pod has shown up', () => {
    const [shown, created] = own.expectPods(owner, 'hash', 2, naming) as [string, string];
    for (const name of [shown, created]) own.podPerhapsCreated(owner, name, 'hash');
    inCache.add(shown);
    own.podCreated(owner, created);
    const next = own.expectPods(owner, 'hash', 2, naming);
    for (const name of [shown, created]) expect(next).not.toContain(name);
    inCache.delete(shown);
    expect(own.expectPods(owner, 'hash', 2, naming)).not.toContain(shown);
  });

  it('are used again after a second attempt was refused, or not made: the first may have made a pod', () => {
    const [name] = own.expectPods(owner, 'hash', 1, naming) as [string];
    own.podPerhapsCreated(owner, name, 'hash');
    expect(own.expectPods(owner, 'hash', 1, naming)).toEqual([name]);
    own.podNotCreated(owner, name);
    expect(own.expectPods(owner, 'hash', 1, naming)).toEqual([name]);
  });
});
