// Scales without rolling: the replicas changed in mid-rollout, or the rollout is paused. Every revision with pods grows
// or shrinks by its share, so that the proportion of old and new pods stays the same.
//
//   10 replicas and a surge of 3, 8 old and 5 new pods; scaled to 30, so 33 with the surge: 20 more
//   old: round(8 x 33 / 13) = 20, that is 12 more; new: round(5 x 33 / 13) = 13, that is 8 more; none left over

import { maxTotalPods } from '../defaults.ts';
import type { Sizes } from './history.ts';
import type { Revision, Rollout } from './snapshot.ts';

/** True when a revision with pods was last sized for another number of replicas. Recreate has no proportion to keep. */
export function isScalingEvent({ revisions, limits, spec }: Rollout): boolean {
  if (spec.strategy.type === 'Recreate') return false;
  return revisions.some(
    ({ desired, recorded: { ownerReplicas } }) =>
      desired > 0 && ownerReplicas !== undefined && ownerReplicas !== limits.replicas,
  );
}

/** The sizes that follow from the replicas alone. */
export function scale(rollout: Rollout): Sizes {
  const { update, spec } = rollout;
  const single = activeOrLatest(rollout);
  if (single !== undefined) return new Map([[single, sizeOfSingle(rollout, single)]]);
  const active = rollout.revisions.filter(({ desired }) => desired > 0);
  if (update !== undefined && isSaturated(rollout, update)) {
    return new Map(active.filter((revision) => revision !== update).map((revision) => [revision, 0]));
  }
  return spec.strategy.type === 'Recreate' ? new Map() : scaleByShare(rollout, active);
}

/** The revision that takes all replicas: the only one with pods, or the newest if none has any. */
function activeOrLatest({ revisions, update, limits }: Rollout): Revision | undefined {
  const active = revisions.filter(({ desired }) => desired > 0);
  const [single = update ?? revisions.at(-1)] = active;
  if (single === undefined || active.length > 1) return undefined;
  return single.template === undefined && single.desired < limits.replicas ? undefined : single;
}

/** All replicas; but under Recreate none are added while pods of another template run, paused or not. */
function sizeOfSingle({ revisions, limits: { replicas }, spec }: Rollout, single: Revision): number {
  const othersRun = revisions.some((revision) => revision !== single && revision.living.length > 0);
  const kept = Math.min(single.desired, single.active.length, replicas);
  return spec.strategy.type === 'Recreate' && othersRun ? kept : replicas;
}

/** True when the new revision has all replicas, and they are available. */
function isSaturated({ limits: { replicas } }: Rollout, update: Revision): boolean {
  const { desired, available, recorded } = update;
  return desired === replicas && recorded.ownerReplicas === replicas && available === replicas;
}

function scaleByShare(rollout: Rollout, active: readonly Revision[]): Sizes {
  const toAdd = maxTotalPods(rollout.limits) - active.reduce((sum, { desired }) => sum + desired, 0);
  // A paused rollout that is not scaled stays as it is, even where there is room for a surge.
  if (toAdd > 0 && !isScalingEvent(rollout)) return new Map();
  // Largest first. Among equals, the newer grow first and the older shrink first.
  const inAgeOrder = toAdd > 0 ? active.toReversed() : active;
  const ranked = inAgeOrder.toSorted((one, other) => other.desired - one.desired);
  return distribute(rollout, toAdd > 0 ? ranked.filter(({ template }) => template !== undefined) : ranked, toAdd);
}

/** Gives each revision its share in turn, and the rounding remainder to the first. */
function distribute(rollout: Rollout, ranked: readonly Revision[], toAdd: number): Sizes {
  let left = toAdd;
  const sizes = ranked.map((revision): [Revision, number] => {
    const change = left === 0 ? 0 : share(rollout, revision);
    const granted = toAdd > 0 ? Math.min(change, left) : Math.max(change, left);
    left -= granted;
    return [revision, revision.desired + granted];
  });
  return new Map(sizes.map(([revision, size], index) => [revision, Math.max(0, index === 0 ? size + left : size)]));
}

/** By how much a revision has to grow or shrink (negative) to keep its share. */
export function share({ limits, object }: Rollout, revision: Revision): number {
  if (limits.replicas === 0) return -revision.desired;
  // Without a record of the former size, the present total is used: the sum of all shares is limited anyway.
  const before = revision.recorded.ownerMaxTotalPods || (object.status?.replicas ?? 0);
  return before === 0 ? 0 : Math.round((revision.desired * maxTotalPods(limits)) / before) - revision.desired;
}
