// Generated from crds/collectors.yaml by `make generate`; edit schema.ts instead.

import type { ObjectMeta } from '../../runtime/object.ts';

/**
 * Observes a Deployment or a MyDeployment and counts what each change of it sets off.
 */
export interface CollectorV2Beta1 {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec: CollectorV2Beta1Spec;
  readonly status?: CollectorV2Beta1Status;
}
/**
 * The workload to observe, and for how long a change is followed.
 */
export interface CollectorV2Beta1Spec {
  /**
   * How many changes are remembered. Default 20.
   */
  readonly changeHistoryLimit?: number;
  /**
   * A change is over when the target is as its spec says and nothing was seen for this long. Default 5.
   */
  readonly quietSeconds?: number;
  readonly targetRef: CollectorV2Beta1SpecTargetRef;
}
/**
 * The workload to observe, in the namespace of the Collector.
 */
export interface CollectorV2Beta1SpecTargetRef {
  /**
   * Deployment or MyDeployment.
   */
  readonly kind: 'Deployment' | 'MyDeployment';
  /**
   * The one of this name.
   */
  readonly name?: string;
  readonly selector?: CollectorV2Beta1SpecTargetRefSelector;
}
/**
 * All that have these labels.
 */
export interface CollectorV2Beta1SpecTargetRefSelector {
  /**
   * Labels that the object must have, with these values.
   */
  readonly matchLabels?: {
    readonly [k: string]: string;
  };
}
/**
 * What was seen. Written by the operator.
 */
export interface CollectorV2Beta1Status {
  /**
   * What the last changes set off, the newest first.
   *
   * @maxItems 100
   */
  readonly changes?: readonly CollectorV2Beta1StatusChange[];
  /**
   * Ready: there is something to observe.
   */
  readonly conditions?: readonly CollectorV2Beta1StatusCondition[];
  /**
   * Watch events, by the kind of the object.
   */
  readonly events?: readonly CollectorV2Beta1StatusEvent[];
  /**
   * The metadata.generation that this status is about. -1 until the operator has looked at the object.
   */
  readonly observedGeneration?: number;
  /**
   * How often a controller that watches all of these was called.
   */
  readonly reconciles?: number;
  /**
   * The workload that these counts are about. They start from zero when it changes.
   */
  readonly target?: string;
  /**
   * How many objects are observed.
   */
  readonly targets?: number;
  /**
   * How many watch events there were in all, also those that no change set off.
   */
  readonly total?: number;
}
export interface CollectorV2Beta1StatusChange {
  /**
   * What was changed, such as `replicas 3 → 1` or `2 pods deleted`.
   */
  readonly change: string;
  /**
   * When the last event of it was seen.
   */
  readonly endedAt?: string;
  /**
   * Watch events, by the kind of the object.
   */
  readonly events: readonly CollectorV2Beta1StatusChangeEvent[];
  /**
   * The metadata.generation of the target that it made.
   */
  readonly generation?: number;
  /**
   * How often a controller that watches all of these was called, several events being one call.
   */
  readonly reconciles: number;
  /**
   * When it was seen first.
   */
  readonly startedAt: string;
  /**
   * Open while it is followed. Closed when it was quiet. Overtaken when the next change came before that. Interrupted when the operator stopped meanwhile, so that some events were not seen.
   */
  readonly state: 'Open' | 'Closed' | 'Overtaken' | 'Interrupted';
  /**
   * The name of the object that changed.
   */
  readonly target: string;
  /**
   * How many watch events it set off.
   */
  readonly total: number;
}
export interface CollectorV2Beta1StatusChangeEvent {
  /**
   * How many objects came to be.
   */
  readonly added: number;
  /**
   * How many objects went.
   */
  readonly deleted: number;
  /**
   * The target itself, or what it owns: ReplicaSet, ControllerRevision, Pod.
   */
  readonly kind: string;
  /**
   * How often an object changed.
   */
  readonly modified: number;
}
export interface CollectorV2Beta1StatusCondition {
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
export interface CollectorV2Beta1StatusEvent {
  /**
   * How many objects came to be.
   */
  readonly added: number;
  /**
   * How many objects went.
   */
  readonly deleted: number;
  /**
   * The target itself, or what it owns: ReplicaSet, ControllerRevision, Pod.
   */
  readonly kind: string;
  /**
   * How often an object changed.
   */
  readonly modified: number;
}
