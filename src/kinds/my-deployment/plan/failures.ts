// What makes a rollout go back by itself: its deadline, failing pods of the new revision, or a failed gate. Pods are counted
// as they are at present, without memory. What a quota, a webhook or the scheduler refuses is not the fault of the revision.

import type { RejectionReason } from '../../../policy/attempt.ts';
import { type GateVerdict, gateVerdict } from '../../../policy/gates.ts';
import { shorten } from '../../../runtime/shorten.ts';
import { scaledValue } from '../../../workload/fenceposts.ts';
import { isActive, isTerminal, timeOf } from '../../../workload/pod.ts';
import { podFailure } from '../../../workload/pod-failure.ts';
import { recordFinder } from './ownership.ts';
import type { Situation } from './situation.ts';
import type { Rollout } from './snapshot.ts';

export interface Failure {
  readonly reason: RejectionReason;
  readonly message: string;
}

const DEFAULT_MAX_POD_FAILURES = '50%';
/** Leaves room for the rest of the record in an annotation that people read. */
const LONGEST_MESSAGE = 512;

/** Why the attempt should go back; undefined when it should not, or when its policy does not ask for it. */
export function failureOf(situation: Situation, deadline: 'met' | 'exceeded'): Failure | undefined {
  const { rollback } = situation.course.policy.spec;
  if (rollback === undefined) return undefined;
  const { when = ['ProgressDeadlineExceeded', 'PodFailures', 'Gates'] } = rollback;
  const gates = gateVerdictOf(situation);
  if (when.includes('Gates') && gates.is === 'failed') return { reason: 'GateFailed', message: gates.message };
  const pods = when.includes('PodFailures') ? podFailures(situation) : undefined;
  if (pods !== undefined) return { reason: 'PodFailures', message: pods };
  if (when.includes('ProgressDeadlineExceeded') && deadline === 'exceeded') {
    const { progressDeadlineSeconds } = situation.rollout.spec;
    const message = `no progress for ${progressDeadlineSeconds} seconds (spec.progressDeadlineSeconds)`;
    return { reason: 'ProgressDeadlineExceeded', message };
  }
  return undefined;
}

/** What the gates of the present step say. */
export function gateVerdictOf({ course, record, step }: Situation): GateVerdict {
  return step === undefined ? { is: 'passed' } : gateVerdict(course.policy, step, record);
}

/** True when half of the stable revision's pods are unavailable: going back would not help then. */
export function isStableUnhealthy({ stable }: Situation): boolean {
  return stable !== undefined && stable.desired > 0 && stable.available * 2 <= stable.desired;
}

/** Too many failing pods of the update, in words. */
function podFailures({ rollout, record, course }: Situation): string | undefined {
  const { maxPodFailures = DEFAULT_MAX_POD_FAILURES } = course.policy.spec.rollback ?? {};
  const count = rollout.update.desired;
  if (count === 0) return undefined;
  const failures = failuresOfUpdate(rollout, record.beganAt);
  const most = Math.max(1, Math.ceil(scaledValue(maxPodFailures, count)));
  if (failures.length < most) return undefined;
  const example = shorten(failures[0] as string, LONGEST_MESSAGE);
  return `${failures.length} of ${count} pods fail (maxPodFailures: ${maxPodFailures}): ${example}`;
}

/** A pod that has ended counts only against the attempt that created it, and one that is terminating against none. */
function failuresOfUpdate({ revisions, pods, update }: Rollout, beganAt: number): string[] {
  const find = recordFinder(revisions);
  const ofUpdate = pods.owned.filter((pod) => find(pod)?.name === update?.name);
  const counted = ofUpdate.filter(
    (pod) => isActive(pod) || (isTerminal(pod) && (timeOf(pod.metadata.creationTimestamp) ?? beganAt) >= beganAt),
  );
  return counted.map(podFailure).filter((failure) => failure !== undefined);
}
