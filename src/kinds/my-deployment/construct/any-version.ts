// What a MyDeployment shares with objects of other versions of cdk8s-plus. There is one package for each version of Kubernetes
// (cdk8s-plus-27, cdk8s-plus-33), and because of their private fields TypeScript takes a class of one for another class than
// that of the other. These types name only what is used of an object, which is the same in all of them.

import type * as kplus from 'cdk8s-plus-27';
import type { Construct } from 'constructs';

/** What cdk8s-plus renders by itself. */
interface Rendered {
  _toKube(): object;
}

/** A DeploymentStrategy. */
export type StrategyOfAnyVersion = Rendered;

/** A Probe. */
export interface ProbeOfAnyVersion {
  _toKube(container: never): object;
}

/** A Volume. */
export interface VolumeOfAnyVersion extends Rendered {
  readonly name: string;
}

/** A VolumeMount. */
export interface VolumeMountOfAnyVersion extends Omit<kplus.VolumeMount, 'volume'> {
  /** The volume to mount. */
  readonly volume: VolumeOfAnyVersion;
}

/** ContainerProps. */
export interface ContainerPropsOfAnyVersion
  extends Omit<kplus.ContainerProps, 'readiness' | 'liveness' | 'startup' | 'volumeMounts'> {
  /** Whether the container can serve. @default - no probe */
  readonly readiness?: ProbeOfAnyVersion;
  /** Whether the container is alive; it is restarted otherwise. @default - no probe */
  readonly liveness?: ProbeOfAnyVersion;
  /** Whether the container has started; the other probes wait for it. @default - as cdk8s-plus: a port that is open */
  readonly startup?: ProbeOfAnyVersion;
  /** Volumes to mount. @default - none */
  readonly volumeMounts?: VolumeMountOfAnyVersion[];
}

/** A Deployment. */
export interface DeploymentOfAnyVersion extends Construct {
  readonly containers: readonly object[];
  readonly hasAutoscaler: boolean;
}

/** A ScalingTarget, which autoscalers of every version take. */
export interface ScalingTargetForAnyVersion extends Omit<kplus.ScalingTarget, 'containers'> {
  // biome-ignore lint/suspicious/noExplicitAny: each version wants its own Container
  readonly containers: any[];
}

/** A PodSelectorConfig, which Services, policies and schedulings of every version take. */
export interface PodSelectorConfigForAnyVersion {
  // biome-ignore lint/suspicious/noExplicitAny: each version wants its own LabelSelector
  readonly labelSelector: any;
  readonly namespaces?: { readonly names?: string[] };
}
