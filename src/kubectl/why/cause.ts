// What `why` finds: a cause as a sentence, with its evidence and advice.

import type { Rollout } from '../../kinds/my-deployment/plan/snapshot.ts';
import type { RolloutPolicy } from '../../policy/types.gen.ts';
import type {
  Event,
  Pod as FullPod,
  Lease,
  Node,
  PersistentVolumeClaim,
  PodDisruptionBudget,
} from '../../runtime/built-in.ts';
import type { DeploymentCondition } from '../../runtime/conditions.ts';

/** Everything that was read. What the user may not read is missing, and no rule concludes anything from that. */
export interface Facts {
  readonly rollout: Rollout;
  /** The pods of the rollout, with all their fields. */
  readonly pods: readonly FullPod[];
  /** The RolloutPolicies of the namespace. */
  readonly policies: readonly RolloutPolicy[];
  /** Events about the object or one of its pods, oldest first. */
  readonly events: readonly Event[];
  readonly nodes: readonly Node[];
  readonly claims: readonly PersistentVolumeClaim[];
  readonly budgets: readonly PodDisruptionBudget[];
  /** The operator's lease, when it elects a leader. */
  readonly lease: Lease | undefined;
  readonly now: number;
}

export type CauseName =
  | 'operator-away'
  | 'just-changed'
  | 'deleting'
  | 'stalled'
  | 'policy-not-accepted'
  | 'policy-conflicted'
  | 'stable-lost'
  | 'stable-unhealthy'
  | 'no-way-back'
  | 'rejected'
  | 'gate-failed'
  | 'gate-pending'
  | 'awaiting-promotion'
  | 'step-paused'
  | 'paused'
  | 'quota'
  | 'limit-range'
  | 'pod-security'
  | 'webhook-denied'
  | 'webhook-unreachable'
  | 'admission-policy'
  | 'service-account'
  | 'priority-class'
  | 'changed-on-admission'
  | 'selector'
  | 'create-failed'
  | 'delete-failed'
  | 'adopt-failed'
  | 'release-failed'
  | 'revision-failed'
  | 'volume-claim'
  | 'unschedulable'
  | 'scheduling-gate'
  | 'image-pull'
  | 'container-config'
  | 'volume-mount'
  | 'init-container'
  | 'out-of-memory'
  | 'crash-loop'
  | 'probe'
  | 'readiness-gate'
  | 'in-place'
  | 'not-in-place'
  | 'node-lost'
  | 'evicted'
  | 'stuck-terminating'
  | 'min-ready'
  | 'disruption-budget'
  | 'rollout-budget'
  | 'deadline'
  | 'moving'
  | 'complete';

export interface Cause {
  readonly name: CauseName;
  readonly sentence: string;
  /** Where it was read: a pod, an event, a condition. */
  readonly evidence: readonly string[];
  /** What to do about it. */
  readonly advice?: string;
}

/** The pods of one cause at the end of a clause: `pod/web-1` or `3 pods, e.g. pod/web-1`. */
export function podsAtEnd(pods: readonly FullPod[]): string {
  const name = `pod/${pods[0]?.metadata.name}`;
  return pods.length === 1 ? name : `${pods.length} pods, e.g. ${name}`;
}

/** The same where the clause goes on. */
export function podsNamed(pods: readonly FullPod[]): string {
  return pods.length === 1 ? podsAtEnd(pods) : `${podsAtEnd(pods)},`;
}

/** `has` for one, `have` for many. */
export function verb(pods: readonly FullPod[], one: string, many: string): string {
  return pods.length === 1 ? one : many;
}

/** The newest event of one of these reasons about this pod, as evidence. */
export function eventOf(facts: Facts, pod: FullPod | undefined, ...reasons: readonly string[]): Event | undefined {
  return facts.events.findLast(
    ({ involvedObject, reason }) => involvedObject.uid === pod?.metadata.uid && reasons.includes(reason ?? ''),
  );
}

/** An event as a line of evidence. */
export function quoted(event: Event | undefined): string[] {
  if (event === undefined) return [];
  const about = `${event.involvedObject.kind?.toLowerCase()}/${event.involvedObject.name}`;
  return [`event ${event.reason} of ${about}: ${(event.message ?? '').replaceAll(/\s*\n\s*/g, ' ')}`];
}

/** A condition as a line of evidence. */
export function conditionLine({ type, reason = '', message = '' }: DeploymentCondition): string {
  return `condition ${type} (${reason}): ${message.replaceAll(/\s*\n\s*/g, ' ')}`;
}
