// When a rollout step is worth a write. Every step writes two revisions and tells an event, so a rollout of a thousand
// that took one for each pod that became available would write thousands of times. While more pods are on their way, a
// step waits until a quarter of the window (surge + unavailable) has come together, or two seconds have passed.
//
// This costs a small rollout nothing: up to a window of 7, every pod is a step. A rollout of 1,000 at 25 % / 25 % has a
// window of 500 and takes about 8 steps of 125; the other 375 keep the cluster busy meanwhile, so it is as fast.

import { availableAt } from '../../../workload/pod.ts';
import type { Limits } from '../defaults.ts';
import type { Rollout } from './snapshot.ts';

const PATIENCE_MS = 2000;

export interface NextStep {
  /** Available pods beyond those that have to be: as many old ones could go now. */
  readonly spare: number;
  /** Old pods left. */
  readonly old: number;
  /** New pods that are not available yet. */
  readonly underway: number;
}

/** Until when a step should wait for company; undefined when it should be taken now. */
export function deferStep(rollout: Rollout, { spare, old, underway }: NextStep): number | undefined {
  const enough = stepSize(rollout.limits);
  const isLast = spare >= old;
  if (spare === 0 || isLast || spare >= enough || spare + underway < enough) return undefined;
  const until = availableTimes(rollout)[spare - 1];
  return until !== undefined && until + PATIENCE_MS > rollout.now ? until + PATIENCE_MS : undefined;
}

/** The smallest step worth a write while more are to come. */
export function stepSize({ maxSurge, maxUnavailable }: Limits): number {
  return Math.max(1, Math.floor((maxSurge + maxUnavailable) / 4));
}

/**
 * How long two decisions are apart while pods report every few milliseconds. Where every pod is a step, it takes two
 * decisions each, and a thousand pods one by one would take longer than natively if they came less often than fifty times
 * a second. Where a step takes many, twenty times are as good, and cheaper.
 */
export function paceMs(limits: Limits): number {
  return stepSize(limits) === 1 ? 20 : 50;
}

/** When the available pods became so, the latest first: the first `spare` of them are what the step is made of. */
function availableTimes({ revisions, spec, now }: Rollout): number[] {
  return revisions
    .flatMap(({ active }) => active.map((pod) => availableAt(pod, spec.minReadySeconds) ?? Number.POSITIVE_INFINITY))
    .filter((at) => at <= now)
    .sort((one, other) => other - one);
}
