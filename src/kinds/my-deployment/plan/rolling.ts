// RollingUpdate: how many pods each revision should have next. Never more than replicas + maxSurge in total, and the
// operator never reduces the available pods below replicas - maxUnavailable.
//
// Kubernetes does this in several passes: scale up the new one and stop; scale down the old ones and stop; scale up
// again. Scaling down does not depend on how far the new one was scaled up, so one pass that scales down first gets the
// same result:
//
//   10 replicas, surge 3, unavailable 2, all 10 old pods available          old  new  total
//   native, pass 1: scale new up to the maximum of 13                       10    3    13
//   native, pass 2: 10 available, 8 required, so 2 old ones go               8    3    11
//   native, pass 3: scale new up to the maximum again                        8    5    13
//   here, in one:   scale old down by 2, scale new up to 13 - 8              8    5    13
//
// Then 4 new pods become available: 12 are, so 4 old ones go; 4 + 5 leaves room for 4 new ones: 4 old, 9 new, 13 in
// total. If the new pods never become available: 13 - 8 - 5 unavailable new ones = 0 old ones may go, and the rollout
// stops.

import { type Limits, maxTotalPods, minAvailable } from '../defaults.ts';
import { deferStep } from './batching.ts';
import { leavingOrder } from './course.ts';
import type { Sizes, UpdateRollout } from './history.ts';
import type { Revision } from './snapshot.ts';

/** A revision's count and how many of those are available. */
export interface Size {
  readonly desired: number;
  readonly available: number;
}

export interface RollingStep {
  readonly sizes: Sizes;
  /** When the step is taken even if no more pods become available. */
  readonly waitUntil: number | undefined;
}

/** The next step of a rolling update. */
export function roll(rollout: UpdateRollout): RollingStep {
  const { limits, update } = rollout;
  const old = leavingOrder(rollout).filter((revision) => revision !== update);
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

/** The new revision's count: as much as maxTotalPods allows, and at most the replicas. */
export function growUpdate(limits: Limits, update: number, old: number): number {
  const room = Math.max(0, maxTotalPods(limits) - old - update);
  return Math.min(limits.replicas, update + room);
}

/**
 * The most old pods that may be deleted, available or not. New pods that are not available yet do not count: otherwise
 * a template that never becomes available would replace the old pods one by one.
 */
export function maxScaledDown(limits: Limits, update: Size, old: readonly Size[]): number {
  return Math.max(0, total(old) + update.available - minAvailable(limits));
}

/** How many available pods there are beyond the required ones. */
export function spareAvailable(limits: Limits, all: readonly Size[]): number {
  return Math.max(0, all.reduce((sum, { available }) => sum + available, 0) - minAvailable(limits));
}

/** Takes up to `most` unavailable pods, those of the oldest revisions first: they would only delay the rollout. */
export function cleanUpUnhealthy(old: readonly Size[], most: number): Size[] {
  return takeInOrder(old, most, ({ desired, available }) => desired - available);
}

/** Takes `count` pods, those of the oldest revisions first. */
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

/** Pods above a revision's count are about to be deleted, unavailable ones first, so they do not count as available. */
function sizeNow({ desired, available }: Pick<Revision, 'desired' | 'available'>): Size {
  return { desired, available: Math.min(desired, available) };
}

function total(sizes: readonly Size[]): number {
  return sizes.reduce((sum, { desired }) => sum + desired, 0);
}
