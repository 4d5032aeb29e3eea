// RollingUpdate: how many pods each revision should have next. Never more than replicas + maxSurge in all, never fewer
// available than replicas - maxUnavailable, except for what others take away.
//
// Kubernetes does this in several passes: grow the new one and stop; shrink the old ones and stop; grow again. Shrinking
// does not depend on how far the new one grew, so one pass that shrinks first and then grows ends where they end:
//
//   10 replicas, surge 3, unavailable 2, all 10 old pods available          old  new  total
//   native, pass 1: grow new to the ceiling of 13                           10    3    13
//   native, pass 2: 10 available, 8 have to be, so 2 old ones go             8    3    11
//   native, pass 3: grow new to the ceiling again                            8    5    13
//   here, in one:   shrink old by 2, grow new to 13 - 8                      8    5    13
//
// Then 4 new pods become available: 12 are, so 4 old ones go, 4 + 5 leaves room for 4 new ones: 4 old, 9 new, 13 in all.
// If the new pods never become available: 13 - 8 - 5 unavailable new ones = 0 old ones may go, and the rollout stops.

import { type Limits, maxTotalPods, minAvailable } from '../defaults.ts';
import { deferStep } from './batching.ts';
import type { Sizes, UpdateRollout } from './history.ts';
import { oldRevisions, type Revision } from './snapshot.ts';

/** A revision's count and how many of those are available. */
export interface Size {
  readonly desired: number;
  readonly available: number;
}

export interface RollingStep {
  readonly sizes: Sizes;
  /** When the step is to be taken if no more pods become available until then. */
  readonly waitUntil: number | undefined;
}

/** The next step of a rolling update. */
export function roll(rollout: UpdateRollout): RollingStep {
  const { limits, update } = rollout;
  const old = oldRevisions(rollout);
  const sizes = old.map(sizeNow);
  const updateNow = sizeNow(update);
  const healthy = cleanUpUnhealthy(sizes, maxScaledDown(limits, updateNow, sizes));
  const spare = spareAvailable(limits, [updateNow, ...sizes]);
  const waitUntil = deferStep(rollout, {
    spare,
    old: total(healthy),
    underway: updateNow.desired - updateNow.available,
  });
  const shrunk = waitUntil === undefined ? scaleDown(healthy, spare) : healthy;
  const grown = growUpdate(limits, updateNow.desired, total(shrunk));
  const oldSizes = old.map((revision, index) => [revision, (shrunk[index] as Size).desired] as const);
  return { sizes: new Map([...oldSizes, [update, grown]]), waitUntil };
}

/** The new revision's count: up to the ceiling, never above the replicas, though it may have been. */
export function growUpdate(limits: Limits, update: number, old: number): number {
  const room = Math.max(0, maxTotalPods(limits) - old - update);
  return Math.min(limits.replicas, update + room);
}

/**
 * How many old pods may go at most, healthy or not. New pods that are not available yet are counted as if they were
 * not there: otherwise a new template that never works would eat up the old pods one by one.
 */
export function maxScaledDown(limits: Limits, update: Size, old: readonly Size[]): number {
  return Math.max(0, total(old) + update.available - minAvailable(limits));
}

/** How many available pods there are beyond those that have to be. */
export function spareAvailable(limits: Limits, all: readonly Size[]): number {
  return Math.max(0, all.reduce((sum, { available }) => sum + available, 0) - minAvailable(limits));
}

/** Takes up to `most` pods that serve nobody, the oldest revisions' first: they would only hold up the rollout. */
export function cleanUpUnhealthy(old: readonly Size[], most: number): Size[] {
  return takeInOrder(old, most, ({ desired, available }) => desired - available);
}

/** Takes `count` pods, the oldest revisions' first. */
export function scaleDown(old: readonly Size[], count: number): Size[] {
  return takeInOrder(old, count, ({ desired }) => desired);
}

function takeInOrder(sizes: readonly Size[], most: number, takeable: (size: Size) => number): Size[] {
  let left = most;
  return sizes.map((size) => {
    const taken = Math.min(left, takeable(size));
    left -= taken;
    const desired = size.desired - taken;
    return { desired, available: Math.min(size.available, desired) };
  });
}

/** Pods above a revision's count are about to go, the unavailable ones first, so they are not relied upon. */
function sizeNow({ desired, available }: Pick<Revision, 'desired' | 'available'>): Size {
  return { desired, available: Math.min(desired, available) };
}

function total(sizes: readonly Size[]): number {
  return sizes.reduce((sum, { desired }) => sum + desired, 0);
}
