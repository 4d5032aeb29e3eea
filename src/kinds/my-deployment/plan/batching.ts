// When a rollout step is worth its writes. Every step writes two revisions and an event, so a rollout of 1,000 pods
// with a step for each available pod would write thousands of times. While more pods are about to become available, a
// step is deferred until a quarter of the window (surge + unavailable) can be taken at once, or two seconds have
// passed.
//
// Small rollouts are not delayed: up to a window of 7, every pod is a step. A rollout of 1,000 at 25 % / 25 % has a
// window of 500 and takes about 8 steps of 125; the other 375 keep the cluster busy meanwhile, so it is as fast.

import { availableAt } from '../../../workload/pod.ts';
import type { Limits } from '../defaults.ts';
import type { Rollout } from './snapshot.ts';

const PATIENCE_MS = 2000;

export interface NextStep {
  /** Available pods beyond the required ones: this many old pods could be deleted now. */
  readonly spare: number;
  /** Old pods left. */
  readonly old: number;
  /** New pods that are not available yet. */
  readonly underway: number;
}

/** Until when a step is deferred; undefined when it is taken now. */
export function deferStep(rollout: Rollout, { spare, old, underway }: NextStep): number | undefined {
  const enough = stepSize(rollout.limits);
  const isLast = spare >= old;
  if (spare === 0 || isLast || spare >= enough || spare + underway < enough) return undefined;
  const until = availableTimes(rollout)[spare - 1];
  return until !== undefined && until + PATIENCE_MS > rollout.now ? until + PATIENCE_MS : undefined;
}

/** The smallest step that is taken while more pods are about to become available. */
export function stepSize({ maxSurge, maxUnavailable }: Limits): number {
  return Math.max(1, Math.floor((maxSurge + maxUnavailable) / 4));
}

/**
 * The pace of reconciles while pods report every few milliseconds. Where every pod is a step, it takes two reconciles,
 * and with fewer than 50 reconciles a second a rollout of 1,000 pods one by one would take longer than natively. Where
 * a step has many pods, 20 a second are as fast and cheaper.
 */
export function paceMs(limits: Limits): number {
  return stepSize(limits) === 1 ? 20 : 50;
}

/** When pods became available, the latest first: the step consists of the first `spare` of them. */
function availableTimes({ revisions, spec, now }: Rollout): number[] {
  return revisions
    .flatMap(({ active }) => active.map((pod) => availableAt(pod, spec.minReadySeconds) ?? Number.POSITIVE_INFINITY))
    .filter((at) => at <= now)
    .sort((one, other) => other - one);
}
