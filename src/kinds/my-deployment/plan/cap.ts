// Bounds for scaling by share under a policy. Shares know nothing of steps and rejections: a rejected or abandoned revision would
// grow with the others, and under spec.paused the update would grow past its step. What a revision may not have, another one takes.

import { stepsDigest } from '../../../policy/steps.ts';
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
  const most = update && mostOf({ ...recorded, update });
  const isFree = update !== undefined && most === undefined && !isRejected(recorded, update);
  const taker = mayGrow(recorded, isFree ? update : stableIn(recorded));
  return revisions.reduce((bounded, revision) => {
    const isLeaving = isRejected(recorded, revision) || isAbandoned(recorded, revision);
    if (isLeaving) return bound(bounded, revision, { most: revision.desired, taker });
    return revision === update && most !== undefined ? bound(bounded, revision, { most, taker }) : bounded;
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

/** The most pods of the update; undefined where it has its share: past its last step, and back at the stable template. */
function mostOf(rollout: UpdateRollout): number | undefined {
  const { course, spec, update } = rollout;
  if (!spec.paused || course.policy === undefined || course.stable === update.name) return undefined;
  const target = attemptOf(rollout, 'met').targets?.get(update);
  // Without scaling nothing moves while paused, even where there are more pods than the step has.
  const most = target === undefined || isScalingEvent(rollout) ? target : Math.max(update.desired, target);
  // Steps that have changed are entered when the rollout goes on, and what the former ones allowed is not known any more.
  const isOutdated = course.step !== undefined && course.step.steps !== stepsDigest(course.policy.spec);
  return isOutdated ? Math.min(update.desired, most ?? update.desired) : most;
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
