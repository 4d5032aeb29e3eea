// The arithmetic of steps. Steps are numbered from 1; the number after the last one stands for the rest of the rollout, at
// the pace of the strategy.

import { canonicalJson } from '../workload/canonical.ts';
import { scaledValue } from '../workload/fenceposts.ts';
import { revisionHash } from '../workload/hash.ts';
import type { RolloutPolicySpec, RolloutPolicySpecStep } from './types.gen.ts';

export type Step = RolloutPolicySpecStep;

/** How a step limits the new revision. */
export interface StepSize {
  readonly replicas: number;
  readonly maxSurge: number;
}

/**
 * How many pods of the new revision a step has: at most all but one, so that the stable revision keeps serving. A single
 * replica stays, and the new pod is the surge; 0 where there is no surge: then the step is skipped.
 */
export function stepCount({ replicas: wanted }: Step, { replicas, maxSurge }: StepSize): number {
  if (replicas === 0) return 0;
  if (replicas === 1) return Math.min(1, maxSurge);
  return Math.min(Math.ceil(scaledValue(wanted, replicas)), replicas - 1);
}

/** How many pods of the stable revision rest beside those of a step. */
export function stableCount(count: number, { replicas }: StepSize): number {
  return replicas === 1 ? 1 : replicas - count;
}

/** Where an attempt that has `pods` new pods finds its place: in the first step that has as many. */
export function stepFor(pods: number, steps: readonly Step[], size: StepSize): number {
  const index = steps.findIndex((step) => stepCount(step, size) >= pods);
  return (index < 0 ? steps.length : index) + 1;
}

/** Tells whether the steps of a policy are still those that an attempt found its place in. */
export function stepsDigest({ steps = [] }: Pick<RolloutPolicySpec, 'steps'>): string {
  return revisionHash(canonicalJson(steps));
}
