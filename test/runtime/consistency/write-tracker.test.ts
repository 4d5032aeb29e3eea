// The memory of our own writes: when the cache counts as up to date, and which names new pods get.

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Misfit, Naming, OwnerWrites } from '../../../src/runtime/consistency/owner-writes.ts';
import { WriteTracker } from '../../../src/runtime/consistency/write-tracker.ts';
import { later } from '../../../src/runtime/instant.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { nameSuffix } from '../../../src/workload/pod-name.ts';
import { controllerRevisions, pods } from '../../../src/workload/write-context.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const owner = { key: 'default/web', uid: 'owner-uid' };
const MINUTE = 60_000;

let clock: FakeClock;
let synced: string | undefined;
let inCache: Set<string>;
let random: () => number;
let skipped: string[];
let leaked: number;
let remembered: () => number;
let tracker: WriteTracker;
let writes: OwnerWrites;

const naming: Naming = { next: () => `web-${nameSuffix(random)}`, isThere: (name) => inCache.has(name) };

function pod(name: string, more: Partial<Pod['metadata']> = {}): Pod {
  return { metadata: { name, uid: `uid-of-${name}`, resourceVersion: '1', namespace: 'default', ...more } };
}

function seen(name: string): void {
  inCache.add(name);
  tracker.observe({ type: 'added', object: pod(name), initial: false }, () => [owner.key]);
}

