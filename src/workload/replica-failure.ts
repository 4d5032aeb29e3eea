// The condition and the events that say why pods could not be created, deleted, adopted or released. As with native
// workloads, the condition exists only while the failure does.

import { type Condition, removeCondition, setCondition } from '../runtime/conditions.ts';
import type { PlannedEvent } from './action.ts';
import type { PodFailure } from './pod-writes.ts';

export const REPLICA_FAILURE = 'ReplicaFailure';

export type FailureReason = 'FailedCreate' | 'FailedDelete' | 'FailedUpdate' | 'FailedAdopt' | 'FailedRelease';

const DOING: Readonly<Record<FailureReason, string>> = {
  FailedCreate: 'creating pods',
  FailedDelete: 'deleting pods',
  FailedUpdate: 'changing pods in place',
  FailedAdopt: 'adopting orphans',
  FailedRelease: 'releasing pods',
};

export interface Failure {
  readonly reason: string;
  readonly message: string;
}

/** The planned status with the ReplicaFailure condition set or removed according to the result of the plan. */
export function noteFailures<S extends StatusWithConditions>(
  planned: S,
  { failures: [failure] }: { readonly failures: readonly Failure[] },
  { now }: { readonly now: number },
): S {
  // The status of these kinds has metav1 conditions; a kind with other conditions brings its own function.
  const before = (planned.conditions ?? []) as readonly Condition[];
  if (failure === undefined) return { ...planned, conditions: removeCondition(before, REPLICA_FAILURE) };
  const { reason, message } = failure;
  const { observedGeneration = 0 } = planned;
  const update = { type: REPLICA_FAILURE, status: 'True', reason, message, observedGeneration } as const;
  return { ...planned, conditions: setCondition(before, update, now) };
}

interface StatusWithConditions {
  readonly observedGeneration?: number;
  readonly conditions?: readonly { readonly type: string }[];
}

/**
 * All failures, the most severe first: the condition reports one of them, and must not depend on which was tried last.
 */
export function worstFirst<F extends { readonly reason: FailureReason }>(failures: readonly F[]): F[] {
  const rank = Object.keys(DOING);
  return failures.toSorted((one, other) => rank.indexOf(one.reason) - rank.indexOf(other.reason));
}

/** Failures that the queue's back-off retries. */
export function errorsOf(failures: readonly PodFailure[]): unknown[] {
  return failures.flatMap(({ error }) => (error === undefined ? [] : [error]));
}

/** One event for each reason, whatever the number of pods. */
export function failureEvents(failures: readonly PodFailure[]): PlannedEvent[] {
  const first = new Map(failures.toReversed().map((failure) => [failure.reason, failure]));
  return [...first.values()].map(({ reason, message }) => ({
    type: 'Warning',
    reason,
    message: `Error ${DOING[reason]}: ${message}`,
  }));
}
