import { describe, expect, it } from '@jest/globals';
import { isScalingEvent, scale, share } from '../../../src/kinds/my-deployment/plan/scale.ts';
import { observe, type Revision, type Rollout } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import { mixedPods, myDeployment, NOW, type ObjectOptions, pods, revision, secondsAgo, snapshotOf } from './fixture.ts';

interface Scene {
  /** Replicas and surge before and after. */
  readonly before: readonly [number, number];
  readonly after: readonly [number, number];
  /** Sizes from old to new. */
  readonly sizes: readonly number[];
  /** False when the spec's template is yet another one. */
  readonly hasNew?: boolean;
  /** Revisions that were last sized for other replicas than `before`, by index. */
  readonly sizedFor?: Readonly<Record<number, number>>;
  readonly options?: ObjectOptions;
}

function rolloutOf({ before, after, sizes, hasNew = true, sizedFor = {}, options = {} }: Scene): Rollout {
  const version = `v${hasNew ? sizes.length : sizes.length + 1}`;
  const object = myDeployment({ replicas: after[0], maxSurge: after[1], maxUnavailable: 1, version, ...options });
  const revisions = sizes.map((replicas, index) => {
    const of = sizedFor[index] ?? before[0];
    return revision(object, `v${index + 1}`, { number: index + 1, replicas, of, ceiling: of + before[1] });
  });
  return observe(snapshotOf(object, revisions), NOW);
}

function scaled(rollout: Rollout): number[] {
  const sizes = scale(rollout);
  return rollout.revisions.map((one) => sizes.get(one) ?? one.desired);
}

describe('sync_test.go TestScale', () => {
  it.each<Scene & { name: string; to: readonly number[] }>([
    { name: 'normal: 10 -> 12', before: [10, 0], after: [12, 0], sizes: [10], to: [12] },
    { name: 'normal: 10 -> 5', before: [10, 0], after: [5, 0], sizes: [10], to: [5] },
    { name: 'proportional: 5 -> 10', before: [5, 0], after: [10, 0], sizes: [3, 2], to: [6, 4] },
    { name: 'proportional: 5 -> 3', before: [5, 0], after: [3, 0], sizes: [3, 2], to: [2, 1] },
    { name: 'proportional: 9 -> 4', before: [9, 0], after: [4, 0], sizes: [1, 8], to: [0, 4] },
    { name: 'proportional: 7 -> 10', before: [7, 0], after: [10, 0], sizes: [2, 3, 2], to: [3, 4, 3] },
    { name: 'proportional: 13 -> 8', before: [13, 0], after: [8, 0], sizes: [3, 8, 2], to: [2, 5, 1] },
    { name: 'leftover to the newest: 3 -> 4', before: [3, 0], after: [4, 0], sizes: [1, 1, 1], to: [1, 1, 2] },
    {
      name: 'leftover to the newest of the largest: 5 -> 6',
      before: [5, 0],
      after: [6, 0],
      sizes: [2, 2, 1],
      to: [2, 3, 1],
    },
    { name: 'none left to take: 10 -> 8', before: [10, 0], after: [8, 0], sizes: [1, 1, 8], to: [1, 1, 6] },
    { name: 'leftover from the oldest: 3 -> 2', before: [3, 0], after: [2, 0], sizes: [1, 1, 1], to: [0, 1, 1] },
    { name: 'no new one: 4 -> 5', before: [4, 0], after: [5, 0], sizes: [2, 2], hasNew: false, to: [2, 3] },
    { name: '6 -> 0', before: [6, 0], after: [0, 0], sizes: [1, 2, 3], to: [0, 0, 0] },
    { name: '0 -> 6', before: [6, 0], after: [6, 0], sizes: [0, 0, 0], to: [0, 0, 6] },
    {
      name: 'one update failed before',
      before: [5, 0],
      after: [5, 0],
      sizes: [1, 1, 2],
      sizedFor: { 1: 3 },
      to: [1, 2, 2],
    },
    {
      name: 'nothing is left to add for one that would have to shrink',
      before: [8, 0],
      after: [8, 0],
      sizes: [3, 4],
      sizedFor: { 0: 16, 1: 4 },
      to: [3, 5],
    },
    { name: 'with surge pods: 10 -> 20', before: [10, 2], after: [20, 2], sizes: [6, 6], to: [11, 11] },
    { name: 'surge and size: 10+3 -> 50+6', before: [10, 3], after: [50, 6], sizes: [8, 5], to: [34, 22] },
    {
      name: 'size and template: 10 -> 14',
      before: [10, 0],
      after: [14, 0],
      sizes: [3, 7],
      hasNew: false,
      to: [4, 10],
    },
    { name: 'e2e: proportional scaling 10+3 -> 30+3', before: [10, 3], after: [30, 3], sizes: [8, 5], to: [20, 13] },
    { name: 'pod replacement: 100+20 -> 120+20', before: [100, 20], after: [120, 20], sizes: [100, 20], to: [117, 23] },
  ])('$name', ({ to, ...scene }) => {
    expect(scaled(rolloutOf(scene))).toEqual(to);
  });

  it.each([
    { name: 'saturated but broken: old pods are left alone', readyNew: 0, to: [1, 2] },
    { name: 'saturated: old pods go', readyNew: 2, to: [0, 2] },
  ])('$name', ({ readyNew, to }) => {
    const object = myDeployment({ replicas: 2, maxSurge: 1, maxUnavailable: 1, paused: true });
    const old = revision(object, 'v1', { number: 1, replicas: 1, of: 2, ceiling: 3 });
    const update = revision(object, 'v2', { number: 2, replicas: 2, of: 2, ceiling: 3 });
    const all = [...mixedPods(object, old, 1, 1), ...mixedPods(object, update, 2, readyNew)];
    expect(scaled(observe(snapshotOf(object, [old, update], all), NOW))).toEqual(to);
  });
});

