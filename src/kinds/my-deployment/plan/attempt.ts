// Takes an attempt forward under its policy: into a step, on to the next one, past the last one, or into rejection. Every
// decision is data for the revision's record, which is written before any pod follows, so that a crash loses nothing and a
// decision is made once.
//
// Guarantees: at most one rejection an attempt, and none of the stable revision; a step is left only while all of its pods are
// available; a failed gate stays failed; nothing is decided while the object is paused, handed over or scaled to zero.

import {
  COMPLETED,
  promotionsAnnotation,
  type Rejection,
  rejectionAnnotation,
  type StepRecord,
  stepAnnotation,
} from '../../../policy/attempt.ts';
import * as reasons from '../../../policy/conditions.ts';
import { durationMs } from '../../../policy/duration.ts';
import { ABORT, PROMOTE, type Request, requestsOf } from '../../../policy/requests.ts';
import { stableCount } from '../../../policy/steps.ts';
import { type ConditionUpdate, findCondition } from '../../../runtime/conditions.ts';
import type { PlannedEvent } from '../../../workload/action.ts';
import type { Labels } from '../../../workload/selector.ts';
import type { GovernedCourse } from './course.ts';
import { type Failure, failureOf, gateVerdictOf, isStableUnhealthy } from './failures.ts';
import type { Sizes, UpdateRollout } from './history.ts';
import { whereItStands } from './hold.ts';
import { COMPLETE, isRolledOut, PROGRESSING } from './progress.ts';
import { reconciling, stalled } from './reconciling.ts';
import { isStepReached, type Situation, situationOf } from './situation.ts';
import type { Revision } from './snapshot.ts';

/** What the policy makes of a rollout. */
export interface Attempt {
  /** What is to be recorded of the update's revision, beside counts. */
  readonly annotations: Labels;
  /** The sizes to go to; undefined for the native pace. */
  readonly targets: Sizes | undefined;
  /** Reconciling or Stalled, where the policy knows more than the counts tell. */
  readonly condition: ConditionUpdate | undefined;
  readonly events: readonly PlannedEvent[];
  /** When to look again although nothing changes. */
  readonly checkAgainAt?: number;
  /** The stable revision, while the rollout goes back to it. */
  readonly goesBackTo?: Revision;
  /** Why it stands still although it is not paused: requests are refused meanwhile. */
  readonly obstacle?: string | undefined;
  /** Set by the decision to go back, which the sizes of the same plan follow. */
  readonly rejected?: Rejection;
}

export const NO_ATTEMPT: Attempt = { annotations: {}, targets: undefined, condition: undefined, events: [] };

/** Decides about the attempt. */
export function attemptOf(rollout: UpdateRollout, deadline: 'met' | 'exceeded'): Attempt {
  const { course, update } = rollout;
  if (course.policy === undefined) return NO_ATTEMPT;
  if (course.stable === update.name) return atStable(rollout, course);
  const situation = situationOf(rollout, course);
  const obstacle = obstacleOf(situation);
  if (obstacle !== undefined) return standStill(situation, obstacle);
  if (course.stable === undefined) return firstRollout(situation);
  if (course.rejected !== undefined) return goBack(situation, course.rejected);
  if (situation.standsStill) return inStep(situation);
  return decide(situation, deadline);
}

/**
 * The update is the stable revision: complete, or on the way back to it. It has no steps, and is never rejected. Scaled on the
 * way, the revision that people took back gets no share of it.
 */
function atStable(rollout: UpdateRollout, { number }: GovernedCourse): Attempt {
  const { revisions, update, limits } = rollout;
  const complete = { ...NO_ATTEMPT, annotations: completion(rollout, number) };
  const isOnTheWay = revisions.some((revision) => revision !== update && revision.desired > 0);
  return isOnTheWay ? { ...complete, targets: new Map([[update, limits.replicas]]), goesBackTo: update } : complete;
}

/** The first rollout of an object has no steps, and there is nothing to go back to. */
function firstRollout(situation: Situation): Attempt {
  const { rollout, course, standsStill } = situation;
  const isUnderWay = !standsStill && !wasComplete(rollout);
  const failure = isUnderWay ? failureOf(situation, 'met') : undefined;
  return {
    ...NO_ATTEMPT,
    annotations: completion(rollout, course.number),
    condition: failure && stalled(failure.reason, `There is no revision to go back to: ${failure.message}.`),
  };
}

/** True of a rollout that was complete before its policy came: pods that fail since are none of its business. */
function wasComplete({ object: { status }, update }: UpdateRollout): boolean {
  const isUpdate = status?.currentRevision === update.name && status.updateRevision === update.name;
  return isUpdate && findCondition(status?.conditions, PROGRESSING)?.reason === COMPLETE;
}

