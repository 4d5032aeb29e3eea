// The Progressing condition: is the rollout getting anywhere? Reasons are native's, because kubectl, Helm and Argo match
// on them; messages say revision where native says ReplicaSet. Progress is what differs from the stored status: more
// updated pods, fewer old ones, more ready or available. Only progress moves the clock that the deadline runs on.

import { RESTING, REVISION_REJECTED } from '../../../policy/conditions.ts';
import {
  type ConditionUpdate,
  type DeploymentCondition,
  findCondition,
  removeCondition,
  renewDeploymentCondition,
  setDeploymentCondition,
} from '../../../runtime/conditions.ts';
import { timeOf } from '../../../workload/pod.ts';
import { progressDeadline, type ResolvedSpec } from '../defaults.ts';
import type { MyDeploymentStatus } from '../types.gen.ts';
import { REVISION_HISTORY } from './record.ts';
import { type Rollout, updateNumber } from './snapshot.ts';

export const AVAILABLE = 'Available';
export const PROGRESSING = 'Progressing';
export const COMPLETE = 'NewReplicaSetAvailable';
export const TIMED_OUT = 'ProgressDeadlineExceeded';
export const PAUSED = 'DeploymentPaused';
/** Reasons that a policy gives: the deadline stands still meanwhile. */
const OF_POLICY: readonly string[] = [...RESTING, REVISION_REJECTED];
const CREATED = 'NewReplicaSetCreated';
const FOUND = 'FoundNewReplicaSet';
const UPDATED = 'ReplicaSetUpdated';

export type Conditions = readonly DeploymentCondition[];

/** Records that a user paused or resumed the rollout, so that the time in between does not count. A failure stays visible. */
export function notePause({ spec, now }: Rollout, conditions: Conditions): Conditions {
  const reason = findCondition(conditions, PROGRESSING)?.reason;
  if (progressDeadline(spec) === undefined || reason === TIMED_OUT || reason === REVISION_REJECTED) return conditions;
  if (spec.paused)
    return setDeploymentCondition(conditions, progressing('Unknown', PAUSED, 'MyDeployment is paused'), now);
  if (reason !== PAUSED) return conditions;
  return setDeploymentCondition(
    conditions,
    progressing('Unknown', 'DeploymentResumed', 'MyDeployment is resumed'),
    now,
  );
}

/**
 * Records that a rollout begins: to a new revision, to an old one that is used again, or to one that the status does not name
 * yet. The last happens when the operator crashes after it has written the revision and before it has written the status.
 */
export function noteUpdate(rollout: Rollout, conditions: Conditions): Conditions {
  const { update, spec, now, object } = rollout;
  if (progressDeadline(spec) === undefined || update === undefined) return conditions;
  const { name, number, stored } = update;
  const created = progressing('True', CREATED, `Created new revision "${name}"`);
  const found = progressing('True', FOUND, `Found new revision "${name}"`);
  if (stored === undefined) return renewDeploymentCondition(conditions, created, now);
  if (updateNumber(rollout) !== number) return renewDeploymentCondition(conditions, found, now);
  if (object.status?.updateRevision !== name) {
    const wasBefore = stored.metadata.annotations?.[REVISION_HISTORY] !== undefined;
    return renewDeploymentCondition(conditions, wasBefore ? found : created, now);
  }
  return findCondition(conditions, PROGRESSING) === undefined
    ? setDeploymentCondition(conditions, found, now)
    : conditions;
}

/** Judges the rollout by what its policy says, or by its counts: finished, moving, or out of time. */
export function judgeProgress(rollout: Rollout, status: MyDeploymentStatus, said?: ConditionUpdate): Conditions {
  const { spec, now } = rollout;
  const conditions = status.conditions ?? [];
  if (progressDeadline(spec) === undefined) return removeCondition(conditions, PROGRESSING);
  if (said !== undefined && OF_POLICY.includes(said.reason)) {
    const holds = said.reason === REVISION_REJECTED ? 'False' : 'True';
    return setDeploymentCondition(conditions, progressing(holds, said.reason, said.message), now);
  }
  return judgeCounts(rollout, status, conditions);
}