describe('the one revision that takes all replicas', () => {
  it('is that of the template when none has pods, whatever its number', () => {
    const options = { version: 'v1' };
    expect(scaled(rolloutOf({ before: [6, 0], after: [6, 0], sizes: [0, 0], options }))).toEqual([6, 0]);
  });

  it('is the newest when none has pods and the template is not recorded', () => {
    expect(scaled(rolloutOf({ before: [6, 0], after: [6, 0], sizes: [0, 0, 0], hasNew: false }))).toEqual([0, 0, 6]);
  });

  it('grows at once, though pods of another shut down, because only Recreate waits for them', () => {
    const object = myDeployment({ replicas: 5, maxSurge: 0, maxUnavailable: 1, paused: true });
    const old = revision(object, 'v1', { number: 1, replicas: 0, of: 3, ceiling: 3 });
    const update = revision(object, 'v2', { number: 2, replicas: 3, of: 3, ceiling: 3 });
    const leaving = pods(object, old, [{ metadata: { deletionTimestamp: secondsAgo(5) } }]);
    expect(scaled(observe(snapshotOf(object, [old, update], leaving), NOW))).toEqual([0, 5]);
  });

  it('grows under Recreate, too, while its own are the only pods', () => {
    const object = myDeployment({ replicas: 5, strategy: { type: 'Recreate' }, paused: true });
    const update = revision(object, 'v2', { number: 1, replicas: 3, of: 3, ceiling: 3 });
    expect(scaled(observe(snapshotOf(object, [update], mixedPods(object, update, 3, 3)), NOW))).toEqual([5]);
  });
});

describe('old pods do not go just because the new revision has as many as there should be', () => {
  it.each([
    { name: 'since somebody lowered the replicas to that', of: 10, old: 8, update: 5, available: 5, to: [3, 2] },
    { name: 'when some of those are to go', of: 5, old: 2, update: 3, available: 5, to: [2, 3] },
  ])('$name', ({ of, old: oldSize, update: newSize, available, to }) => {
    const object = myDeployment({ replicas: 5, maxSurge: 0, maxUnavailable: 1, paused: true });
    const old = revision(object, 'v1', { number: 1, replicas: oldSize, of, ceiling: oldSize + newSize });
    const update = revision(object, 'v2', { number: 2, replicas: newSize, of, ceiling: oldSize + newSize });
    const all = [...mixedPods(object, old, oldSize, oldSize), ...mixedPods(object, update, available, available)];
    expect(scaled(observe(snapshotOf(object, [old, update], all), NOW))).toEqual(to);
  });
});

describe('kruise #1153: a paused rollout', () => {
  it('does not surge, though there is room', () => {
    expect(scaled(rolloutOf({ before: [10, 3], after: [10, 3], sizes: [4, 6] }))).toEqual([4, 6]);
    expect(scaled(rolloutOf({ before: [10, 3], after: [10, 3], sizes: [4, 8] }))).toEqual([4, 8]);
  });

  it('does not surge when somebody allows more surge', () => {
    expect(scaled(rolloutOf({ before: [10, 3], after: [10, 6], sizes: [8, 5] }))).toEqual([8, 5]);
  });

  it('shrinks when somebody allows less', () => {
    expect(scaled(rolloutOf({ before: [10, 3], after: [10, 0], sizes: [8, 5] }))).toEqual([6, 4]);
  });

  it.each([
    { name: 'while old ones shut down, none are added', deletionTimestamp: secondsAgo(5), to: [0, 0] },
    { name: 'when they are gone, the new ones start', to: [0, 3] },
  ])('paused in the middle of Recreate: $name', ({ deletionTimestamp, to }) => {
    const object = myDeployment({ replicas: 3, strategy: { type: 'Recreate' }, paused: true });
    const old = revision(object, 'v1', { number: 1, replicas: 0, of: 3, ceiling: 3 });
    const update = revision(object, 'v2', { number: 2, replicas: 0, of: 3, ceiling: 3 });
    const left = deletionTimestamp === undefined ? [] : pods(object, old, [{ metadata: { deletionTimestamp } }]);
    expect(scaled(observe(snapshotOf(object, [old, update], left), NOW))).toEqual(to);
  });

  it('leaves a mix alone under Recreate', () => {
    const options = { strategy: { type: 'Recreate' } } as const;
    expect(scaled(rolloutOf({ before: [10, 3], after: [5, 0], sizes: [8, 5], options }))).toEqual([8, 5]);
  });
});

