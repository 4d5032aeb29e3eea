import { describe, expect, it } from '@jest/globals';
import { observe } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import { finishStatus, isKeptFrom, observedStatus } from '../../../src/kinds/my-deployment/plan/status.ts';
import { COMPLETED } from '../../../src/policy/attempt.ts';
import type { DeploymentCondition } from '../../../src/runtime/conditions.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import type { ControllerRevision } from '../../../src/workload/revision.ts';
import { type AttemptOptions, attempt } from './attempt-fixture.ts';
import {
  myDeployment,
  NOW,
  type ObjectOptions,
  type PodOptions,
  pods,
  revision,
  secondsAgo,
  snapshotOf,
} from './fixture.ts';

const terminating = { metadata: { deletionTimestamp: secondsAgo(1) } };

function statusOf(entries: readonly PodOptions[], options: ObjectOptions = {}) {
  const object = myDeployment(options);
  const update = revision(object, 'v2', { number: 1, replicas: 2, of: 2, ceiling: 3 });
  return observedStatus(observe(snapshotOf(object, [update], pods(object, update, entries)), NOW), new Map(), []);
}

describe('replica_set_utils_test.go TestCalculateStatus', () => {
  it.each<{ name: string; pods: PodOptions[]; minReadySeconds?: number; counts: readonly number[] }>([
    { name: '1 ready pod', pods: [{ readyFor: 60 }], counts: [1, 1, 1, 0] },
    { name: '2 ready pods', pods: [{ readyFor: 60 }, { readyFor: 60 }], counts: [2, 2, 2, 0] },
    { name: '1 non-ready pod', pods: [{}], counts: [1, 0, 0, 0] },
    { name: '1 ready but non-available pod', pods: [{ readyFor: 0 }], minReadySeconds: 3600, counts: [1, 1, 0, 0] },
    {
      name: '1 available pod with minReadySeconds',
      pods: [{ readyFor: 3600 }],
      minReadySeconds: 3600,
      counts: [1, 1, 1, 0],
    },
    {
      name: '1 available pod for a long time',
      pods: [{ readyFor: 7200 }],
      minReadySeconds: 3600,
      counts: [1, 1, 1, 0],
    },
    {
      name: '1 pod and 2 terminating',
      pods: [{ readyFor: 60 }, { readyFor: 60, ...terminating }, terminating],
      counts: [1, 1, 1, 2],
    },
    { name: '1 failed pod', pods: [{ phase: 'Failed' }], counts: [0, 0, 0, 0] },
  ])('$name', ({ pods: entries, minReadySeconds = 0, counts }) => {
    const [replicas, readyReplicas, availableReplicas, terminatingReplicas] = counts;
    expect(statusOf(entries, { minReadySeconds })).toMatchObject({
      replicas,
      readyReplicas,
      availableReplicas,
      terminatingReplicas,
      updatedReplicas: replicas,
      unavailableReplicas: 2 - (availableReplicas as number),
    });
  });
});

describe('the Available condition', () => {
  it.each([
    { name: 'all there', replicas: 4, available: 4, status: 'True', reason: 'MinimumReplicasAvailable' },
    { name: 'as few as allowed', replicas: 4, available: 3, status: 'True', reason: 'MinimumReplicasAvailable' },
    { name: 'too few', replicas: 4, available: 2, status: 'False', reason: 'MinimumReplicasUnavailable' },
    {
      name: 'none of one: 25 % of it is none',
      replicas: 1,
      available: 0,
      status: 'False',
      reason: 'MinimumReplicasUnavailable',
    },
    { name: 'none asked for', replicas: 0, available: 0, status: 'True', reason: 'MinimumReplicasAvailable' },
  ])('$name: $status', ({ replicas, available, status, reason }) => {
    const { conditions } = statusOf(
      Array.from({ length: available }, () => ({ readyFor: 60 })),
      { replicas },
    );
    expect(conditions).toMatchObject([{ type: 'Available', status, reason }]);
  });
});

