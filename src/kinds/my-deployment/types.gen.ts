// Generated from crds/mydeployments.yaml by `make generate`; edit schema.ts instead.

import type { ObjectMeta } from '../../runtime/object.ts';
import type { PodTemplate } from '../../workload/template-schema.ts';

/**
 * A Deployment that owns its pods: no ReplicaSet in between, history kept in ControllerRevisions.
 */
export interface MyDeployment {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec: MyDeploymentSpec;
  readonly status?: MyDeploymentStatus;
}
/**
 * The pods that should run. Every field means what it means in an apps/v1 Deployment.
 */
export interface MyDeploymentSpec {
  /**
   * How many seconds a pod must be ready without a container crashing before it counts as available. Default 0.
   */
  readonly minReadySeconds?: number;
  /**
   * While true, a changed template does not roll out. Scaling goes on working.
   */
  readonly paused?: boolean;
  /**
   * After how many seconds without progress a rollout counts as failed: the Progressing condition says ProgressDeadlineExceeded, work goes on. Must be greater than minReadySeconds. Default 600.
   */
  readonly progressDeadlineSeconds?: number;
  /**
   * How many pods should run. Default 1.
   */
  readonly replicas?: number;
  /**
   * How many old revisions without pods are kept to roll back to. Default 10.
   */
  readonly revisionHistoryLimit?: number;
  readonly selector: MyDeploymentSpecSelector;
  readonly strategy?: MyDeploymentSpecStrategy;
  /**
   * What each pod is made from. A change of it starts a rollout.
   */
  readonly template: PodTemplate;
}
/**
 * Which pods belong to this MyDeployment. The labels of the template must satisfy it. It cannot change.
 */
export interface MyDeploymentSpecSelector {
  /**
   * Conditions on labels, all of which a pod must meet.
   *
   * @maxItems 32
   */
  readonly matchExpressions?: readonly MyDeploymentSpecSelectorMatchExpression[];
  /**
   * Labels that a pod must have, with these values.
   */
  readonly matchLabels?: {
    readonly [k: string]: string;
  };
}
export interface MyDeploymentSpecSelectorMatchExpression {
  /**
   * The label.
   */
  readonly key: string;
  /**
   * How the label compares with the values.
   */
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /**
   * At least one for In and NotIn, none for Exists and DoesNotExist.
   *
   * @maxItems 64
   */
  readonly values?: readonly string[];
}
/**
 * How pods of an old template are replaced by pods of the new one.
 */
export interface MyDeploymentSpecStrategy {
  readonly rollingUpdate?: MyDeploymentSpecStrategyRollingUpdate;
  /**
   * RollingUpdate (default) replaces pods a few at a time. Recreate removes all old pods before it makes new ones.
   */
  readonly type?: 'RollingUpdate' | 'Recreate';
}
/**
 * The pace of a rolling update. Only allowed when type is RollingUpdate.
 */
export interface MyDeploymentSpecStrategyRollingUpdate {
  /**
   * How many pods may exist above replicas during an update: a number, or a percentage of replicas rounded up. Default 25%. Not 0 while maxUnavailable is 0.
   */
  readonly maxSurge?: number | string;
  /**
   * How many pods may be unavailable during an update: a number, or a percentage of replicas rounded down. Default 25%. Not 0 while maxSurge is 0.
   */
  readonly maxUnavailable?: number | string;
}
/**
 * What was last seen of the pods. Written by the operator.
 */
export interface MyDeploymentStatus {
  /**
   * How many pods have been ready for minReadySeconds.
   */
  readonly availableReplicas?: number;
  /**
   * How many hash collisions were met while naming revisions.
   */
  readonly collisionCount?: number;
  /**
   * Available, Progressing and ReplicaFailure, with the reasons of a Deployment; Reconciling while something is to be done, or Stalled when the progress deadline has passed.
   */
  readonly conditions?: readonly MyDeploymentStatusCondition[];
  /**
   * How many pods are of the template that was complete last, named by currentRevision.
   */
  readonly currentReplicas?: number;
  /**
   * The ControllerRevision that was rolled out completely last.
   */
  readonly currentRevision?: string;
  /**
   * The metadata.generation that this status is about. -1 until the operator has looked at the object.
   */
  readonly observedGeneration?: number;
  /**
   * How many pods are ready.
   */
  readonly readyReplicas?: number;
  /**
   * How many pods exist, leaving out those being deleted.
   */
  readonly replicas: number;
  /**
   * The selector as text, for HorizontalPodAutoscaler and PodDisruptionBudget.
   */
  readonly selector?: string;
  /**
   * How many pods are being deleted and not gone yet.
   */
  readonly terminatingReplicas?: number;
  /**
   * How many pods are missing until replicas pods are available.
   */
  readonly unavailableReplicas?: number;
  /**
   * The ControllerRevision of the newest template.
   */
  readonly updateRevision?: string;
  /**
   * How many pods are of the newest template.
   */
  readonly updatedReplicas?: number;
}
export interface MyDeploymentStatusCondition {
  /**
   * When its status last changed.
   */
  readonly lastTransitionTime?: string;
  /**
   * When it was last written.
   */
  readonly lastUpdateTime?: string;
  /**
   * Why, in a sentence.
   */
  readonly message?: string;
  /**
   * Why, in one word that programs can compare.
   */
  readonly reason?: string;
  /**
   * Whether it holds.
   */
  readonly status: 'True' | 'False' | 'Unknown';
  /**
   * Available, Progressing, ReplicaFailure, Reconciling or Stalled.
   */
  readonly type: string;
}