describe('pods of an unknown revision', () => {
  function withStrays(replicas: number, strays: number, update: number, options: ObjectOptions = {}): Rollout {
    const before = strays + update;
    const status = { replicas: before };
    const object = myDeployment({ replicas, maxSurge: 0, maxUnavailable: 1, paused: true, status, ...options });
    const forgotten = revision(object, 'v0', { number: 0 });
    const known = revision(object, 'v2', { number: 2, replicas: update, of: before, ceiling: before });
    const entries = Array.from({ length: strays }, () => ({ readyFor: 60 }));
    return observe(snapshotOf(object, [known], pods(object, forgotten, entries)), NOW);
  }

  it.each([
    { name: 'become fewer', replicas: 1, strays: 3, update: 0, to: [1, 0] },
    { name: 'cannot become more', replicas: 5, strays: 3, update: 0, to: [3, 0] },
    { name: 'leave growing to others', replicas: 8, strays: 2, update: 2, to: [2, 6] },
    { name: 'leave growing by one to others', replicas: 6, strays: 3, update: 2, to: [3, 3] },
    { name: 'shrink with others', replicas: 2, strays: 4, update: 4, to: [1, 1] },
  ])('$name', ({ replicas, strays, update, to }) => {
    expect(scaled(withStrays(replicas, strays, update))).toEqual(to);
  });

  it('become fewer under Recreate, too', () => {
    expect(scaled(withStrays(1, 3, 0, { strategy: { type: 'Recreate' } }))).toEqual([1, 0]);
  });
});

describe('deployment_util_test.go TestGetReplicaSetFraction', () => {
  it.each([
    { name: 'to 0', replicas: 0, surge: 0, size: 10, ceiling: undefined, status: 0, change: -10 },
    { name: 'nothing known', replicas: 10, surge: 0, size: 5, ceiling: undefined, status: 0, change: 0 },
    { name: 'no status', replicas: 10, surge: 0, size: 5, ceiling: undefined, status: undefined, change: 0 },
    { name: 'a record of 0', replicas: 10, surge: 0, size: 5, ceiling: 0, status: 0, change: 0 },
    { name: 'up by 1/5, record lost', replicas: 120, surge: 0, size: 50, ceiling: undefined, status: 100, change: 10 },
    { name: 'up by 1/5, record of 0', replicas: 120, surge: 0, size: 50, ceiling: 0, status: 100, change: 10 },
    { name: 'up by 1/5', replicas: 120, surge: 0, size: 50, ceiling: 100, status: 0, change: 10 },
    { name: 'up by 1/5 with surge', replicas: 120, surge: 10, size: 50, ceiling: 110, status: 0, change: 9 },
    { name: 'down by 1/6', replicas: 10, surge: 0, size: 6, ceiling: 12, status: 0, change: -1 },
    { name: 'down by 1/6 with surge', replicas: 100, surge: 10, size: 50, ceiling: 130, status: 0, change: -8 },
  ])('$name: $change', ({ replicas, surge, size, ceiling, status, change }) => {
    const stored = status === undefined ? {} : { status: { replicas: status } };
    const object = myDeployment({ replicas, maxSurge: surge, maxUnavailable: 1, ...stored });
    const one = revision(object, 'v1', { number: 1, replicas: size, ...(ceiling !== undefined && { ceiling }) });
    const rollout = observe(snapshotOf(object, [one]), NOW);
    expect(share(rollout, rollout.revisions[0] as Revision)).toBe(change);
  });
});

describe('a scaling event', () => {
  it.each([
    { name: 'other replicas than before', before: 5, size: 5, strategy: 'RollingUpdate', is: true },
    { name: 'the same replicas', before: 10, size: 5, strategy: 'RollingUpdate', is: false },
    { name: 'a revision without pods', before: 5, size: 0, strategy: 'RollingUpdate', is: false },
    { name: 'no record', before: undefined, size: 5, strategy: 'RollingUpdate', is: false },
    { name: 'nothing to preserve', before: 5, size: 5, strategy: 'Recreate', is: false },
  ] as const)('$name: $is', ({ before, size, strategy, is }) => {
    const object = myDeployment({ replicas: 10, strategy: { type: strategy } });
    const one = revision(object, 'v1', { number: 1, replicas: size, ...(before !== undefined && { of: before }) });
    expect(isScalingEvent(observe(snapshotOf(object, [one]), NOW))).toBe(is);
  });
});
