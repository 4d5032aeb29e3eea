// Generated from crds/rolloutpolicies.yaml by `make generate`; edit schema.ts instead.

import type { ObjectMeta } from '../runtime/object.ts';

/**
 * How a MyDeployment rolls out: in steps, through gates, and back by itself. Its spec stays untouched.
 */
export interface RolloutPolicy {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec: RolloutPolicySpec;
  readonly status?: RolloutPolicyStatus;
}
/**
 * How the target rolls out. The spec of the target stays as its user wrote it.
 */
export interface RolloutPolicySpec {
  /**
   * Checks that steps refer to by name.
   *
   * @maxItems 20
   */
  readonly gates?: readonly RolloutPolicySpecGate[];
  readonly pods?: RolloutPolicySpecPods;
  readonly rollback?: RolloutPolicySpecRollback;
  /**
   * Where a rollout rests on its way, in this order. After the last step come all replicas at the pace of the strategy. Without steps a rollout has the native pace.
   *
   * @maxItems 20
   */
  readonly steps?: readonly RolloutPolicySpecStep[];
  readonly targetRef: RolloutPolicySpecTargetRef;
}
export interface RolloutPolicySpecGate {
  /**
   * How many good measurements it takes to pass. Default 1.
   */
  readonly count?: number;
  /**
   * The time between two measurements; the first one is made after it. Default 30s.
   */
  readonly interval?: string;
  readonly job?: RolloutPolicySpecGateJob;
  /**
   * By this name steps refer to the gate.
   */
  readonly name: string;
  /**
   * What a query without a result, or with NaN, means. Hold (default): measure again. Fail: the gate fails.
   */
  readonly onNoData?: 'Hold' | 'Fail';
  readonly prometheus?: RolloutPolicySpecGatePrometheus;
}
/**
 * A Job that has to succeed. It is made from a CronJob of the namespace, which may be suspended.
 */
export interface RolloutPolicySpecGateJob {
  /**
   * The CronJob whose template the Job is made from.
   */
  readonly fromCronJob: string;
}
/**
 * A query to Prometheus whose result has to stay within bounds.
 */
export interface RolloutPolicySpecGatePrometheus {
  /**
   * The highest value that is good.
   */
  readonly max?: string;
  /**
   * The lowest value that is good.
   */
  readonly min?: string;
  /**
   * A PromQL query that yields one sample or a scalar. {{namespace}}, {{pods}} and {{stablePods}} are filled in; the last two are patterns for =~ that match the names of the new and of the stable pods.
   */
  readonly query: string;
  /**
   * The server, by the name that the operator knows it by (its flag --prometheus). Default "default".
   */
  readonly server?: string;
}
/**
 * How single pods are replaced and removed, also outside of rollouts. What is absent is as natively.
 */
export interface RolloutPolicySpecPods {
  readonly inPlace?: RolloutPolicySpecPodsInPlace;
  /**
   * When a pod that leaves makes room for another one. TerminationStarted (default): as soon as it is being deleted. TerminationComplete: when it has ended, so that there are never more than replicas + maxSurge pods, terminating ones included.
   */
  readonly podReplacementPolicy?: 'TerminationStarted' | 'TerminationComplete';
  readonly scaleDown?: RolloutPolicySpecPodsScaleDown;
  /**
   * Pods on cordoned nodes get their successors before they are evicted, where a PodDisruptionBudget allows no disruption even when all replicas are healthy: as many at a time as maxSurge allows, until the node is drained or uncordoned. Without a surge nothing happens. Default false.
   */
  readonly surgeOnDrain?: boolean;
}
/**
 * Whether pods get a new template without being replaced: they keep their names, addresses and nodes. Their containers stop meanwhile, so it takes a maxUnavailable of at least one pod.
 */
export interface RolloutPolicySpecPodsInPlace {
  /**
   * How long a pod gets no requests from its Services before its containers are restarted, such as 10s; 0s for at once. Default 10s.
   */
  readonly gracePeriod?: string;
  /**
   * Never: pods are replaced. IfPossible: container images, CPU and memory, and labels are changed in the running pod; for any other change, and for pods that cannot be changed, pods are replaced.
   */
  readonly mode: 'Never' | 'IfPossible';
}
/**
 * Which pods go first when there are to be fewer.
 */
export interface RolloutPolicySpecPodsScaleDown {
  /**
   * The label of nodes that names their topology domain, such as topology.kubernetes.io/zone. Among pods that are equally ready and cost the same to delete, the domain with the most pods loses one first. Pods on nodes without the label count as one domain.
   */
  readonly spreadBy: string;
}
/**
 * When a rollout goes back to the stable revision by itself. Absent: never.
 */
