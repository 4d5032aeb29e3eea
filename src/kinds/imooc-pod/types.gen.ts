// Generated from crds/imoocpods.yaml by `make generate`; edit schema.ts instead.

import type { ObjectMeta } from '../../runtime/object.ts';

/**
 * Keeps a number of busybox pods asleep.
 */
export interface ImoocPod {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec: ImoocPodSpec;
  readonly status?: ImoocPodStatus;
}
/**
 * How many pods should sleep.
 */
export interface ImoocPodSpec {
  /**
   * How many pods should run, up to 1000. Default 1.
   */
  readonly replicas?: number;
}
/**
 * What was last seen of the pods. Written by the operator.
 */
export interface ImoocPodStatus {
  /**
   * Ready, and ReplicaFailure while pods cannot be created or deleted.
   */
  readonly conditions?: readonly ImoocPodStatusCondition[];
  /**
   * The metadata.generation that this status is about. -1 until the operator has looked at the object.
   */
  readonly observedGeneration?: number;
  /**
   * The names of these pods in alphabetical order, the first 100 of them.
   *
   * @maxItems 100
   */
  readonly podNames?: readonly string[];
  /**
   * How many pods are ready.
   */
  readonly readyReplicas?: number;
  /**
   * How many pods exist, leaving out those being deleted.
   */
  readonly replicas: number;
  /**
   * The label of the pods as text, for HorizontalPodAutoscaler and PodDisruptionBudget.
   */
  readonly selector?: string;
}
export interface ImoocPodStatusCondition {
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
