import { describe, expect, it } from '@jest/globals';
import { appendNumber, surplusRevisions, withUpdate } from '../../../src/kinds/my-deployment/plan/history.ts';
import { observe, type Revision, updateNumber } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import { attempt } from './attempt-fixture.ts';
import { mixedPods, myDeployment, NOW, type ObjectOptions, pods, revision, secondsAgo, snapshotOf } from './fixture.ts';

const UNLIMITED = 2 ** 31 - 1;

describe('stateful_set_control_test.go TestStatefulSetControl_getSetRevisions', () => {
  const object = myDeployment({ version: 'v3' });
  const one = revision(object, 'v1', { number: 1 });
  const two = revision(object, 'v2', { number: 2 });
  const three = revision(object, 'v3', { number: 3 });
  const threeAsFirst = revision(object, 'v3', { number: 1 });

  it.each([
    { name: 'creates initial revision', revisions: [], isNew: true, number: 1 },
    { name: 'creates revision on update', revisions: [one, two], isNew: true, number: 3 },
    { name: 'must not recreate a new revision of same set', revisions: [one, two, three], isNew: false, number: 3 },
    { name: 'must rollback to a previous revision', revisions: [threeAsFirst, two], isNew: false, number: 3 },
  ])('$name', ({ revisions, isNew, number }) => {
    const rollout = withUpdate(observe(snapshotOf(object, revisions), NOW));
    expect(rollout.update.name).toBe(three.metadata.name);
    expect(rollout.update.stored === undefined).toBe(isNew);
    expect(updateNumber(rollout)).toBe(number);
    expect(rollout.revisions).toHaveLength(revisions.length + (isNew ? 1 : 0));
  });

  it('never numbers backwards when older ones are gone', () => {
    const seven = revision(object, 'v3', { number: 7 });
    expect(updateNumber(observe(snapshotOf(object, [two, seven]), NOW))).toBe(7);
  });

  it('deployment_util_test.go TestFindNewReplicaSet: of two with the same template, the newer one is it', () => {
    const duplicate = revision(object, 'v3', { number: 2, metadata: { name: 'web-other', uid: 'other' } });
    const { update, revisions } = observe(snapshotOf(object, [three, duplicate, one]), NOW);
    expect(update?.name).toBe(three.metadata.name);
    expect(revisions.map(({ number }) => number)).toEqual([1, 2, 3]);
  });
});

describe('deployment_test.go TestDeploymentHashCollision', () => {
  it('steers clear of a name that another of our revisions holds', () => {
    const object = myDeployment();
    const right = revision(object, 'v2', { number: 1 }).metadata.name;
    const holder = revision(object, 'v1', { number: 1, metadata: { name: right } });
    const rollout = withUpdate(observe(snapshotOf(object, [holder]), NOW));
    expect(rollout.update.name).not.toBe(right);
    expect(rollout.collisionCount).toBe(1);
  });

  it('uses the count that earlier collisions left in the status', () => {
    const names = [undefined, 1].map((collisionCount) => {
      const object = myDeployment({ status: { replicas: 0, ...(collisionCount !== undefined && { collisionCount }) } });
      return withUpdate(observe(snapshotOf(object), NOW)).update.name;
    });
    expect(new Set(names).size).toBe(2);
  });
});

describe('a revision whose record somebody deleted', () => {
  it('is recorded again with the pods it has, so nothing is rolled', () => {
    const object = myDeployment({ replicas: 3 });
    const lost = revision(object, 'v2', { number: 4 });
    const old = revision(object, 'v1', { number: 1, replicas: 0 });
    const rollout = withUpdate(observe(snapshotOf(object, [old], mixedPods(object, lost, 3, 2)), NOW));
    expect(rollout.update).toMatchObject({ name: lost.metadata.name, stored: undefined, desired: 3, available: 2 });
    expect(rollout.revisions.map(({ name }) => name)).toEqual([old.metadata.name, lost.metadata.name]);
  });
});

interface Old {
  readonly number: number;
  readonly count?: number;
  readonly pods?: number;
  readonly deleting?: boolean;
}

/** Which of these old revisions go, beside a new one. */
function surplus(old: readonly Old[], options: ObjectOptions): number[] {
  const object = myDeployment({ version: 'new', ...options });
  const revisions = old.map(({ number, count = 0, deleting }) =>
    revision(object, `v${number}`, {
      number,
      replicas: count,
      ...(deleting && { metadata: { uid: `v${number}-uid`, deletionTimestamp: secondsAgo(1) } }),
    }),
  );
  const all = old.flatMap((one, index) =>
    pods(
      object,
      revisions[index] as (typeof revisions)[0],
      Array.from({ length: one.pods ?? 0 }, () => ({})),
    ),
  );
  const update = revision(object, 'new', { number: 99, replicas: 1 });
  const actions = surplusRevisions(observe(snapshotOf(object, [...revisions, update], all), NOW), new Map());
  return actions.map((action) => (action.do === 'deleteRevision' ? Number(/v(\d+)-uid/.exec(action.uid)?.[1]) : -1));
}