/** The mark of a revision that was rolled out completely. */
function completion(rollout: UpdateRollout, number: number): Labels {
  const isNew = rollout.update.attempt.completed !== number && rollout.limits.replicas > 0 && isRolledOut(rollout);
  return isNew ? { [COMPLETED]: String(number) } : {};
}

/** Why the rollout can neither go on nor back; undefined when it can. */
function obstacleOf({ course, stable }: Situation): ConditionUpdate | undefined {
  const { refusal, policy } = course;
  if (refusal !== undefined) {
    const message = `RolloutPolicy "${policy.metadata.name}" is not accepted: ${refusal.message}.`;
    return stalled(reasons.POLICY_NOT_ACCEPTED, message);
  }
  if (course.stable === undefined || stable !== undefined) return undefined;
  return stalled(reasons.STABLE_REVISION_LOST, `The stable revision "${course.stable}" is gone or cannot be read.`);
}

/** Holds the rollout where it stands. Where there is nothing but the update, only a step or a rejection has to be held. */
function standStill({ rollout, course, stable, step, count }: Situation, condition: ConditionUpdate): Attempt {
  const others = rollout.revisions.filter((revision) => revision !== rollout.update && revision.desired > 0);
  const isLimited = step !== undefined || count < rollout.limits.replicas;
  const isBound = course.stable !== undefined && (isLimited || course.rejected !== undefined);
  if (others.length === 0 && !isBound) {
    return { ...NO_ATTEMPT, annotations: completion(rollout, course.number), obstacle: condition.message };
  }
  const base = stable ?? others.toSorted((one, other) => one.desired - other.desired).at(-1);
  const targets = whereItStands(rollout, { base, count });
  return { ...NO_ATTEMPT, targets, condition, obstacle: condition.message };
}

function goBack({ rollout: { limits }, stable }: Situation, rejected: Rejection): Attempt {
  const message = `Revision ${rejected.number} was rejected (${rejected.reason}): ${rejected.message}.`;
  return {
    ...NO_ATTEMPT,
    targets: new Map([[stable as Revision, limits.replicas]]),
    goesBackTo: stable as Revision,
    condition: stalled(reasons.REVISION_REJECTED, message),
  };
}

/** What happens next, the most urgent first. */
function decide(situation: Situation, deadline: 'met' | 'exceeded'): Attempt {
  const { rollout, course, record, steps, step, count } = situation;
  const requests = requestsOf(course.policy);
  const abort = requests.get(ABORT);
  if (abort?.number === course.number) return reject(situation, aborted(abort));
  const failure = failureOf(situation, deadline);
  if (failure !== undefined && isStableUnhealthy(situation)) {
    const message = `The rollout fails (${failure.reason}), but half of the stable pods are unavailable, too.`;
    return standStill(situation, stalled(reasons.STABLE_UNHEALTHY, message));
  }
  if (failure !== undefined) return reject(situation, failure);
  if (step === undefined) return inRest(situation);
  const promote = requests.get(PROMOTE);
  const isAsked = promote?.number === course.number && promote.step === record.step;
  if (isAsked && promote.full) return promoted(situation, promote, { step: steps.length + 1 });
  if (isAsked && !record.promoted) return promoted(situation, promote, { step: record.step, promoted: true });
  if (count === 0) return nextStep(situation, 'StepSkipped', 'it needs a surge of at least one pod');
  if (!isStepReached(situation)) return inStep(situation);
  if (record.since === undefined) return inStep(movedTo(situation, { since: rollout.now }));
  if (gateVerdictOf(situation).is === 'passed' && isPauseOver(situation)) {
    return nextStep(situation, 'StepCompleted', `its ${podsAre(count)} available`);
  }
  return inStep(situation);
}

/** Rests in the step, or moves towards it. */
function inStep(situation: Situation): Attempt {
  const { rollout, stable, record, step, count } = situation;
  if (step === undefined) return inRest(situation);
  const targets = new Map([
    [rollout.update, count],
    [stable as Revision, stableCount(count, rollout.limits)],
  ]);
  const until = pauseUntil(situation);
  return {
    ...NO_ATTEMPT,
    annotations: stepAnnotation(record),
    targets,
    condition: waitingFor(situation),
    ...(until !== undefined && until > rollout.now && { checkAgainAt: until }),
  };
}

/** The rest of the rollout has the native pace. */
function inRest({ rollout, course, record }: Situation): Attempt {
  const completed = completion(rollout, course.number);
  const rests = { ...NO_ATTEMPT, annotations: { ...stepAnnotation(record), ...completed } };
  if (Object.keys(completed).length === 0) return rests;
  const message = `Revision ${course.number} is rolled out: later ones go back to ${rollout.update.name}`;
  return withEvent(rests, { type: 'Normal', reason: 'RevisionCompleted', message });
}

