// Generated from crds/modelboxes.yaml by `make generate`; edit schema.ts instead.

import type { ObjectMeta } from '../../runtime/object.ts';
import type { Container, EnvVar, Probe, ResourceRequirements } from '../../workload/template-schema.ts';

/**
 * One container to run and to reach: a Deployment and a Service, made, owned and kept as the spec says.
 */
export interface ModelBox {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec: ModelBoxSpec;
  readonly status?: ModelBoxStatus;
}
/**
 * What should run, and how it is reached.
 */
export interface ModelBoxSpec {
  /**
   * More containers for every pod.
   */
  readonly containers?: readonly Container[];
  /**
   * Whether the container gets a liveness and a readiness probe where none is given: both connect to its first TCP port. Default true.
   */
  readonly defaultProbes?: boolean;
  /**
   * Environment variables of the container.
   */
  readonly envs?: readonly EnvVar[];
  /**
   * The image of the container.
   */
  readonly image: string;
  /**
   * Containers that run, one after the other, before the others start.
   */
  readonly initContainers?: readonly Container[];
  /**
   * When to restart the container, instead of the default probe.
   */
  readonly livenessProbe?: Probe;
  /**
   * How many seconds a pod must be ready before it counts as available. Default 3.
   */
  readonly minReadySeconds?: number;
  /**
   * What people call this service. Only shown: Deployment, Service and container are named after the object.
   */
  readonly name?: string;
  /**
   * What the Service offers and the container listens on; at least one.
   *
   * @minItems 1
   * @maxItems 64
   */
  readonly ports: readonly ModelBoxSpecPort[];
  /**
   * When the container can serve, instead of the default probe.
   */
  readonly readinessProbe?: Probe;
  /**
   * How many pods should run. Left out, the ModelBox does not decide: a new Deployment starts with 1, and an autoscaler of the Deployment may do as it sees fit.
   */
  readonly replicas?: number;
  /**
   * Requests and limits of the container. Not together with another size than custom.
   */
  readonly resources?: ResourceRequirements;
  /**
   * How many pods an update may add and take away at a time, as a percentage of replicas above 0% and up to 100%. Default 25%.
   */
  readonly rollingUpdate?: string;
  /**
   * How the Service is reached. ClusterIP: at an address inside the cluster. NodePort: also at a port of every node. Headless: its name resolves to the pods themselves. Default: NodePort when a port names a nodePort, else ClusterIP. A change from or to Headless replaces the Service.
   */
  readonly serviceType?: 'ClusterIP' | 'NodePort' | 'Headless';
  /**
   * How much the container gets. small: requests 100m CPU and 128Mi, limits 200m CPU and 256Mi. medium: requests 500m CPU and 512Mi, limits 1 CPU and 1Gi. large: requests 1 CPU and 2Gi, limits 2 CPU and 4Gi. custom (default): what `resources` says.
   */
  readonly size?: 'small' | 'medium' | 'large' | 'custom';
}
export interface ModelBoxSpecPort {
  /**
   * What is spoken on this port, for proxies that want to know, such as http or kubernetes.io/h2c.
   */
  readonly appProtocol?: string;
  /**
   * Names the port; needed when there are several.
   */
  readonly name?: string;
  /**
   * Where every node listens. Only with serviceType NodePort. Chosen by Kubernetes and then kept when left out.
   */
  readonly nodePort?: number;
  /**
   * Where the Service listens.
   */
  readonly port: number;
  /**
   * TCP (default), UDP or SCTP.
   */
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
  /**
   * Where the container listens: a number, or a name. A name that no additional container gives to a port of its own stands for `port`. Default: the same as `port`.
   */
  readonly targetPort?: number | string;
}
/**
 * What was last seen of the Deployment and the Service. Written by the operator.
 */
export interface ModelBoxStatus {
  /**
   * How many pods have been ready for minReadySeconds.
   */
  readonly availableReplicas?: number;
  /**
   * Available and Progressing of the Deployment; Ready: everything is there and as the spec says; Stalled while only the user can help.
   */
  readonly conditions?: readonly ModelBoxStatusCondition[];
  /**
   * Where the service is reached, one for each port.
   */
  readonly endpoints?: readonly ModelBoxStatusEndpoint[];
  /**
   * The metadata.generation that this status speaks of. -1 until the operator has looked at the object.
   */
  readonly observedGeneration?: number;
  /**
   * Ready pods of those that should run, such as 3/4.
   */
  readonly ready?: string;
  /**
   * How many pods are ready.
   */
  readonly readyReplicas?: number;
  /**
   * How many pods exist.
   */
  readonly replicas?: number;
  /**
   * The labels of the pods as text, for HorizontalPodAutoscaler.
   */
  readonly selector?: string;
  /**
   * How many pods are as the spec says.
   */
  readonly updatedReplicas?: number;
}
export interface ModelBoxStatusCondition {
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
export interface ModelBoxStatusEndpoint {
  /**
   * Host and port inside the cluster.
   */
  readonly address: string;
  /**
   * The name of the port.
   */
  readonly name?: string;
  /**
   * The port on every node.
   */
  readonly nodePort?: number;
  /**
   * TCP, UDP or SCTP.
   */
  readonly protocol: string;
}
