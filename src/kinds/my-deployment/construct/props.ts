// The props of a MyDeployment: those of cdk8s-plus's Deployment, and settings that Kubernetes applies to a Deployment
// by itself because it is a built-in kind.

import type { Duration } from 'cdk8s';
import type * as kplus from 'cdk8s-plus-27';
import type { ContainerPropsOfAnyVersion, StrategyOfAnyVersion } from './any-version.ts';

/** What a MyDeployment runs, and how it is rolled out. */
export interface MyDeploymentProps extends Omit<kplus.WorkloadProps, 'containers' | 'initContainers'> {
  /**
   * The containers of each pod. More can be added with `addContainer`.
   * @default - none, so that at least one has to be added
   */
  readonly containers?: ContainerPropsOfAnyVersion[];

  /**
   * Containers that run to their end, one after the other, before the others start.
   * @default - none
   */
  readonly initContainers?: ContainerPropsOfAnyVersion[];

  /**
   * How many pods to run. Leave it out when an autoscaler decides.
   * @default 2
   */
  readonly replicas?: number;

  /**
   * How pods of an old template are replaced by pods of the new one.
   * @default - RollingUpdate with maxSurge and maxUnavailable 25%
   */
  readonly strategy?: StrategyOfAnyVersion;

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
   * The topologies over which the pods of a revision are spread. Nodes without the label of one of them are
   * ignored.
   * @default - the operator spreads them as the scheduler spreads pods of a Deployment: over nodes and zones
   */
  readonly topologySpread?: readonly TopologySpread[];

  /**
   * Whether the cluster autoscaler may evict the pods to remove a node. Without the annotation it keeps nodes with pods
   * of custom kinds.
   * @default - as for a Deployment: true, unless pods keep data on their node (emptyDir on disk, hostPath)
   */
  readonly safeToEvict?: boolean;

  /**
   * Adds a PodDisruptionBudget for the pods: how many of them a drain or an autoscaler may evict at once.
   * @default - no budget
   */
  readonly disruptionBudget?: DisruptionBudget;
}

/** How many pods may be evicted at once: exactly one of the two. */
export interface DisruptionBudget {
  /** How many pods may be unavailable after an eviction. */
  readonly maxUnavailable?: kplus.PercentOrAbsolute;

  /** How many pods have to be available after an eviction. */
  readonly minAvailable?: kplus.PercentOrAbsolute;
}

/** One topology over which pods are spread. */
export interface TopologySpread {
  /** The topology. */
  readonly topology: kplus.Topology;

  /**
   * How many more pods than the domain with the fewest any domain of the topology may have.
   * @default 1
   */
  readonly maxSkew?: number;

  /**
   * Whether a pod that cannot satisfy the constraint is scheduled anyway or waits.
   * @default 'ScheduleAnyway'
   */
  readonly whenUnsatisfiable?: 'ScheduleAnyway' | 'DoNotSchedule';
}