beforeEach(() => {
  clock = new FakeClock();
  synced = '100';
  inCache = new Set();
  random = Math.random;
  skipped = [];
  leaked = 0;
  tracker = new WriteTracker({
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
  writes = tracker.of(owner);
});

describe('the cache', () => {
  it('is up to date while nothing was written', () => {
    expect(writes.behindUntil()).toBeUndefined();
    expect(skipped).toEqual([]);
  });

  it('is behind until it has reached the version of our write', () => {
    writes.wrote(pods, '101');
    expect(writes.behindUntil()).toBe(later(clock.now(), 1000));
    expect(skipped).toEqual(['pods']);
    synced = '101';
    expect(writes.behindUntil()).toBeUndefined();
  });

  it('is behind until it shows every pod that is to be created', () => {
    const [first, second] = writes.expectNewObjects('hash', 2, naming) as [string, string];
    expect(writes.behindUntil()).toBeDefined();
    seen(first);
    expect(writes.behindUntil()).toBeDefined();
    seen(second);
    expect(writes.behindUntil()).toBeUndefined();
  });

  it('says of which resource it is behind', () => {
    writes.wrote(controllerRevisions, '101');
    writes.behindUntil();
    tracker.forget(owner.key);
    writes.expectNewObjects('hash', 1, naming);
    writes.behindUntil();
    expect(skipped).toEqual(['controllerrevisions.apps', 'pods']);
  });

  it('waits for nothing that was not created', () => {
    const [name] = writes.expectNewObjects('hash', 1, naming) as [string];
    writes.notCreated(name);
    expect(writes.behindUntil()).toBeUndefined();
  });

  it('is behind until it shows a pod as being deleted, or no longer shows it', () => {
    writes.expectDeletions(['uid-of-a', 'uid-of-b', 'uid-of-c']);
    writes.notDeleted('uid-of-c');
    const going = pod('a', { deletionTimestamp: '2026-01-01T00:00:00Z' });
    tracker.observe({ type: 'updated', old: pod('a'), object: going, initial: false }, () => [owner.key]);
    expect(writes.behindUntil()).toBeDefined();
    tracker.observe({ type: 'deleted', object: pod('b'), initial: false }, () => [owner.key]);
    expect(writes.behindUntil()).toBeUndefined();
  });

  it('is believed again after five minutes, and the leak is counted', async () => {
    writes.expectNewObjects('hash', 3, naming);
    await clock.advance(5 * MINUTE - 1);
    expect(writes.behindUntil()).toBeDefined();
    expect(leaked).toBe(0);
    await clock.advance(1);
    expect(writes.behindUntil()).toBeUndefined();
    expect(leaked).toBe(3);
  });

  it('owes nothing to a former owner of the name, not even what its last reconcile began after it was gone', () => {
    tracker.forget(owner.key);
    writes.expectDeletions(['uid-of-a']);
    expect(tracker.of({ ...owner, uid: 'new-uid' }).behindUntil()).toBeUndefined();
  });

  it('has seen what it never shows, once it has come as far as the answer to the create', () => {
    const [name] = writes.expectNewObjects('hash', 1, naming) as [string];
    writes.wrote(pods, '101');
    writes.created(pods, name, '101');
    expect(writes.behindUntil()).toBeDefined();
    synced = '101';
    expect(writes.behindUntil()).toBeUndefined();
  });

  it.each([undefined, 'v101', '101-a'])(
    'has to show a pod whose create was answered with the version %s',
    (version) => {
      const [name] = writes.expectNewObjects('hash', 1, naming) as [string];
      writes.created(pods, name, version);
      expect(writes.behindUntil()).toBeDefined();
      seen(name);
      expect(writes.behindUntil()).toBeUndefined();
    },
  );

  it.each([
    { name: 'nothing else', remember: () => undefined },
    { name: 'something else', remember: () => writes.outdated() },
  ])('has to show a pod again that is made again under the same name: $name is remembered', ({ remember }) => {
    remember();
    const makeAgain = () => {
      writes.expectCreations(['web-node-1']);
      return writes.behindUntil();
    };
    makeAgain();
    writes.created(pods, 'web-node-1', '100');
    expect(writes.behindUntil()).toBeUndefined();
    expect(makeAgain()).toBeDefined();
    writes.created(pods, 'web-node-1', '100');
    tracker.forget(owner.key);
    expect(makeAgain()).toBeDefined();
  });

  it('is behind although a pod that is to be deleted changed in another way', () => {
    writes.expectDeletions(['uid-of-a']);
    tracker.observe({ type: 'updated', old: pod('a'), object: pod('a'), initial: false }, () => [owner.key]);
    expect(writes.behindUntil()).toBeDefined();
  });

  it('owes nothing to an owner that is gone', () => {
    writes.expectNewObjects('hash', 1, naming);
    writes.wrote(pods, '999');
    tracker.forget(owner.key);
    expect(writes.behindUntil()).toBeUndefined();
  });
});

describe('what is remembered', () => {
  it('is released when the cache shows all that was written', () => {
    const [name] = writes.expectNewObjects('hash', 1, naming) as [string];
    writes.wrote(pods, '101');
    expect(remembered()).toBe(1);
    seen(name);
    synced = '101';
    writes.behindUntil();
    expect(remembered()).toBe(0);
  });

  it('are all pods that admission changed, until each is gone', () => {
    const [one, two] = ['a', 'b'].map((name) => ({ name, uid: `uid-of-${name}`, why: 'no labels' })) as [
      Misfit,
      Misfit,
    ];
    writes.addMisfit(one);
    writes.addMisfit(two);
    expect(writes.misfits).toEqual([one, two]);
    writes.removeMisfit(one);
    expect(writes.misfits).toEqual([two]);
    writes.behindUntil();
    expect(remembered()).toBe(1);
    writes.removeMisfit(two);
    writes.behindUntil();
    expect([writes.misfits, remembered()]).toEqual([[], 0]);
  });

  it.each<{ name: string; write: () => void }>([
    { name: 'a create that may have succeeded', write: () => lose(writes.expectNewObjects('hash', 1, naming)) },
    { name: 'a record that may have been written', write: () => writes.perhapsUpdated(controllerRevisions, 'web-1') },
    { name: 'that something had changed', write: () => writes.outdated() },
    { name: 'a refused write', write: () => writes.noteRefusal('adopt a', { reason: 'FailedAdopt', message: 'no' }) },
    {
      name: 'a pod that admission changed, beside a record that may have been written',
      write: () => {
        writes.addMisfit({ name: 'a', uid: 'uid-of-a', why: 'no labels' });
        writes.perhapsUpdated(controllerRevisions, 'web-1');
      },
    },
  ])('stays while it matters: $name', ({ write }) => {
    write();
    writes.behindUntil();
    expect(remembered()).toBe(1);
  });

  it.each<{ name: string; write: () => void }>([
    { name: 'a version', write: () => writes.wrote(pods, '999') },
    { name: 'pods on their way', write: () => writes.expectNewObjects('hash', 2, naming) },
    { name: 'named pods on their way', write: () => writes.expectCreations(['web-1']) },
    { name: 'pods that are to go', write: () => writes.expectDeletions(['uid-of-a']) },
    { name: 'the answer to a create', write: () => writes.created(pods, 'web-1', '101') },
    { name: 'a create without an answer', write: () => lose(writes.expectNewObjects('hash', 1, naming)) },
    { name: 'a record without an answer', write: () => writes.perhapsUpdated(controllerRevisions, 'web-1') },
    { name: 'a pod that changed', write: () => writes.outdated() },
  ])('goes with the owner, and with the next one of its name: $name', ({ write }) => {
    write();
    tracker.forget(owner.key);
    expect(remembered()).toBe(0);
    expect([writes.behindUntil(), writes.unconfirmed, writes.wasOutdated()]).toEqual([undefined, [], false]);
    write();
    const next = { ...owner, uid: 'new-uid' };
    tracker.of(next).behindUntil();
    expect([tracker.of(next).unconfirmed, tracker.of(next).wasOutdated()]).toEqual([[], false]);
    expect(remembered()).toBe(0);
  });

  function lose(names: readonly string[]): void {
    for (const name of names) writes.perhapsCreated(pods, name, 'hash');
  }
});

// The cases of consistency_test.go that are about more than one owner.
describe('consistency_test', () => {
  const other = { key: 'default/other', uid: 'other-uid' };

  it('TestConsistencyStore_New', () => {
    expect(remembered()).toBe(0);
    expect(tracker.of(other).behindUntil()).toBeUndefined();
  });

  it('TestConsistencyStore_EnsureWrittenRecord', () => {
    writes.wrote(pods, '110');
    writes.wrote(pods, '120');
    expect(remembered()).toBe(1);
    const next = tracker.of({ ...owner, uid: 'new-uid' });
    next.wrote(pods, '105');
    expect(remembered()).toBe(1);
    synced = '105';
    expect(next.behindUntil()).toBeUndefined();
  });

  it('TestConsistencyStore_Clear', () => {
    writes.wrote(pods, '101');
    tracker.of(other).wrote(pods, '101');
    tracker.forget('default/unknown');
    expect(remembered()).toBe(2);
    tracker.forget(owner.key);
    expect(remembered()).toBe(1);
    expect(tracker.of(other).behindUntil()).toBeDefined();
  });

  it("keeps one owner's expectations apart from another's", () => {
    writes.expectCreations(['a']);
    tracker.of(other).expectCreations(['a']);
    tracker.of(other).notCreated('a');
    expect(writes.behindUntil()).toBeDefined();
    expect(tracker.of(other).behindUntil()).toBeUndefined();
  });
});

it('says once that a pod had changed since a plan decided about it', () => {
  writes.outdated();
  expect(writes.behindUntil()).toBeUndefined();
  expect([writes.wasOutdated(), writes.wasOutdated()]).toEqual([true, false]);
});

describe('what nobody knows', () => {
  const ownerReferences = [{ apiVersion: '', kind: 'MyDeployment', name: 'web', uid: owner.uid, controller: true }];
  const ours = (more: Partial<Pod['metadata']> = {}): Pod => pod('a', { ownerReferences, ...more });
  const inDoubt = (): void => {
    writes.expectDeletions(['uid-of-a']);
    writes.perhapsDeleted(pods, { name: 'a', uid: 'uid-of-a' });
  };

  it('is known when the pod turns out to have been created', () => {
    const [name] = writes.expectNewObjects('hash', 1, naming) as [string];
    writes.perhapsCreated(pods, name, 'hash');
    expect(writes.unconfirmed).toEqual([{ write: 'create', resource: pods, name }]);
    writes.created(pods, name);
    expect(writes.unconfirmed).toEqual([]);
  });

  it('is known when the cache shows that the pod is going, or gone, and not before', () => {
    const updated = (object: Pod) =>
      tracker.observe({ type: 'updated', old: ours(), object, initial: false }, () => [owner.key]);
    inDoubt();
    updated(ours());
    expect(writes.unconfirmed).toHaveLength(1);
    updated(ours({ deletionTimestamp: '2026-01-01T00:00:00Z' }));
    expect(writes.unconfirmed).toEqual([]);
    inDoubt();
    tracker.observe({ type: 'deleted', object: ours(), initial: false }, () => [owner.key]);
    expect(writes.unconfirmed).toEqual([]);
  });

  it('stays unknown when the cache shows another pod that is new, or gone', () => {
    const [name] = writes.expectNewObjects('hash', 1, naming) as [string];
    writes.perhapsCreated(pods, name, 'hash');
    inDoubt();
    const other = pod('other', { ownerReferences });
    tracker.observe({ type: 'added', object: other, initial: false }, () => [owner.key]);
    tracker.observe({ type: 'deleted', object: other, initial: false }, () => [owner.key]);
    expect(writes.unconfirmed.map(({ write }) => write)).toEqual(['create', 'delete']);
    tracker.observe({ type: 'deleted', object: ours(), initial: false }, () => [owner.key]);
    expect(writes.unconfirmed.map(({ write }) => write)).toEqual(['create']);
  });

  it('is kept apart for two pods that had the same name', () => {
    writes.expectDeletions(['uid-1', 'uid-2']);
    for (const uid of ['uid-1', 'uid-2']) writes.perhapsDeleted(pods, { name: 'a', uid });
    expect(writes.unconfirmed).toHaveLength(2);
  });

  it('was known before, when the watch was quicker than the answer', () => {
    writes.expectDeletions(['uid-of-a']);
    tracker.observe({ type: 'deleted', object: ours(), initial: false }, () => [owner.key]);
    writes.perhapsDeleted(pods, { name: 'a', uid: 'uid-of-a' });
    expect(writes.unconfirmed).toEqual([]);
  });

  it('is of no interest when the owner is gone', () => {
    const [name] = writes.expectNewObjects('hash', 1, naming) as [string];
    writes.perhapsCreated(pods, name, 'hash');
    writes.outdated();
    tracker.forget(owner.key);
    expect(writes.unconfirmed).toEqual([]);
    expect(writes.wasOutdated()).toBe(false);
    expect(writes.expectNewObjects('hash', 1, naming)).not.toEqual([name]);
  });
});

describe('names of new pods', () => {
  it('differ from each other and from what is there', () => {
    const names = writes.expectNewObjects('hash', 500, naming);
    expect(new Set(names).size).toBe(500);
    for (const name of names) expect(name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it('skip one that the cache already shows', () => {
    const letters = [0, 0, 0, 0, 0, 0.5, 0.5, 0.5, 0.5, 0.5];
    random = () => letters.shift() ?? 0.9;
    inCache.add('web-bbbbb');
    expect(writes.expectNewObjects('hash', 1, naming)).toEqual(['web-rrrrr']);
  });

  it('skip one that was chosen just now', () => {
    const letters = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0.5, 0.5, 0.5, 0.5];
    random = () => letters.shift() ?? 0.9;
    expect(writes.expectNewObjects('hash', 2, naming)).toEqual(['web-bbbbb', 'web-rrrrr']);
  });

  it('begin with those whose create got no answer, so that no pod is made twice', () => {
    const lost = writes.expectNewObjects('hash', 3, naming);
    for (const name of lost) writes.perhapsCreated(pods, name, 'hash');
    expect(writes.behindUntil()).toBeUndefined();
    expect(writes.expectNewObjects('hash', 2, naming)).toEqual(lost.slice(0, 2));
    expect(writes.expectNewObjects('hash', 4, naming).slice(0, 3)).toEqual(lost);
  });

  it('of another revision are new', () => {
    const lost = writes.expectNewObjects('old', 1, naming);
    writes.perhapsCreated(pods, lost[0] as string, 'old');
    expect(writes.expectNewObjects('new', 1, naming)).not.toEqual(lost);
    expect(writes.expectNewObjects('old', 1, naming)).toEqual(lost);
  });

  it('are not used again when their pod was seen and is gone, before the answer was lost or after', () => {
    const [before, after] = writes.expectNewObjects('hash', 2, naming) as [string, string];
    const ownerReferences = [{ apiVersion: '', kind: 'MyDeployment', name: 'web', uid: owner.uid, controller: true }];
    const isGone = (name: string) =>
      tracker.observe({ type: 'deleted', object: pod(name, { ownerReferences }), initial: false }, () => [owner.key]);
    isGone(before);
    writes.perhapsCreated(pods, before, 'hash');
    writes.perhapsCreated(pods, after, 'hash');
    isGone(after);
    const next = writes.expectNewObjects('hash', 2, naming);
    for (const name of [before, after]) expect(next).not.toContain(name);
  });

  it('are not used again once their pod has shown up', () => {
    const [shown, created] = writes.expectNewObjects('hash', 2, naming) as [string, string];
    for (const name of [shown, created]) writes.perhapsCreated(pods, name, 'hash');
    inCache.add(shown);
    writes.created(pods, created);
    const next = writes.expectNewObjects('hash', 2, naming);
    for (const name of [shown, created]) expect(next).not.toContain(name);
    inCache.delete(shown);
    expect(writes.expectNewObjects('hash', 2, naming)).not.toContain(shown);
  });

  it('are used again after a second attempt was refused, or not made: the first may have made a pod', () => {
    const [name] = writes.expectNewObjects('hash', 1, naming) as [string];
    writes.perhapsCreated(pods, name, 'hash');
    expect(writes.expectNewObjects('hash', 1, naming)).toEqual([name]);
    writes.notCreated(name);
    expect(writes.expectNewObjects('hash', 1, naming)).toEqual([name]);
  });
});
