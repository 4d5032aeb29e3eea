// An attempt under a policy, with what decides about it in one place.

import type { StepRecord } from '../../../policy/attempt.ts';
import { type Step, stepCount, stepFor, stepsDigest } from '../../../policy/steps.ts';
import { isTerminal, timeOf } from '../../../workload/pod.ts';
import type { Limits } from '../defaults.ts';
import type { GovernedCourse } from './course.ts';
import { handOverPartner } from './hand-over.ts';
import type { UpdateRollout } from './history.ts';
import type { Revision } from './snapshot.ts';

export interface Situation {
  readonly rollout: UpdateRollout;
  readonly course: GovernedCourse;
  readonly steps: readonly Step[];
  /** The revision to go back to; undefined when there is none, or when it is lost. */
  readonly stable: Revision | undefined;
  /** Where the attempt stands; as recorded, or as it is to be recorded now. */
  readonly record: StepRecord;
  /** The step that it stands in; undefined in the rest of the rollout. */
  readonly step: Step | undefined;
  /** How many pods of the update the step has. */
  readonly count: number;
  /** True while nothing is decided: the object is paused or handed over, or has no replicas. */
  readonly standsStill: boolean;
}

/** The situation of an attempt that has left the stable revision and not been completed. */
export function situationOf(rollout: UpdateRollout, course: GovernedCourse): Situation {
  const { spec, limits, object } = rollout;
  const { steps = [] } = course.policy.spec;
  const record = placeOf(rollout, course);
  // Steps that are not accepted are not those that are recorded.
  const isKnown = record.steps === stepsDigest(course.policy.spec);
  const step = isKnown ? steps[record.step - 1] : undefined;
  return {
    rollout,
    course,
    steps,
    stable: rollout.revisions.find(({ name, template }) => name === course.stable && template !== undefined),
    record,
    step,
    count: isKnown ? countOf(step, limits) : shareOf(rollout),
    standsStill: spec.paused || handOverPartner(object) !== undefined || limits.replicas === 0,
  };
}

/** Now, by a clock that may be behind that of the API server: pods that have ended already belong to the past. */
function beginning({ pods, now }: UpdateRollout): number {
  const ended = pods.owned.filter(isTerminal).map(({ metadata }) => timeOf(metadata.creationTimestamp) ?? now);
  return Math.max(now, ...ended.map((createdAt) => createdAt + 1000));
}

function countOf(step: Step | undefined, limits: Limits): number {
  return step === undefined ? limits.replicas : stepCount(step, limits);
}

/** The share of the update, where nothing is known of its step. */
function shareOf({ update: { desired, recorded }, limits: { replicas } }: UpdateRollout): number {
  const { ownerReplicas } = recorded;
  const share = ownerReplicas ? (desired * replicas) / ownerReplicas : desired;
  return Math.min(replicas, Math.ceil(share));
}

/** True when the attempt has as many available pods as its step asks for. */
export function isStepReached({ rollout: { update }, count }: Situation): boolean {
  return update.desired >= count && update.available >= count;
}

/**
 * The recorded place. A new attempt starts at the first step. When a policy arrives or its steps change in the middle of a
 * rollout, the place is the first step that has as many pods as there are, so that no new pod is removed. Steps that are not
 * accepted change nothing.
 */
function placeOf(rollout: UpdateRollout, { policy, refusal, step, number, stable }: GovernedCourse): StepRecord {
  const { update, limits } = rollout;
  const steps = stepsDigest(policy.spec);
  if (step !== undefined && (step.steps === steps || refusal !== undefined)) return step;
  const isNewAttempt = step === undefined && update.attempt.step?.policy === policy.metadata.uid;
  const pods = isNewAttempt ? 0 : update.active.length;
  // The pods that are there were counted for as many replicas as there were.
  const size = { ...limits, replicas: update.recorded.ownerReplicas ?? limits.replicas };
  return {
    number,
    policy: policy.metadata.uid,
    steps,
    step: stepFor(pods, policy.spec.steps ?? [], size),
    ...(stable !== undefined && { stable }),
    beganAt: step?.beganAt ?? beginning(rollout),
  };
}
