// Which changes of a status are written at once.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { statusChange } from '../../../src/kinds/my-deployment/plan/status-change.ts';
import type { MyDeploymentStatus } from '../../../src/kinds/my-deployment/types.gen.ts';
import type { DeploymentCondition } from '../../../src/runtime/conditions.ts';

const condition = (type: string, status: 'True' | 'False', reason: string): DeploymentCondition => ({
  type,
  status,
  reason,
  message: '',
  lastUpdateTime: '2026-01-01T00:00:00Z',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});
const failure = condition('ReplicaFailure', 'True', 'FailedCreate');
const serving = condition('Available', 'True', 'MinimumReplicasAvailable');
const notServing = condition('Available', 'False', 'MinimumReplicasUnavailable');
const begun = condition('Progressing', 'True', 'NewReplicaSetCreated');
const moving = condition('Progressing', 'True', 'ReplicaSetUpdated');
const ended = condition('Progressing', 'True', 'NewReplicaSetAvailable');
const overdue = condition('Progressing', 'False', 'ProgressDeadlineExceeded');
const rollingOut = condition('Reconciling', 'True', 'RollingOut');
const healing = condition('Reconciling', 'True', 'PodsNotReady');
const stalled = condition('Stalled', 'True', 'ProgressDeadlineExceeded');

const counts = { replicas: 1, readyReplicas: 0, observedGeneration: 1 };
const having = (...conditions: readonly DeploymentCondition[]) => ({ ...counts, conditions });
const underway = having(serving, moving, rollingOut);
const resting = having(serving, ended);

describe('how a status differs from the stored one', () => {
  it.each([
    { name: 'the same', stored: underway, next: { ...underway }, change: 'none' },
    { name: 'one more is ready', stored: underway, next: { ...underway, readyReplicas: 1 }, change: 'details' },
    {
      name: 'only a time moved',
      stored: underway,
      next: having(serving, { ...moving, lastUpdateTime: 'x' }, rollingOut),
      change: 'details',
    },
    { name: 'another revision', stored: underway, next: { ...underway, updateRevision: 'x' }, change: 'details' },
    { name: 'another generation', stored: underway, next: { ...underway, observedGeneration: 2 }, change: 'news' },
    { name: 'a new object', stored: undefined, next: having(notServing, begun, rollingOut), change: 'news' },
    { name: 'a rollout has begun', stored: resting, next: having(serving, begun, rollingOut), change: 'details' },
    { name: 'it goes on', stored: having(serving, begun, rollingOut), next: underway, change: 'details' },
    {
      name: 'it has enough pods',
      stored: having(notServing, moving, rollingOut),
      next: underway,
      change: 'details',
    },
    { name: 'it has too few pods', stored: underway, next: having(notServing, moving, rollingOut), change: 'news' },
    {
      name: 'it fails to make pods',
      stored: underway,
      next: { ...having(serving, moving, rollingOut, failure) },
      change: 'news',
    },
    {
      name: 'it fails for another reason',
      stored: having(serving, moving, rollingOut, failure),
      next: having(serving, moving, rollingOut, { ...failure, reason: 'FailedDelete' }),
      change: 'news',
    },
    {
      name: 'it makes pods again',
      stored: having(serving, moving, rollingOut, failure),
      next: underway,
      change: 'news',
    },
    { name: 'a rollout has ended', stored: underway, next: { ...resting, terminatingReplicas: 1 }, change: 'news' },
    { name: 'a rollout is overdue', stored: underway, next: having(serving, overdue, stalled), change: 'news' },
    {
      name: 'one more is ready of a rollout that is overdue',
      stored: having(serving, overdue, stalled),
      next: { ...having(serving, overdue, stalled), readyReplicas: 1 },
      change: 'details',
    },
    { name: 'it lost a pod', stored: resting, next: having(serving, ended, healing), change: 'news' },
    {
      name: 'it lost another',
      stored: having(serving, ended, healing),
      next: { ...having(serving, ended, healing), replicas: 0 },
      change: 'details',
    },
    { name: 'it healed', stored: having(serving, ended, healing), next: resting, change: 'news' },
    {
      name: 'one of two terminating pods is gone',
      stored: { ...resting, terminatingReplicas: 2 },
      next: { ...resting, terminatingReplicas: 1 },
      change: 'details',
    },
    {
      name: 'the last terminating pod is gone',
      stored: { ...resting, terminatingReplicas: 1 },
      next: { ...resting, terminatingReplicas: 0 },
      change: 'news',
    },
    {
      name: 'its last pod is ready, and a status without a count of terminating pods has none',
      stored: resting,
      next: { ...resting, readyReplicas: 1 },
      change: 'news',
    },
    {
      name: 'it is not timed, and serves',
      stored: having(notServing, rollingOut),
      next: having(serving),
      change: 'news',
    },
  ])('$name: $change', ({ stored, next, change }) => {
    expect(statusChange(stored, next)).toBe(change);
  });
});

const anyStatus: fc.Arbitrary<MyDeploymentStatus> = fc
  .record({
    replicas: fc.nat(3),
    readyReplicas: fc.nat(3),
    terminatingReplicas: fc.nat(2),
    observedGeneration: fc.nat(2),
    available: fc.constantFrom(serving, notServing),
    progress: fc.constantFrom([], [begun], [moving], [ended], [overdue]),
    judgement: fc.constantFrom([], [rollingOut], [healing], [stalled]),
    failures: fc.constantFrom([], [failure]),
  })
  .map(({ available, progress, judgement, failures, ...rest }) => ({
    ...rest,
    conditions: [available, ...progress, ...judgement, ...failures],
  }));

describe('whatever a status was before', () => {
  it('the end of a change is written at once, and a failure is', () => {
    fc.assert(
      fc.property(fc.option(anyStatus, { nil: undefined }), anyStatus, (stored, next) => {
        const change = statusChange(stored, next);
        const types = (status: MyDeploymentStatus) => (status.conditions ?? []).map(({ type }) => type);
        const isOver = !types(next).some((type) => ['Reconciling', 'Stalled'].includes(type));
        const hasBegunToFail = ['Stalled', 'ReplicaFailure'].some(
          (type) => types(next).includes(type) && !types(stored ?? counts).includes(type),
        );
        if (change === 'none') return expect(next).toEqual(stored);
        if ((isOver && next.terminatingReplicas === 0) || hasBegunToFail) expect(change).toBe('news');
      }),
      { numRuns: 2_000 },
    );
  });
});
