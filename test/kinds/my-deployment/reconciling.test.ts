import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withDefaults } from '../../../src/kinds/my-deployment/defaults.ts';
import { plan } from '../../../src/kinds/my-deployment/plan/plan.ts';
import { judgeReconciling } from '../../../src/kinds/my-deployment/plan/reconciling.ts';
import type { MyDeploymentStatus } from '../../../src/kinds/my-deployment/types.gen.ts';
import { type DeploymentCondition, timestamp } from '../../../src/runtime/conditions.ts';
import { kstatusOf, kstatusOfDeployment } from '../../support/kstatus.ts';
import { myDeployment, NOW, type ObjectOptions, secondsAgo, snapshotOf } from './fixture.ts';

const UNLIMITED = 2 ** 31 - 1;

const condition = (type: string, status: DeploymentCondition['status'], reason: string): DeploymentCondition => ({
  type,
  status,
  reason,
  lastUpdateTime: secondsAgo(600),
  lastTransitionTime: secondsAgo(600),
});
const serving = condition('Available', 'True', 'MinimumReplicasAvailable');
const notServing = condition('Available', 'False', 'MinimumReplicasUnavailable');
const begun = condition('Progressing', 'True', 'NewReplicaSetCreated');
const complete = condition('Progressing', 'True', 'NewReplicaSetAvailable');
const paused = condition('Progressing', 'Unknown', 'DeploymentPaused');
const failed = condition('Progressing', 'False', 'ReplicaSetCreateError');
const overdue = condition('Progressing', 'False', 'ProgressDeadlineExceeded');
const reconciling = condition('Reconciling', 'True', 'RollingOut');
const stalled = condition('Stalled', 'True', 'ProgressDeadlineExceeded');

type Counts = readonly [replicas: number, updated: number, ready: number, available: number];

function statusOf([replicas, updated, ready, available]: Counts, ...conditions: readonly DeploymentCondition[]) {
  const counts = { replicas, updatedReplicas: updated, readyReplicas: ready, availableReplicas: available };
  return { observedGeneration: 1, ...counts, conditions };
}

function judged(status: MyDeploymentStatus, options: ObjectOptions = {}, now = NOW): MyDeploymentStatus {
  return judgeReconciling(withDefaults(myDeployment({ replicas: 3, ...options }).spec), status, now);
}

