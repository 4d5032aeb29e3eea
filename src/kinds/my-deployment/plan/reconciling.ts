// Reconciling and Stalled, the conditions by which Helm, Flux and other users of kstatus judge kinds that they do not know.
// Together with observedGeneration they say of a MyDeployment what kstatus computes of a Deployment with the same status:
// Reconciling where a Deployment would be in progress, Stalled where it would have failed, neither where it is current.
// kstatus believes whichever it reads first, so an object never has both, and one that does not hold is absent.

import {
  type ConditionUpdate,
  findCondition,
  isConditionTrue,
  removeCondition,
  setDeploymentCondition,
} from '../../../runtime/conditions.ts';
import { progressDeadline, type ResolvedSpec } from '../defaults.ts';
import type { MyDeploymentStatus } from '../types.gen.ts';
import { AVAILABLE, COMPLETE, type Conditions, PAUSED, PROGRESSING, TIMED_OUT } from './progress.ts';

export const RECONCILING = 'Reconciling';
export const STALLED = 'Stalled';

const ROLLING_OUT = reconciling('RollingOut', 'Not all pods are of the newest template, ready and available.');

/** The status with the one of the two conditions that holds: what a policy says, or what all the rest of the status says. */
export function judgeReconciling(
  spec: ResolvedSpec,
  status: MyDeploymentStatus,
  now: number,
  said?: ConditionUpdate,
): MyDeploymentStatus {
  return { ...status, conditions: withOnly(said ?? judgementOf(spec, status), status.conditions ?? [], now) };
}

/** The status of an object about which nothing can be done until its spec changes. */
export function stall(
  status: MyDeploymentStatus,
  { reason, message }: Pick<ConditionUpdate, 'reason' | 'message'>,
  now: number,
): MyDeploymentStatus {
  return { ...status, conditions: withOnly(stalled(reason, message), status.conditions ?? [], now) };
}

/**
 * The conditions while the template's revision cannot be recorded, although the plan takes that for granted. A rollout
 * without a deadline has no Progressing condition that reports the failure; what the plan says of it stays.
 */
export function awaitRevision(stored: Conditions, planned: Conditions, now: number): Conditions {
  if (findCondition(planned, PROGRESSING) === undefined) return planned;
  const before = findCondition(stored, RECONCILING);
  return withOnly(ROLLING_OUT, [...removeCondition(planned, RECONCILING), ...(before ? [before] : [])], now);
}

function withOnly(judgement: ConditionUpdate | undefined, conditions: Conditions, now: number): Conditions {
  const others = [RECONCILING, STALLED].filter((type) => type !== judgement?.type);
  const kept = others.reduce<Conditions>((rest, type) => removeCondition(rest, type), conditions);
  return judgement === undefined ? kept : setDeploymentCondition(kept, judgement, now);
}

/** Messages contain no numbers: a condition whose status and reason stay is not written again. */
function judgementOf(spec: ResolvedSpec, status: MyDeploymentStatus): ConditionUpdate | undefined {
  const progress = findCondition(status.conditions, PROGRESSING);
  if (progress?.reason === TIMED_OUT) {
    return stalled(TIMED_OUT, 'The rollout made no progress for progressDeadlineSeconds.');
  }
  const isTimed = progressDeadline(spec) !== undefined;
  if (hasAllPods(spec, status) && (!isTimed || progress?.reason === COMPLETE)) return undefined;
  if (progress?.reason === PAUSED) return reconciling(PAUSED, 'The MyDeployment is paused.');
  const isRolledOut = (status.updatedReplicas ?? 0) === status.replicas && (!isTimed || progress?.reason === COMPLETE);
  return isRolledOut
    ? reconciling('PodsNotReady', 'Not exactly as many pods as asked for are there, ready and available.')
    : ROLLING_OUT;
}

export function reconciling(reason: string, message: string): ConditionUpdate {
  return { type: RECONCILING, status: 'True', reason, message };
}

export function stalled(reason: string, message: string): ConditionUpdate {
  return { type: STALLED, status: 'True', reason, message };
}

function hasAllPods({ replicas: wanted }: ResolvedSpec, status: MyDeploymentStatus): boolean {
  const { replicas, updatedReplicas = 0, availableReplicas = 0, readyReplicas = 0, conditions } = status;
  return (
    replicas === wanted &&
    updatedReplicas >= wanted &&
    availableReplicas >= updatedReplicas &&
    readyReplicas >= wanted &&
    isConditionTrue(conditions, AVAILABLE)
  );
}
