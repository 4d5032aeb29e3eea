// The condition that says why pods could not be created or deleted. It is there while that is so and gone afterwards, as
// with native workloads.

import { type Condition, removeCondition, setCondition } from '../runtime/conditions.ts';

const REPLICA_FAILURE = 'ReplicaFailure';

export interface Failure {
  readonly reason: string;
  readonly message: string;
}

/** The conditions with what came of the last attempt noted in them. */
export function noteFailures(
  conditions: readonly Condition[],
  [failure]: readonly Failure[],
  { generation, now }: { readonly generation: number; readonly now: number },
): readonly Condition[] {
  if (failure === undefined) return removeCondition(conditions, REPLICA_FAILURE) ?? [];
  const { reason, message } = failure;
  const finding = { type: REPLICA_FAILURE, status: 'True', reason, message, observedGeneration: generation } as const;
  return setCondition(conditions, finding, now);
}