export interface RolloutPolicySpecRollback {
  /**
   * How many failing pods of the new revision make a rollout go back: a number, or a percentage of how many the new revision should have, rounded up. Default 50%.
   */
  readonly maxPodFailures?: number | string;
  /**
   * What makes a rollout go back. Default: all three.
   *
   * @minItems 1
   * @maxItems 3
   */
  readonly when?: readonly ('ProgressDeadlineExceeded' | 'PodFailures' | 'Gates')[];
}
export interface RolloutPolicySpecStep {
  /**
   * Names of gates that have to pass before the rollout goes on.
   *
   * @maxItems 20
   *
   * Items: A gate of spec.gates.
   */
  readonly gates?: readonly string[];
  readonly pause?: RolloutPolicySpecStepPause;
  /**
   * How many pods of the new revision this step has: a number, or a percentage of replicas rounded up. At most replicas - 1.
   */
  readonly replicas: number | string;
}
/**
 * How long the rollout rests here once all pods of the step are available.
 */
export interface RolloutPolicySpecStepPause {
  /**
   * For this long, such as 10m.
   */
  readonly duration?: string;
  /**
   * Promoted: until a user runs `kubectl md rollout promote`.
   */
  readonly until?: 'Promoted';
}
/**
 * The MyDeployment of the same namespace that this policy is about. It cannot change.
 */
export interface RolloutPolicySpecTargetRef {
  /**
   * MyDeployment.
   */
  readonly kind?: 'MyDeployment';
  /**
   * Its name.
   */
  readonly name: string;
}
/**
 * Where the rollout stands. Written by the operator.
 */
export interface RolloutPolicyStatus {
  /**
   * Accepted: the policy governs its target. Reconciling while a rollout is under way, Stalled when it needs a person, Ready when neither holds.
   */
  readonly conditions?: readonly RolloutPolicyStatusCondition[];
  /**
   * The results of the gates of the present step.
   *
   * @maxItems 20
   */
  readonly gates?: readonly RolloutPolicyStatusGate[];
  /**
   * The number of the attempt: the revision number of the ControllerRevision.
   */
  readonly number?: number;
  /**
   * The metadata.generation that this status is about. -1 until the operator has looked at the object.
   */
  readonly observedGeneration?: number;
  readonly rejected?: RolloutPolicyStatusRejected;
  /**
   * The ControllerRevision of the target's template.
   */
  readonly revision?: string;
  /**
   * The ControllerRevision that was last rolled out completely.
   */
  readonly stableRevision?: string;
  /**
   * The step that the rollout is in, from 1; one more than there are steps for the rest. Absent when nothing rolls out.
   */
  readonly step?: number;
  /**
   * When all pods of the step were available for the first time: its pause and its gates count from then.
   */
  readonly stepStartedAt?: string;
  /**
   * How many steps the policy has.
   */
  readonly steps?: number;
}
export interface RolloutPolicyStatusCondition {
  /**
   * When its status last changed.
   */
  readonly lastTransitionTime: string;
  /**
   * Why, in a sentence.
   */
  readonly message: string;
  /**
   * The metadata.generation that was judged.
   */
  readonly observedGeneration?: number;
  /**
   * Why, in one word that programs can compare.
   */
  readonly reason: string;
  /**
   * Whether it holds.
   */
  readonly status: 'True' | 'False' | 'Unknown';
  /**
   * What it is about.
   */
  readonly type: string;
}
export interface RolloutPolicyStatusGate {
  /**
   * How many measurements in a row could not be made.
   */
  readonly errors?: number;
  /**
   * What was measured last.
   */
  readonly lastValue?: string;
  /**
   * When it was measured last.
   */
  readonly measuredAt?: string;
  /**
   * The state in a sentence.
   */
  readonly message?: string;
  /**
   * The gate of spec.gates.
   */
  readonly name: string;
  /**
   * The number of the attempt: the revision number of the ControllerRevision.
   */
  readonly number: number;
  /**
   * Pending: being measured. NoData: the last measurement had no result. Error: it could not be measured. Passed and Failed are final for this step and number.
   */
  readonly state: 'Pending' | 'NoData' | 'Error' | 'Passed' | 'Failed';
  /**
   * The step that it was measured for.
   */
  readonly step: number;
  /**
   * How many measurements were good.
   */
  readonly successes?: number;
  /**
   * The last values, the newest last.
   *
   * @maxItems 20
   */
  readonly values?: readonly string[];
}
/**
 * Why the target's revision was rejected. Absent when it was not.
 */
export interface RolloutPolicyStatusRejected {
  /**
   * When it was rejected.
   */
  readonly at: string;
  /**
   * Who aborted it.
   */
  readonly by?: string;
  /**
   * What happened, in a sentence.
   */
  readonly message: string;
  /**
   * The number of the attempt: the revision number of the ControllerRevision.
   */
  readonly number: number;
  /**
   * ProgressDeadlineExceeded, PodFailures, GateFailed or Aborted.
   */
  readonly reason: string;
}