describe('sync_test.go TestDeploymentController_cleanupDeployment', () => {
  it.each<{ name: string; old: Old[]; limit: number; deleted: number[] }>([
    { name: '1 of 3 is kept', old: [{ number: 1 }, { number: 2 }, { number: 3 }], limit: 1, deleted: [1, 2] },
    {
      name: 'only those with neither pods nor a count',
      old: [{ number: 1 }, { number: 2, pods: 1 }, { number: 3, count: 1 }, { number: 4, count: 1, pods: 1 }],
      limit: 0,
      deleted: [1],
    },
    { name: 'none is kept', old: [{ number: 1 }, { number: 2 }], limit: 0, deleted: [1, 2] },
    {
      name: 'all are in use',
      old: [
        { number: 1, count: 1, pods: 1 },
        { number: 2, count: 1 },
      ],
      limit: 0,
      deleted: [],
    },
    { name: 'already on its way out', old: [{ number: 1, deleting: true }], limit: 0, deleted: [] },
    { name: 'no limit', old: [{ number: 1 }, { number: 2 }, { number: 3 }], limit: UNLIMITED, deleted: [] },
  ])('$name', ({ old, limit, deleted }) => {
    expect(surplus(old, { revisionHistoryLimit: limit })).toEqual(deleted);
  });
});

describe('sync_test.go TestDeploymentController_cleanupDeploymentOrder', () => {
  it.each<{ name: string; old: Old[]; limit: number; deleted: number[] }>([
    { name: '1 < 2', old: [{ number: 2 }, { number: 1 }], limit: 1, deleted: [1] },
    {
      name: 'one in use is skipped, not replaced',
      old: [{ number: 1, pods: 1 }, { number: 2 }, { number: 3 }],
      limit: 1,
      deleted: [2],
    },
    {
      name: 'both in use',
      old: [{ number: 1, pods: 1 }, { number: 2, pods: 1 }, { number: 3 }],
      limit: 1,
      deleted: [],
    },
    { name: 'by number', old: [{ number: 3 }, { number: 1 }, { number: 4 }, { number: 2 }], limit: 2, deleted: [1, 2] },
  ])('$name', ({ old, limit, deleted }) => {
    expect(surplus(old, { revisionHistoryLimit: limit })).toEqual(deleted);
  });

  it('keeps the newest while a paused object has a template that is not recorded', () => {
    const object = myDeployment({ version: 'v3', paused: true, replicas: 0, revisionHistoryLimit: 0 });
    const recorded = [0, 1, 2].map((number) => revision(object, `v${number}`, { number, replicas: 0 }));
    const rollout = observe(snapshotOf(object, recorded), NOW);
    expect(surplusRevisions(rollout, new Map())).toMatchObject([
      { do: 'deleteRevision', uid: 'v0-uid' },
      { do: 'deleteRevision', uid: 'v1-uid' },
    ]);
  });

  it('keeps the revision of the template even while another has a higher number', () => {
    const object = myDeployment({ revisionHistoryLimit: 0 });
    const back = revision(object, 'v2', { number: 1, replicas: 0 });
    const other = revision(object, 'v1', { number: 2, replicas: 0 });
    const rollout = observe(snapshotOf(object, [back, other]), NOW);
    expect(surplusRevisions(rollout, new Map())).toMatchObject([{ do: 'deleteRevision', uid: 'v1-uid' }]);
  });

  it('keeps the stable revision of a policy, and no other', () => {
    const rollout = attempt({ object: { revisionHistoryLimit: 0 }, stable: [0, 0], update: [10, 10] });
    const [stable, update] = rollout.revisions as [Revision, Revision];
    const older = { ...stable, name: 'web-older' };
    const all = { ...rollout, revisions: [older, stable, update] };
    expect(surplusRevisions(all, new Map())).toHaveLength(1);
    const marked = { ...all, course: { ...rollout.course, stable: 'web-older' } };
    expect(surplusRevisions(marked, new Map())).toMatchObject([{ do: 'deleteRevision', name: stable.name }]);
  });

  it('never counts or deletes the new revision, nor pods without one', () => {
    const object = myDeployment({ revisionHistoryLimit: 0 });
    const forgotten = revision(object, 'v0', { number: 0 });
    const update = revision(object, 'v2', { number: 1, replicas: 0 });
    const rollout = observe(snapshotOf(object, [update], pods(object, forgotten, [{}])), NOW);
    expect((rollout.revisions[0] as Revision).name).toBe('(unknown)');
    expect(surplusRevisions(rollout, new Map())).toEqual([]);
  });
});

describe('deployment_util_test.go TestAnnotationUtils: former numbers', () => {
  it.each([
    { list: undefined, number: 1, limit: 2000, appended: '1' },
    { list: '1', number: 3, limit: 2000, appended: '1,3' },
    { list: '10,11', number: 12, limit: 5, appended: '11,12' },
    { list: '9,10', number: 11, limit: 5, appended: '10,11' },
    { list: '100', number: 101, limit: 5, appended: '101' },
  ])('$list and $number, at most $limit characters', ({ list, number, limit, appended }) => {
    expect(appendNumber(list, number, limit)).toBe(appended);
  });
});
