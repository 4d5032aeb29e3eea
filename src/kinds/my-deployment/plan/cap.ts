// Bounds for scaling by share under a policy. Shares know nothing of steps and rejections: a rejected or abandoned revision would
// grow with the others, and under spec.paused the update would grow past its step. What a revision may not have, another one takes.

import { attemptOf } from './attempt.ts';
import { courseOf, isAbandoned, isRejected } from './course.ts';
import { type Sizes, sizeOf, type UpdateRollout } from './history.ts';
import { isScalingEvent } from './scale.ts';
import type { Revision, Rollout } from './snapshot.ts';

/** The sizes, with no revision above what the policy allows it. */
export function capped(rollout: Rollout, sizes: Sizes): Sizes {
  const recorded = asRecorded(rollout);
  if (recorded === undefined) return sizes;
  const { update, revisions, course } = recorded;
  const targets = targetsOf(recorded);
  const stable = revisions.find(
    ({ name, template }) => template !== undefined && course.policy && name === course.stable,
  );
  const isFree = targets === undefined && !isRejected(recorded, update);
  const taker = mayGrow(recorded, isFree ? update : stable);
  return revisions.reduce((bounded, revision) => {
    const isLeaving = isRejected(recorded, revision) || isAbandoned(recorded, revision);
    if (isLeaving) return bound(bounded, revision, { most: revision.desired, taker });
    const target = revision === update ? targets?.get(update) : undefined;
    if (target === undefined) return bounded;
    // Without scaling nothing moves while paused, even where there are more pods than the step has.
    const most = isScalingEvent(recorded) ? target : Math.max(update.desired, target);
    return bound(bounded, revision, { most, taker });
  }, sizes);
}

/** Under Recreate no pod is added while one of another revision has not ended. */
function mayGrow({ spec, revisions }: Rollout, taker: Revision | undefined): Revision | undefined {
  const othersRun = revisions.some((revision) => revision !== taker && revision.living.length > 0);
  return spec.strategy.type === 'Recreate' && othersRun ? undefined : taker;
}

/** An update is scaled by share past its last step, and back at the stable template. */
function targetsOf(rollout: UpdateRollout): Sizes | undefined {
  const { course, spec, update } = rollout;
  const isBound = spec.paused && course.policy !== undefined && course.stable !== update.name;
  return isBound ? attemptOf(rollout, 'met').targets : undefined;
}

/** While the template of a paused object has no revision, what is recorded of the newest one holds. */
function asRecorded(rollout: Rollout): UpdateRollout | undefined {
  const { object, course, revisions, update = revisions.findLast(({ stored }) => stored !== undefined) } = rollout;
  if (course.policy === undefined || update === undefined) return undefined;
  if (rollout.update !== undefined) return { ...rollout, update };
  return { ...rollout, update, course: courseOf(object, course.policy, { revisions, update, number: update.number }) };
}

interface Bound {
  readonly most: number;
  /** Undefined where no revision may take more: then there are fewer pods than asked for. */
  readonly taker: Revision | undefined;
}

function bound(sizes: Sizes, revision: Revision, { most, taker }: Bound): Sizes {
  const over = sizeOf(sizes, revision) - most;
  if (over <= 0) return sizes;
  const lowered = new Map([...sizes, [revision, most]]);
  return taker === undefined ? lowered : lowered.set(taker, sizeOf(sizes, taker) + over);
}
