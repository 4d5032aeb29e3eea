import { describe, expect, it } from '@jest/globals';
import { withUpdate } from '../../../src/kinds/my-deployment/plan/history.ts';
import { keepApart, oldPodsRunning, recreate } from '../../../src/kinds/my-deployment/plan/recreate.ts';
import { observe } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import { myDeployment, NOW, type PodOptions, pods, revision, secondsAgo, snapshotOf } from './fixture.ts';

const terminating = { metadata: { deletionTimestamp: secondsAgo(5) } };

/** A Recreate of 3 from v1 to v2 with these pods of each. */
function rolloutOf(oldCount: number, oldPods: readonly PodOptions[], newPods: readonly PodOptions[] = []) {
  const object = myDeployment({ replicas: 3, strategy: { type: 'Recreate' } });
  const old = revision(object, 'v1', { number: 1, replicas: oldCount, of: 3, ceiling: 3 });
  const update = revision(object, 'v2', { number: 2, replicas: newPods.length, of: 3, ceiling: 3 });
  const all = [...pods(object, old, oldPods), ...pods(object, update, newPods)];
  return withUpdate(observe(snapshotOf(object, [old, update], all), NOW));
}

describe('recreate_test.go TestOldPodsRunning', () => {
  it.each<{ name: string; old: PodOptions[]; update?: PodOptions[]; running: boolean }>([
    { name: 'no pods', old: [], running: false },
    { name: 'running pods', old: [{ readyFor: 60 }, { readyFor: 60 }], running: true },
    { name: 'only pods of the new revision', old: [], update: [{ readyFor: 60 }], running: false },
    { name: 'pods in terminal state', old: [{ phase: 'Failed' }, { phase: 'Succeeded' }], running: false },
    { name: 'a pod in unknown phase', old: [{ phase: 'Unknown' }], running: true },
    { name: 'a pending pod', old: [{ phase: 'Pending' }], running: true },
    { name: 'a running pod', old: [{ phase: 'Running' }], running: true },
    { name: 'a terminating pod', old: [{ phase: 'Running', ...terminating }], running: true },
    {
      name: 'pods in terminal state and a pending one',
      old: [{ phase: 'Failed' }, { phase: 'Succeeded' }, { phase: 'Pending' }],
      running: true,
    },
  ])('$name: $running', ({ old, update = [], running }) => {
    expect(oldPodsRunning(rolloutOf(0, old, update))).toBe(running);
  });
});

describe('a Recreate that stands still', () => {
  it.each<{ name: string; old: PodOptions[]; update: PodOptions[]; targets: readonly number[]; to: number[] }>([
    { name: 'fills up the only revision with pods', old: [{}], update: [], targets: [3, 0], to: [3, 0] },
    { name: 'also when that is the update', old: [], update: [{}], targets: [0, 3], to: [0, 3] },
    { name: 'adds nothing beside one pod of another', old: [{}], update: [], targets: [1, 2], to: [1, 0] },
    { name: 'adds nothing beside one that terminates', old: [terminating], update: [], targets: [1, 2], to: [1, 0] },
    { name: 'adds nothing to two that have pods', old: [{}], update: [{}], targets: [2, 2], to: [1, 1] },
    { name: 'lets the larger one come back where none has pods', old: [], update: [], targets: [1, 2], to: [0, 2] },
    { name: 'which may be the older one', old: [], update: [], targets: [2, 1], to: [2, 0] },
    { name: 'or the first of the same size', old: [], update: [], targets: [2, 2], to: [2, 0] },
  ])('$name', ({ old, update, targets, to }) => {
    const rollout = rolloutOf(old.length, old, update);
    const sizes = keepApart(rollout, new Map(rollout.revisions.map((each, index) => [each, targets[index] ?? 0])));
    expect(rollout.revisions.map((each) => sizes.get(each))).toEqual(to);
  });

  it('keeps nothing of a revision without a target', () => {
    const rollout = rolloutOf(1, [{}], [{}]);
    expect([...keepApart(rollout, new Map()).values()]).toEqual([0, 0]);
  });
});

describe('recreate_test.go TestScaleDownOldReplicaSets, and what follows', () => {
  it.each<{ name: string; count: number; old: PodOptions[]; update?: PodOptions[]; to: number[] }>([
    { name: 'old pods run: they go, and nothing starts', count: 3, old: [{}, {}, {}], to: [0, 0] },
    { name: 'the last one shuts down: still waiting', count: 0, old: [terminating], to: [0, 0] },
    { name: 'all are gone: the new ones start', count: 0, old: [], to: [0, 3] },
    { name: 'they never got pods: nothing to wait for', count: 3, old: [], to: [0, 3] },
    {
      name: 'undone in the middle: the new ones wait where they are',
      count: 1,
      old: [{}],
      update: [{}],
      to: [0, 1],
    },
    {
      name: 'scaled down in the middle: more new ones than asked for go at once',
      count: 1,
      old: [{}],
      update: [{}, {}, {}, {}, {}],
      to: [0, 3],
    },
    {
      name: 'a new one is lost in the middle: it waits for the old ones, too',
      count: 0,
      old: [terminating],
      update: [{}, { phase: 'Failed' }],
      to: [0, 1],
    },
  ])('$name', ({ count, old, update = [], to }) => {
    const rollout = rolloutOf(count, old, update);
    const sizes = recreate(rollout);
    expect(rollout.revisions.map((one) => sizes.get(one))).toEqual(to);
  });
});
