// Recreate: all old pods go, and not before the last of them has ended does the first new one start. A pod that is
// shutting down still runs, so terminating pods are waited for here, unlike in a rolling update.

import type { Sizes, UpdateRollout } from './history.ts';
import { oldRevisions, type Rollout } from './snapshot.ts';

/** The next step of a recreation. New pods that are there already may stay, but while old ones run, none are added. */
export function recreate(rollout: UpdateRollout): Sizes {
  const { update, limits } = rollout;
  const gone = oldRevisions(rollout).map((revision) => [revision, 0] as const);
  // Also in the place of one that is missing none is added.
  const kept = Math.min(update.desired, update.active.length, limits.replicas);
  const size = oldPodsRunning(rollout) ? kept : limits.replicas;
  return new Map([...gone, [update, size]]);
}

/** True while a pod of another template has not ended for good, whatever else its status says. */
export function oldPodsRunning(rollout: Rollout): boolean {
  return oldRevisions(rollout).some(({ living }) => living.length > 0);
}