describe('current and update revision', () => {
  const object = myDeployment({ replicas: 2 });
  const old = revision(object, 'v1', { number: 1, replicas: 1 });
  const update = revision(object, 'v2', { number: 2, replicas: 2 });
  const [oldName, newName] = [old.metadata.name, update.metadata.name];
  const one = [{ readyFor: 60 }];
  const two = [{ readyFor: 60 }, { readyFor: 60 }];

  it.each([
    { name: 'in mid-rollout', before: oldName, old: one, update: one, current: oldName, count: 1 },
    { name: 'complete', before: oldName, old: [], update: two, current: newName, count: 2 },
    { name: 'nothing known yet', before: undefined, old: [], update: [], current: newName, count: 0 },
    { name: 'forgotten in mid-rollout', before: undefined, old: one, update: one, current: oldName, count: 1 },
    { name: 'the one before is gone', before: 'web-gone', old: [], update: one, current: newName, count: 1 },
    {
      name: 'the old has no pods left, the new is not complete',
      before: oldName,
      old: [],
      update: one,
      current: oldName,
      count: 0,
    },
  ])('$name', ({ before, old: oldPods, update: newPods, current, count }) => {
    const stored = { ...object, status: { replicas: 0, ...(before && { currentRevision: before }) } };
    const all = [...pods(object, old, oldPods), ...pods(object, update, newPods)];
    expect(observedStatus(observe(snapshotOf(stored, [old, update], all), NOW), new Map(), [])).toMatchObject({
      currentRevision: current,
      currentReplicas: count,
      updateRevision: newName,
      updatedReplicas: newPods.length,
    });
  });

  it('is the newest of the old revisions with pods that are known, when nobody knows which it was', () => {
    const oldest = revision(object, 'v0', { number: 0, replicas: 1 });
    const forgotten = revision(object, 'lost', { number: 0 });
    const currentOf = (known: readonly ControllerRevision[], all: readonly Pod[]) =>
      observedStatus(observe(snapshotOf(object, known, all), NOW), new Map(), []).currentRevision;
    const ofOldest = pods(object, oldest, one);
    expect(currentOf([oldest, old, update], [...ofOldest, ...pods(object, old, one)])).toBe(oldName);
    expect(currentOf([update], pods(object, forgotten, one))).toBe(newName);
  });

  it('is none where there are no revisions at all', () => {
    const status = observedStatus(observe(snapshotOf(object), NOW), new Map(), []);
    expect(status).toMatchObject({ currentReplicas: 0, updatedReplicas: 0 });
    expect(status).not.toHaveProperty('currentRevision');
  });

  it('has no update revision while the template is not recorded', () => {
    const status = observedStatus(observe(snapshotOf(object, [old], pods(object, old, two)), NOW), new Map(), []);
    expect(status).toMatchObject({ currentRevision: oldName, updatedReplicas: 0 });
    expect(status).not.toHaveProperty('updateRevision');
  });
});

describe('a rollout under a policy', () => {
  it.each<{ name: string; options: AttemptOptions; isKept: boolean }>([
    { name: 'in a step', options: {}, isKept: true },
    { name: 'past its steps', options: { record: { step: 3 } }, isKept: false },
    { name: 'that was rejected', options: { record: { step: 3 }, rejected: {} }, isKept: true },
    { name: 'without replicas', options: { object: { replicas: 0 }, record: { step: 3 } }, isKept: true },
    { name: 'of one replica', options: { object: { replicas: 1 }, record: { step: 3 } }, isKept: false },
    { name: 'of the stable revision', options: { annotations: { [COMPLETED]: '2' } }, isKept: false },
    { name: 'of the only revision', options: { alone: true, stable: [0, 0] }, isKept: false },
  ])('is kept from completion by its policy or not: $name', ({ options, isKept }) => {
    expect(isKeptFrom(attempt(options))).toBe(isKept);
  });

  it('is not kept without a revision, or without a policy', () => {
    expect(isKeptFrom({ ...attempt({ rejected: {} }), update: undefined })).toBe(false);
    expect(isKeptFrom({ ...attempt({ object: { replicas: 0 } }), update: undefined })).toBe(true);
    const object = myDeployment({ replicas: 0 });
    expect(isKeptFrom(observe(snapshotOf(object, [revision(object, 'v1', { number: 1 })]), NOW))).toBe(false);
  });
});

