// The condition and the events that say why pods could not be created, deleted, adopted or released. The condition is
// there while that is so and gone afterwards, as with native workloads.

import { type Condition, removeCondition, setCondition } from '../runtime/conditions.ts';
import type { PlannedEvent } from './action.ts';
import type { PodFailure } from './pod-writes.ts';

export const REPLICA_FAILURE = 'ReplicaFailure';

export type FailureReason = 'FailedCreate' | 'FailedDelete' | 'FailedAdopt' | 'FailedRelease';

const DOING: Readonly<Record<FailureReason, string>> = {
  FailedCreate: 'creating pods',
  FailedDelete: 'deleting pods',
  FailedAdopt: 'adopting orphans',
  FailedRelease: 'releasing pods',
};

export interface Failure {
  readonly reason: string;
  readonly message: string;
}

/** The planned status with the ReplicaFailure condition set or removed by what came of the plan. */
export function noteFailures<S extends StatusWithConditions>(
  planned: S,
  { failures: [failure] }: { readonly failures: readonly Failure[] },
  { now }: { readonly now: number },
): S {
  // A status of these kinds has conditions of metav1; one that has others brings a function of its own.
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

/** All of them, what is worst first: the condition speaks of one, and must not change with whichever was tried last. */
export function worstFirst<F extends { readonly reason: FailureReason }>(failures: readonly F[]): F[] {
  const rank = Object.keys(DOING);
  return failures.toSorted((one, other) => rank.indexOf(one.reason) - rank.indexOf(other.reason));
}

/** What has to be tried again by the queue's back-off. */
export function errorsOf(failures: readonly PodFailure[]): unknown[] {
  return failures.flatMap(({ error }) => (error === undefined ? [] : [error]));
}

/** One event for each reason, however many pods it hit. */
export function failureEvents(failures: readonly PodFailure[]): PlannedEvent[] {
  const first = new Map(failures.toReversed().map((failure) => [failure.reason, failure]));
  return [...first.values()].map(({ reason, message }) => ({
    type: 'Warning',
    reason,
    message: `Error ${DOING[reason]}: ${message}`,
  }));
}
