// Tries an attempt again: a retry gives the revision the next number, and with it everything that was recorded of the former
// attempt is history. Asked for by `kubectl md rollout retry`, or by rolling back to a revision that was rejected.

import { RETRY, requestsOf } from '../../../policy/requests.ts';
import { courseOf } from './course.ts';
import { gateVerdictOf } from './failures.ts';
import type { UpdateRollout } from './history.ts';
import { situationOf } from './situation.ts';
import { updateNumber } from './snapshot.ts';

/** The rollout with the next number for its revision, if a user asks for that and the attempt has failed. */
export function retryIfAsked(rollout: UpdateRollout): UpdateRollout {
  const { course, object } = rollout;
  if (course.policy === undefined) return rollout;
  const request = requestsOf(course.policy).get(RETRY);
  if (request?.number !== course.number || !canRetry(rollout)) return rollout;
  const retried = { ...rollout, isRetried: true };
  const { revisions, update } = rollout;
  return { ...retried, course: courseOf(object, course.policy, { revisions, update, number: updateNumber(retried) }) };
}

/** True of an attempt that was rejected, or that a failed gate keeps where it is. */
export function canRetry(rollout: UpdateRollout): boolean {
  const { course } = rollout;
  if (course.policy === undefined || course.stable === undefined || course.stable === rollout.update.name) return false;
  const situation = situationOf(rollout, course);
  return !situation.standsStill && (course.rejected !== undefined || gateVerdictOf(situation).is === 'failed');
}
