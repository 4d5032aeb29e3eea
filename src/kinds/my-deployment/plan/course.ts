// Where a rollout is bound for, by what the revisions record and the policy says: the revision to go back to, the step
// that the attempt is in, whether it was rejected, and which revisions leave first. Without a policy nothing of this exists.

import type { Rejection, StepRecord } from '../../../policy/attempt.ts';
import { governing, isAbout, type Refusal, refusalOf } from '../../../policy/governing.ts';
import type { RolloutPolicy } from '../../../policy/types.gen.ts';
import type { MyDeployment } from '../types.gen.ts';
import type { Revision } from './snapshot.ts';

export type Course = NativeCourse | GovernedCourse;

interface NativeCourse {
  readonly policy: undefined;
}

export interface GovernedCourse {
  readonly policy: RolloutPolicy;
  /** Why the policy cannot govern this object as it is. */
  readonly refusal: Refusal | undefined;
  /** The name of the revision that was rolled out completely last, perhaps the update's; undefined when there was none. */
  readonly stable: string | undefined;
  /** The number of the present attempt. */
  readonly number: number;
  /** What is recorded of the present attempt, under this policy. */
  readonly step: StepRecord | undefined;
  readonly rejected: Rejection | undefined;
}

export const NATIVE: Course = { policy: undefined };

interface Recorded {
  readonly revisions: readonly Revision[];
  readonly update: Revision | undefined;
  /** The number that the update has or is about to get. */
  readonly number: number;
}

/** The policy for this object; undefined when there is none. */
export function policyOf({ metadata }: MyDeployment, policies: readonly RolloutPolicy[]): RolloutPolicy | undefined {
  return governing(policies.filter((policy) => isAbout(policy, metadata)));
}

/** The course under this policy. */
export function courseOf(object: MyDeployment, policy: RolloutPolicy | undefined, recorded: Recorded): Course {
  if (policy === undefined) return NATIVE;
  const { update, number } = recorded;
  const isPresent = (record: { readonly number: number; readonly policy: string } | undefined): boolean =>
    record?.number === number && record.policy === policy.metadata.uid;
  const { step, rejected } = update?.attempt ?? {};
  const present = {
    step: isPresent(step) ? step : undefined,
    rejected: isPresent(rejected) ? rejected : undefined,
  };
  return {
    policy,
    refusal: refusalOf(policy, object),
    stable:
      update?.attempt.completed === number
        ? update.name
        : stableOf(object, recorded, { uid: policy.metadata.uid, ...present }),
    number,
    ...present,
  };
}

interface Present {
  /** Of the policy. */
  readonly uid: string;
  readonly step: StepRecord | undefined;
  readonly rejected: Rejection | undefined;
}

/**
 * The revision that an attempt can go back to: the one on its record, or the one that was completed last. Where that is gone, a
 * rejected revision may be the only one left with pods; it does not take its place.
 */
function stableOf(
  { status }: MyDeployment,
  { revisions: all, update }: Recorded,
  { uid, ...present }: Present,
): string | undefined {
  const recorded = present.rejected?.stable ?? present.step?.stable;
  if (recorded !== undefined) return recorded;
  const revisions = all.filter((revision) => revision === update || !wasRejected(revision, uid));
  const marked = revisions
    .filter(({ attempt }) => attempt.completed !== undefined)
    .toSorted((one, other) => completedAs(one) - completedAs(other))
    .at(-1);
  const current = revisions.find(({ name }) => name === status?.currentRevision);
  if (marked === undefined) {
    // The policy is new: the revision that the status names counts, as long as it serves or an attempt names it.
    const isCurrent = current !== undefined && current !== update && current.available > 0;
    const named = lastNamed(all, uid);
    return isCurrent ? current.name : revisions.find(({ name }) => name === named)?.name;
  }
  // What was completed while there was no policy is not marked on any revision, but the status names it. The status may also name
  // one that never was complete, when the one before it is gone.
  const isTold = current !== update || status?.updateRevision === current?.name;
  const isLater = current !== undefined && current.number > completedAs(marked) && !isIncomplete(current, uid);
  return isLater && isTold ? current.name : marked.name;
}

/** The stable revision of the last attempt under this policy. */
function lastNamed(revisions: readonly Revision[], uid: string): string | undefined {
  const isBy = ({ number, attempt: { step } }: Revision): boolean => step?.policy === uid && step.number === number;
  return revisions.findLast(isBy)?.attempt.step?.stable;
}

function completedAs({ attempt }: Revision): number {
  return attempt.completed ?? 0;
}

interface Ordered {
  readonly revisions: readonly Revision[];
  readonly update: Revision | undefined;
  readonly course: Course;
}

/** True of a revision whose last attempt was rejected under the policy: the update's, or one that another has taken the place of. */
export function isRejected({ update, course }: Omit<Ordered, 'revisions'>, revision: Revision): boolean {
  if (course.policy === undefined) return false;
  if (revision.name === update?.name) return course.rejected !== undefined;
  return wasRejected(revision, course.policy.metadata.uid);
}

function wasRejected({ number, attempt: { rejected } }: Revision, policy: string): boolean {
  return rejected?.policy === policy && rejected.number === number;
}

/**
 * True of a revision whose attempt under the policy was left before it was complete, because the template changed again; not of
 * one that is the stable revision all the same.
 */
export function isAbandoned({ update, course }: Omit<Ordered, 'revisions'>, revision: Revision): boolean {
  if (course.policy === undefined || [update?.name, course.stable].includes(revision.name)) return false;
  return isIncomplete(revision, course.policy.metadata.uid);
}

/** True of a revision whose last attempt was begun under the policy and never completed. */
function isIncomplete({ number, attempt: { step, completed } }: Revision, policy: string): boolean {
  return completed !== number && step?.policy === policy && step.number === number;
}

/** The rollout with counts under which no lost pod of a rejected revision is replaced. */
export function withoutLost<R extends Ordered>(rollout: R): R {
  const revisions = rollout.revisions.map((revision) =>
    isRejected(rollout, revision) && revision.desired > revision.active.length
      ? { ...revision, desired: revision.active.length }
      : revision,
  );
  return { ...rollout, revisions, update: revisions.find(({ name }) => name === rollout.update?.name) };
}

/**
 * All revisions, those that leave first in front: from old to new, but rejected ones before all others, the stable one after
 * those in between, and the update after it.
 */
export function leavingOrder({ revisions, update, course }: Ordered): readonly Revision[] {
  if (course.policy === undefined) return revisions;
  const rank = (revision: Revision): number => {
    if (isRejected({ update, course }, revision)) return 0;
    if (revision.name === update?.name) return 3;
    return revision.name === course.stable ? 2 : 1;
  };
  return revisions.toSorted((one, other) => rank(one) - rank(other));
}