function judgeCounts(rollout: Rollout, status: MyDeploymentStatus, conditions: Conditions): Conditions {
  const { spec, now, update, object } = rollout;
  // Pods that come and go after a finished rollout are no rollout.
  const reason = findCondition(conditions, PROGRESSING)?.reason;
  if (status.replicas === status.updatedReplicas && reason === COMPLETE) return conditions;
  const who = update === undefined ? `MyDeployment "${object.metadata.name}"` : `Revision "${update.name}"`;
  if (isComplete(spec, status)) {
    return setDeploymentCondition(
      conditions,
      progressing('True', COMPLETE, `${who} has successfully progressed.`),
      now,
    );
  }
  if (hasProgressed(storedFor(rollout), status) || OF_POLICY.includes(reason ?? '')) {
    return renewDeploymentCondition(conditions, progressing('True', UPDATED, `${who} is progressing.`), now);
  }
  const deadline = deadlineOf(spec, conditions);
  if (deadline === undefined || now <= deadline) return conditions;
  return setDeploymentCondition(conditions, progressing('False', TIMED_OUT, `${who} has timed out progressing.`), now);
}

/** The last moment at which the rollout is not overdue; undefined when it is not being timed. */
export function deadlineOf(spec: ResolvedSpec, conditions: Conditions): number | undefined {
  const current = findCondition(conditions, PROGRESSING);
  const allowed = progressDeadline(spec);
  const since = timeOf(current?.lastUpdateTime);
  const isTimed = ![COMPLETE, TIMED_OUT, PAUSED, ...OF_POLICY].includes(current?.reason ?? '');
  return isTimed && allowed !== undefined && since !== undefined ? since + allowed : undefined;
}

/** When to look whether the rollout is overdue; undefined when that cannot happen. */
export function progressCheckAt(spec: ResolvedSpec, status: MyDeploymentStatus): number | undefined {
  if (isComplete(spec, status)) return undefined;
  const deadline = deadlineOf(spec, status.conditions ?? []);
  return deadline === undefined ? undefined : deadline + 1;
}

/** True of the reasons of a rollout that has begun or goes on. A change from one of them to another is not urgent. */
export function isUnderway(reason: string | undefined): boolean {
  return reason === CREATED || reason === FOUND || reason === UPDATED;
}

/** True when all pods asked for are of the new template and available, and no others are left. */
export function isComplete({ replicas }: Pick<ResolvedSpec, 'replicas'>, status: MyDeploymentStatus): boolean {
  return (
    (status.updatedReplicas ?? 0) === replicas &&
    status.replicas === replicas &&
    (status.availableReplicas ?? 0) === replicas
  );
}

/** True when the update has all replicas, they are available, and no other pods are left. */
export function isRolledOut({ update, revisions, limits: { replicas } }: Rollout): boolean {
  const active = revisions.reduce((sum, revision) => sum + revision.active.length, 0);
  return active === replicas && update?.available === replicas;
}

/** The stored status as it reads now: pods that were of the newest revision are old when there is a newer one. */
function storedFor({ object: { status }, update }: Rollout): MyDeploymentStatus | undefined {
  const isOutdated = status?.updateRevision !== undefined && status.updateRevision !== update?.name;
  return isOutdated ? { ...status, updatedReplicas: 0 } : status;
}

/** True when the rollout got further between these two. */
export function hasProgressed(before: MyDeploymentStatus = { replicas: 0 }, after: MyDeploymentStatus): boolean {
  const old = ({ replicas, updatedReplicas = 0 }: MyDeploymentStatus): number => replicas - updatedReplicas;
  return (
    (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

/** Says that the new revision could not even be recorded, which undoes what the plan took for granted. */
export function noteFailedUpdate(stored: Conditions, planned: Conditions, { message, now }: FailedUpdate): Conditions {
  if (findCondition(planned, PROGRESSING) === undefined) return planned;
  const before = findCondition(stored, PROGRESSING);
  const undone = [...removeCondition(planned, PROGRESSING), ...(before ? [before] : [])];
  return setDeploymentCondition(undone, progressing('False', 'ReplicaSetCreateError', message), now);
}

interface FailedUpdate {
  readonly message: string;
  readonly now: number;
}

function progressing(status: ConditionUpdate['status'], reason: string, message: string): ConditionUpdate {
  return { type: PROGRESSING, status, reason, message };
}
