import { describe, expect, it } from '@jest/globals';
import { withUpdate } from '../../../src/kinds/my-deployment/plan/history.ts';
import { oldPodsRunning, recreate } from '../../../src/kinds/my-deployment/plan/recreate.ts';
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