/** What a step with all of its pods waits for. Messages contain no numbers that change while it does. */
function waitingFor(situation: Situation): ConditionUpdate | undefined {
  const { record, step, steps, rollout } = situation;
  if (step === undefined || record.since === undefined || !isStepReached(situation)) return undefined;
  const place = `Step ${record.step} of ${steps.length}`;
  const gates = gateVerdictOf(situation);
  if (gates.is === 'failed') return stalled(reasons.GATE_FAILED, `${place} cannot be left: ${gates.message}.`);
  if (rollout.spec.paused) return undefined;
  if (gates.is === 'pending') {
    return reconciling(reasons.GATE_PENDING, `${place} waits for its gates: ${(step.gates ?? []).join(', ')}.`);
  }
  if (record.promoted || step.pause === undefined) return undefined;
  return step.pause.until === 'Promoted'
    ? reconciling(reasons.AWAITING_PROMOTION, `${place} waits for a promotion.`)
    : reconciling(reasons.STEP_PAUSED, `${place} is paused for ${step.pause.duration}.`);
}

/** When a timed pause is over; undefined while it has not begun, and for other pauses. */
function pauseUntil({ record, step }: Situation): number | undefined {
  const duration = step?.pause?.duration;
  return duration === undefined || record.since === undefined
    ? undefined
    : record.since + (durationMs(duration) as number);
}

function isPauseOver(situation: Situation): boolean {
  const { record, step, rollout } = situation;
  if (record.promoted || step?.pause === undefined) return true;
  const until = pauseUntil(situation);
  return until !== undefined && until <= rollout.now;
}

function movedTo(situation: Situation, change: Partial<StepRecord>): Situation {
  return { ...situation, record: { ...situation.record, ...change } };
}

/** The plan that records the next step goes to its size already: records are written before pods follow. */
function nextStep(situation: Situation, reason: string, why: string): Attempt {
  const { steps, record } = situation;
  const message = `Step ${record.step} of ${steps.length} is done: ${why}`;
  const skipped = `Step ${record.step} of ${steps.length} is skipped: ${why}`;
  const event = { type: 'Normal', reason, message: reason === 'StepSkipped' ? skipped : message } as const;
  return withEvent(entered(situation, { step: record.step + 1 }), event);
}

function entered(situation: Situation, { step: to }: { readonly step: number }): Attempt {
  const { since: _, promoted: __, ...kept } = situation.record;
  const record = { ...kept, step: to };
  const course = { ...situation.course, step: record };
  return inStep(situationOf({ ...situation.rollout, course }, course));
}

/** Records who promoted, then goes on as far as gates and pods allow. */
function promoted(
  situation: Situation,
  { by }: Request,
  { step: to, promoted: stays }: { readonly step: number; readonly promoted?: true },
): Attempt {
  const { course, record, steps, rollout } = situation;
  const promotion = { number: course.number, step: record.step, ...(by !== undefined && { by }) };
  const event = {
    type: 'Normal',
    reason: 'StepPromoted',
    message: `Step ${record.step} of ${steps.length} was promoted${byWhom(by)}${stays ? '' : ', with all steps after it'}`,
  } as const;
  const next = stays ? inStep(movedTo(situation, { promoted: true })) : entered(situation, { step: to });
  const promotions = promotionsAnnotation([...rollout.update.attempt.promotions, promotion]);
  return withEvent({ ...next, annotations: { ...next.annotations, ...promotions } }, event);
}

function aborted({ by }: Request): Failure & { readonly by?: string } {
  return { reason: 'Aborted', message: `aborted${byWhom(by)}`, ...(by !== undefined && { by }) };
}

function reject(situation: Situation, failure: Failure & { readonly by?: string }): Attempt {
  const { rollout, course, record, stable } = situation;
  const { number, policy } = course;
  const { name } = stable as Revision;
  const rejected = { number, policy: policy.metadata.uid, stable: name, ...failure, at: rollout.now };
  const message = `Revision ${number} was rejected (${failure.reason}): ${failure.message}; going back to ${name}`;
  const back = goBack(situation, rejected);
  const annotations = { ...stepAnnotation(record), ...rejectionAnnotation(rejected) };
  const event = { type: 'Warning', reason: reasons.REVISION_REJECTED, message } as const;
  return withEvent({ ...back, annotations, rejected }, event);
}

function withEvent(attempt: Attempt, event: PlannedEvent): Attempt {
  return { ...attempt, events: [...attempt.events, event] };
}

function podsAre(count: number): string {
  return count === 1 ? 'pod is' : `${count} pods are`;
}

function byWhom(by: string | undefined): string {
  return by === undefined ? '' : ` by ${by}`;
}
