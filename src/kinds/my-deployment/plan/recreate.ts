// Recreate: all old pods are deleted, and the first new pod is created after the last old one has ended. A terminating
// pod still runs, so terminating pods are waited for, unlike in a rolling update.

import type { Sizes, UpdateRollout } from './history.ts';
import { oldRevisions, type Rollout } from './snapshot.ts';

/** The next step of a Recreate. Existing new pods stay, but none are added while old ones run. */
export function recreate(rollout: UpdateRollout): Sizes {
  const { update, limits } = rollout;
  const gone = oldRevisions(rollout).map((revision) => [revision, 0] as const);
  // A missing new pod is not replaced either.
  const kept = Math.min(update.desired, update.active.length, limits.replicas);
  const size = oldPodsRunning(rollout) ? kept : limits.replicas;
  return new Map([...gone, [update, size]]);
}

/**
 * The sizes of a Recreate that stands still: no pod is added, nor a lost one replaced, beside pods of another template. When none
 * runs, those of one revision come back.
 */
export function keepApart({ revisions }: Rollout, targets: Sizes): Sizes {
  const present = revisions.filter(({ living }) => living.length > 0);
  const byTarget = [...targets].toSorted(([, one], [, other]) => other - one).map(([revision]) => revision);
  const running = present.length > 0 ? present : byTarget.slice(0, 1);
  return new Map(
    revisions.map((revision) => {
      const target = targets.get(revision) ?? 0;
      const isAlone = running.every((other) => other === revision);
      return [revision, isAlone ? target : Math.min(target, revision.active.length)];
    }),
  );
}

/** True while a pod of another template has not ended for good. */
export function oldPodsRunning(rollout: Rollout): boolean {
  return oldRevisions(rollout).some(({ living }) => living.length > 0);
}
