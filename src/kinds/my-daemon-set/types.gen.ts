// Generated from crds/mydaemonsets.yaml by `make generate`; edit schema.ts instead.

import type { ObjectMeta } from '../../runtime/object.ts';

/**
 * Runs one pod of an image on every node that takes it, following nodes that come and go.
 */
export interface MyDaemonSet {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec: MyDaemonSetSpec;
  readonly status?: MyDaemonSetStatus;
}
/**
 * What runs on every node.
 */
export interface MyDaemonSetSpec {
  /**
   * The container image that runs on every node. Required. A change of it rolls out node by node.
   */
  readonly image?: string;
  /**
   * On how many nodes the pod may be unavailable while an update rolls out: a number, or a percentage of the nodes rounded up. Default 1.
   */
  readonly maxUnavailable?: number | string;
}
/**
 * What was last seen of the pods. Written by the operator.
 */
export interface MyDaemonSetStatus {
  /**
   * How many of these nodes have a pod that serves.
   */
  readonly availableReplicas?: number;
  /**
   * Available, Ready once every node runs the present image, and ReplicaFailure while pods cannot be created or deleted.
   */
  readonly conditions?: readonly MyDaemonSetStatusCondition[];
  /**
   * How many of these nodes have a pod.
   */
  readonly currentNumberScheduled?: number;
  /**
   * How many nodes should run the pod.
   */
  readonly desiredNumberScheduled?: number;
  /**
   * How many other nodes have a pod although they should not get one.
   */
  readonly numberMisscheduled?: number;
  /**
   * How many of these nodes have a pod that is ready.
   */
  readonly numberReady?: number;
  /**
   * How many of these nodes have no pod that serves.
   */
  readonly numberUnavailable?: number;
  /**
   * The metadata.generation that this status is about. -1 until the operator has looked at the object.
   */
  readonly observedGeneration?: number;
  /**
   * How many of these nodes have a pod of the present image.
   */
  readonly updatedNumberScheduled?: number;
}
export interface MyDaemonSetStatusCondition {
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