describe('Reconciling and Stalled', () => {
  const all: Counts = [3, 3, 3, 3];
  const ONE = { replicas: 1 };
  const ROLLING = 'Reconciling RollingOut';
  const LACKING = 'Reconciling PodsNotReady';
  const only = (counts: Partial<MyDeploymentStatus>) => ({ replicas: 1, ...counts, conditions: [serving, complete] });

  it.each([
    { name: 'complete', status: statusOf(all, serving, complete), said: undefined },
    { name: 'complete at none', status: statusOf([0, 0, 0, 0], serving, complete), replicas: 0, said: undefined },
    { name: 'new', status: statusOf([0, 0, 0, 0], notServing, begun), said: 'Reconciling RollingOut' },
    { name: 'half new', status: statusOf([4, 2, 4, 4], serving, begun), said: 'Reconciling RollingOut' },
    { name: 'an old pod left', status: statusOf([4, 3, 4, 4], serving, begun), said: 'Reconciling RollingOut' },
    { name: 'one lost', status: statusOf([3, 3, 2, 2], serving, complete), said: 'Reconciling PodsNotReady' },
    { name: 'one too many', status: statusOf([4, 4, 4, 4], serving, complete), said: 'Reconciling PodsNotReady' },
    { name: 'ready, not available', status: statusOf([3, 3, 3, 2], serving, begun), said: 'Reconciling RollingOut' },
    { name: 'paused', status: statusOf(all, serving, paused), said: 'Reconciling DeploymentPaused' },
    { name: 'no revision', status: statusOf(all, serving, failed), said: 'Reconciling RollingOut' },
    { name: 'overdue', status: statusOf([4, 2, 2, 2], serving, overdue), said: 'Stalled ProgressDeadlineExceeded' },
    { name: 'all there, and not timed', status: statusOf(all, serving), deadline: UNLIMITED, said: undefined },
    {
      name: 'one missing, and not timed',
      status: statusOf([2, 2, 2, 2], serving),
      deadline: UNLIMITED,
      said: 'Reconciling PodsNotReady',
    },
    {
      name: 'half new, and not timed',
      status: statusOf([4, 2, 4, 4], serving),
      deadline: UNLIMITED,
      said: 'Reconciling RollingOut',
    },
    { name: 'no count of new pods', status: only({ readyReplicas: 1, availableReplicas: 1 }), ...ONE, said: ROLLING },
    {
      name: 'no count of ready pods',
      status: only({ updatedReplicas: 1, availableReplicas: 1 }),
      ...ONE,
      said: LACKING,
    },
    {
      name: 'no count of available pods',
      status: only({ updatedReplicas: 1, readyReplicas: 1 }),
      ...ONE,
      said: LACKING,
    },
  ])('$name: $said', ({ status, said, replicas = 3, deadline = 600 }) => {
    for (const before of [[], [reconciling], [stalled]]) {
      const stored = { ...status, conditions: [...status.conditions, ...before] };
      const { conditions = [] } = judged(stored, { replicas, progressDeadlineSeconds: deadline });
      const own = conditions.filter(({ type }) => type === 'Reconciling' || type === 'Stalled');
      expect(own.map(({ type, reason }) => `${type} ${reason}`)).toEqual(said === undefined ? [] : [said]);
    }
  });

  it('changes nothing while the same holds, whatever is counted', () => {
    const stored = judged(statusOf([1, 1, 1, 1], notServing, begun));
    const later = judged({ ...stored, replicas: 2, updatedReplicas: 2 }, {}, NOW + 60_000);
    expect(later.conditions).toEqual(stored.conditions);
    expect(stored.conditions?.at(-1)).toMatchObject({ lastTransitionTime: timestamp(NOW) });
  });

  it('says what kstatus says of a Deployment with the same status', () => {
    const count = fc.integer({ min: 0, max: 4 });
    const counts = fc.tuple(count, count, count, count);
    const progress = fc.option(fc.constantFrom(begun, complete, paused, failed, overdue), { nil: undefined });
    const before = fc.constantFrom([], [reconciling], [stalled]);
    const spec = fc.record({ replicas: count, progressDeadlineSeconds: fc.constantFrom(600, UNLIMITED) });
    fc.assert(
      fc.property(
        counts,
        fc.constantFrom(serving, notServing),
        progress,
        before,
        spec,
        (said, available, how, was, own) => {
          const object = myDeployment(own);
          const stored = statusOf(said, available, ...(how ? [how] : []), ...was);
          const status = judgeReconciling(withDefaults(object.spec), stored, NOW);
          const metadata = { ...object.metadata, generation: 1 };
          expect(kstatusOf({ ...object, metadata, status })).toBe(kstatusOfDeployment({ ...object, metadata, status }));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('is in progress before the operator has looked, and stalled when it selects everything', () => {
    const object = myDeployment({ status: { replicas: 0, observedGeneration: -1 } });
    expect(kstatusOf({ ...object, metadata: { ...object.metadata, generation: 1 } })).toBe('InProgress');
    const greedy = { ...object, spec: { ...object.spec, selector: {} } };
    const { status } = plan(snapshotOf(greedy), NOW);
    expect(kstatusOf({ metadata: greedy.metadata, ...(status && { status }) })).toBe('Failed');
    expect(status?.conditions).toMatchObject([{ type: 'Stalled', status: 'True', reason: 'SelectingAll' }]);
    const serves = { ...greedy, status: { replicas: 0, conditions: [serving, reconciling] } };
    expect(plan(snapshotOf(serves), NOW).status?.conditions).toEqual([
      serving,
      expect.objectContaining(status?.conditions?.[0] ?? {}),
    ]);
  });
});
