// The status that the operator writes: its observations, in the fields that kubectl, HPA and PodDisruptionBudget read.
// Conditions start from the stored ones; everything else is counted anew, so a wrong status heals by itself.

import { removeCondition, setDeploymentCondition } from '../../../runtime/conditions.ts';
import type { Execution } from '../../../workload/execute.ts';
import { isTerminating } from '../../../workload/pod.ts';
import { REPLICA_FAILURE } from '../../../workload/replica-failure.ts';
import { formatSelector } from '../../../workload/selector.ts';
import { minAvailable } from '../defaults.ts';
import type { MyDeploymentStatus } from '../types.gen.ts';
import { type Sizes, sizeOf } from './history.ts';
import { AVAILABLE, type Conditions, isComplete, noteFailedUpdate } from './progress.ts';
import { awaitRevision } from './reconciling.ts';
import { situationOf } from './situation.ts';
import { oldRevisions, type Revision, type Rollout, sum } from './snapshot.ts';

/** The status of a rollout whose revisions are to have these sizes. */
export function observedStatus(rollout: Rollout, sizes: Sizes, conditions: Conditions): MyDeploymentStatus {
  const { object, spec, revisions, update } = rollout;
  const available = sum(revisions, (revision) => revision.available);
  const counts = {
    replicas: sum(revisions, ({ active }) => active.length),
    readyReplicas: sum(revisions, ({ ready }) => ready),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, sum(revisions, (revision) => sizeOf(sizes, revision)) - available),
    updatedReplicas: update?.active.length ?? 0,
    terminatingReplicas: sum(revisions, ({ living }) => living.filter(isTerminating).length),
  };
  const current = isComplete(spec, counts) && !isKeptFrom(rollout) ? update : currentRevision(rollout);
  return {
    observedGeneration: object.metadata.generation ?? 0,
    ...counts,
    currentReplicas: current?.active.length ?? 0,
    ...(current && { currentRevision: current.name }),
    ...(update && { updateRevision: update.name }),
    ...(rollout.collisionCount > 0 && { collisionCount: rollout.collisionCount }),
    selector: formatSelector(spec.selector),
    conditions: noteAvailability(rollout, conditions, available),
  };
}

/**
 * True of a rollout that is not complete whatever its pods, because of its policy: one without replicas goes on when there are some
 * again, one in a step when that is over, and a rejected one never. A canary may be all that is left for a moment.
 */
export function isKeptFrom({ update, ...rollout }: Rollout): boolean {
  const { course, limits } = rollout;
  if (course.policy === undefined) return false;
  // A paused object has no revision for its template yet.
  if (update === undefined) return limits.replicas === 0;
  if (course.stable === update.name) return false;
  if (limits.replicas === 0 || course.rejected !== undefined) return true;
  return course.stable !== undefined && situationOf({ ...rollout, update }, course).step !== undefined;
}

/** The revision that the rollout comes from: the one that was in force before, as long as it is there. */
function currentRevision(rollout: Rollout): Revision | undefined {
  const before = rollout.object.status?.currentRevision;
  return (
    rollout.revisions.find(({ name }) => name === before) ??
    oldRevisions(rollout).findLast(({ active, stored }) => stored !== undefined && active.length > 0) ??
    rollout.update
  );
}

function noteAvailability({ limits, now }: Rollout, conditions: Conditions, available: number): Conditions {
  return available >= minAvailable(limits)
    ? setDeploymentCondition(
        conditions,
        {
          type: AVAILABLE,
          status: 'True',
          reason: 'MinimumReplicasAvailable',
          message: 'MyDeployment has minimum availability.',
        },
        now,
      )
    : setDeploymentCondition(
        conditions,
        {
          type: AVAILABLE,
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: 'MyDeployment does not have minimum availability.',
        },
        now,
      );
}

/** The planned status, corrected by the result of the plan. A failure of the new revision's pods takes precedence. */
export function finishStatus(
  planned: MyDeploymentStatus,
  { failures, revisionFailure, collided }: Execution,
  { stored, now }: { readonly stored: MyDeploymentStatus | undefined; readonly now: number },
): MyDeploymentStatus {
  const failure = failures.find(({ revision }) => revision === planned.updateRevision) ?? failures[0];
  const before = planned.conditions ?? [];
  const conditions = failure
    ? setDeploymentCondition(
        before,
        { type: REPLICA_FAILURE, status: 'True', reason: failure.reason, message: failure.message },
        now,
      )
    : removeCondition(before, REPLICA_FAILURE);
  const unrecorded = (message: string): Conditions => {
    const known = stored?.conditions ?? [];
    return awaitRevision(known, noteFailedUpdate(known, conditions, { message, now }), now);
  };
  return {
    ...planned,
    ...(collided && { collisionCount: (planned.collisionCount ?? 0) + 1 }),
    conditions: revisionFailure === undefined ? conditions : unrecorded(revisionFailure),
  };
}
