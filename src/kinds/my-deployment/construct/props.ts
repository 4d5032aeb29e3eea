// What a person may say about a MyDeployment in a cdk8s app: the props of cdk8s-plus's Deployment, and what a Deployment
// gets from Kubernetes for being a built-in kind and a MyDeployment has to ask for.

import type { Duration } from 'cdk8s';
import type * as kplus from 'cdk8s-plus-27';

export interface MyDeploymentProps extends kplus.WorkloadProps {
  /**
   * How many pods should run. Leave it out when an autoscaler decides.
   * @default 2
   */
  readonly replicas?: number;

  /**
   * How pods of an old template are replaced by pods of the new one.
   * @default - RollingUpdate with maxSurge and maxUnavailable 25%
   */
  readonly strategy?: kplus.DeploymentStrategy;

  /**
   * How long a pod must be ready without a container crashing before it counts as available.
   * @default Duration.seconds(0)
   */
  readonly minReady?: Duration;

  /**
   * After how long without progress a rollout counts as failed. Must be longer than `minReady`.
   * @default Duration.seconds(600)
   */
  readonly progressDeadline?: Duration;

  /**
   * How many old revisions without pods are kept to roll back to.
   * @default 10
   */
  readonly revisionHistoryLimit?: number;

  /**
   * While true, a changed template does not roll out. Scaling goes on working.
   * @default false
   */
  readonly paused?: boolean;

  /**
   * Over what the pods of a revision are spread. Nodes that lack the label of one of the topologies are left out of all.
   * @default - the operator spreads them as the scheduler spreads pods of a Deployment: over nodes and zones
   */
  readonly topologySpread?: readonly TopologySpread[];

  /**
   * Whether the cluster autoscaler may evict the pods to remove a node. Unless told, it keeps nodes with pods of custom
   * kinds.
   * @default - as for a Deployment: true, unless pods keep data on their node (emptyDir on disk, hostPath)
   */
  readonly safeToEvict?: boolean;
}

/** One way in which pods are spread. */
export interface TopologySpread {
  /** What to spread over. */
  readonly topology: kplus.Topology;

  /**
   * How many pods more than the emptiest one any node, zone or other part may have.
   * @default 1
   */
  readonly maxSkew?: number;

  /**
   * Whether a pod that cannot be placed so is placed anyway, or waits.
   * @default 'ScheduleAnyway'
   */
  readonly whenUnsatisfiable?: 'ScheduleAnyway' | 'DoNotSchedule';
}