describe('the rest of the status', () => {
  it('says which generation it is about and whom HPA should look at', () => {
    const status = statusOf([], { metadata: { generation: 7 }, status: { replicas: 0, collisionCount: 2 } });
    expect(status).toMatchObject({ observedGeneration: 7, selector: 'app=web', collisionCount: 2 });
  });

  it('does not mention collisions that never happened', () => {
    expect(statusOf([])).not.toHaveProperty('collisionCount');
  });
});

const failure: DeploymentCondition = {
  type: 'ReplicaFailure',
  status: 'True',
  reason: 'FailedCreate',
  message: 'quota',
};

describe('replica_set_utils_test.go TestCalculateStatusConditions', () => {
  const failed = (reason: 'FailedCreate' | 'FailedDelete', message = 'm') => ({ reason, revision: 'r', message });
  const finish = (conditions: readonly DeploymentCondition[], failures: readonly ReturnType<typeof failed>[]) =>
    finishStatus({ replicas: 1, conditions }, { failures }, { stored: undefined, now: NOW }).conditions;

  it.each([
    { name: 'a create failed', before: [], failures: [failed('FailedCreate')], reason: 'FailedCreate' },
    { name: 'a delete failed', before: [], failures: [failed('FailedDelete')], reason: 'FailedDelete' },
    { name: 'the cause is gone', before: [failure], failures: [], reason: undefined },
    { name: 'all is well', before: [], failures: [], reason: undefined },
  ])('$name', ({ before, failures, reason }) => {
    expect(finish(before, failures)).toMatchObject(reason === undefined ? [] : [{ type: 'ReplicaFailure', reason }]);
    expect(finish(before, failures)).toHaveLength(reason === undefined ? 0 : 1);
  });

  it('a create failed again: it does not repeat itself for another text', () => {
    const before = [failure];
    expect(finish(before, [failed('FailedCreate', 'quota, used 5')])).toBe(before);
  });
});

describe('what came of a plan', () => {
  const planned = { replicas: 1, updateRevision: 'new', collisionCount: 1 };
  const context = { stored: undefined, now: NOW };

  it('tells the failure of the new revision first', () => {
    const failures = [
      { reason: 'FailedDelete', revision: 'old', message: 'old' },
      { reason: 'FailedCreate', revision: 'new', message: 'new' },
    ] as const;
    expect(finishStatus(planned, { failures }, context).conditions).toMatchObject([{ message: 'new' }]);
    expect(finishStatus(planned, { failures: failures.slice(0, 1) }, context).conditions).toMatchObject([
      { message: 'old' },
    ]);
  });

  it('tells the first failure of those of one revision', () => {
    const failures = ['first', 'second'].map(
      (message) => ({ reason: 'FailedCreate', revision: 'new', message }) as const,
    );
    expect(finishStatus(planned, { failures }, context).conditions).toMatchObject([{ message: 'first' }]);
  });

  it('says nothing of a new revision that could not be recorded while no deadline is set', () => {
    const untimed = finishStatus({ ...planned, conditions: [] }, { failures: [], revisionFailure: 'no' }, context);
    expect(untimed.conditions).toEqual([]);
  });

  it('counts a collision', () => {
    expect(finishStatus(planned, { failures: [], collided: true }, context).collisionCount).toBe(2);
    expect(finishStatus({ replicas: 0 }, { failures: [], collided: true }, context).collisionCount).toBe(1);
    expect(finishStatus(planned, { failures: [] }, context).collisionCount).toBe(1);
  });

  it('says that the new revision could not be recorded', () => {
    const conditions = [{ type: 'Progressing', status: 'True', reason: 'NewReplicaSetCreated' }] as const;
    const status = finishStatus({ ...planned, conditions }, { failures: [], revisionFailure: 'forbidden' }, context);
    expect(status.conditions).toMatchObject([
      { status: 'False', reason: 'ReplicaSetCreateError', message: 'forbidden' },
      { type: 'Reconciling', status: 'True', reason: 'RollingOut' },
    ]);
    const again = { stored: status, now: NOW + 60_000 };
    expect(finishStatus({ ...planned, conditions }, { failures: [], revisionFailure: 'forbidden' }, again)).toEqual(
      status,
    );
  });
});
