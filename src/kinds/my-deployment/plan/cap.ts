// Bounds for scaling by share under a policy. Shares know nothing of steps and rejections: a rejected or abandoned revision would
// grow with the others, and under spec.paused the update would grow past its step. What a revision may not have, another one takes.

import { attemptOf } from './attempt.ts';
import { courseOf, isAbandoned, isRejected } from './course.ts';
import { type Sizes, sizeOf, type UpdateRollout } from './history.ts';
import { isScalingEvent } from './scale.ts';
import type { Revision, Rollout } from './snapshot.ts';

/** The sizes, with no revision above what the policy allows it. */
export function capped(rollout: Rollout, sizes: Sizes): Sizes {
  if (rollout.course.policy === undefined) return sizes;
  const recorded = asRecorded(rollout);
  const { update, revisions } = recorded;
  const targets = update && targetsOf({ ...recorded, update });
  const stable = stableIn(recorded);
  const isFree = update !== undefined && targets === undefined && !isRejected(recorded, update);
  const taker = mayGrow(recorded, isFree ? update : stable);
  return revisions.reduce((bounded, revision) => {
    const isLeaving = isRejected(recorded, revision) || isAbandoned(recorded, revision);
    if (isLeaving) return bound(bounded, revision, { most: revision.desired, taker });
    const target = revision === update ? targets?.get(update) : undefined;
    if (target === undefined) return bounded;
    // Without scaling nothing moves while paused, even where there are more pods than the step has.
    const most = isScalingEvent(recorded) ? target : Math.max(revision.desired, target);
    return bound(bounded, revision, { most, taker });
  }, sizes);
}

function stableIn({ revisions, course }: Rollout): Revision | undefined {
  return revisions.find(({ name, template }) => template !== undefined && course.policy && name === course.stable);
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

/**
 * While the template of a paused object has no revision, what is recorded of the newest one holds. One that is not paused is about
 * to leave that one.
 */
function asRecorded(rollout: Rollout): Rollout {
  const { object, course, revisions, spec } = rollout;
  const update = revisions.findLast(({ stored }) => stored !== undefined);
  if (rollout.update !== undefined || !spec.paused || update === undefined) return rollout;
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
