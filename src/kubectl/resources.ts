// The native kinds that the plugin reads or writes, with all their fields.

import type {
  CoreV1Event,
  V1Deployment,
  V1Lease,
  V1Node,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodDisruptionBudget,
  V1ReplicaSet,
  V2HorizontalPodAutoscaler,
} from '@kubernetes/client-node';
import type { KubeObject, Raw } from '../runtime/object.ts';
import type { Resource } from '../runtime/resource.ts';

type Full<T> = KubeObject & Omit<Raw<T>, 'metadata' | 'apiVersion' | 'kind'>;

export type FullPod = Full<V1Pod>;
export type CoreEvent = Full<CoreV1Event>;
export type Node = Full<V1Node>;
export type Claim = Full<V1PersistentVolumeClaim>;
export type DisruptionBudget = Full<V1PodDisruptionBudget>;
export type Deployment = Full<V1Deployment>;
export type ReplicaSet = Full<V1ReplicaSet>;
export type Autoscaler = Full<V2HorizontalPodAutoscaler>;
export type Lease = Full<V1Lease>;

export const fullPods: Resource<FullPod> = core('Pod', 'pods');
export const events: Resource<CoreEvent> = core('Event', 'events');
export const nodes: Resource<Node> = { ...core('Node', 'nodes'), namespaced: false };
export const volumeClaims: Resource<Claim> = core('PersistentVolumeClaim', 'persistentvolumeclaims');
export const disruptionBudgets: Resource<DisruptionBudget> = {
  ...core('PodDisruptionBudget', 'poddisruptionbudgets'),
  group: 'policy',
};
export const deployments: Resource<Deployment> = { ...core('Deployment', 'deployments'), group: 'apps' };
export const replicaSets: Resource<ReplicaSet> = { ...core('ReplicaSet', 'replicasets'), group: 'apps' };
export const leases: Resource<Lease> = { ...core('Lease', 'leases'), group: 'coordination.k8s.io' };
export const autoscalers: Resource<Autoscaler> = {
  ...core('HorizontalPodAutoscaler', 'horizontalpodautoscalers'),
  group: 'autoscaling',
  version: 'v2',
};

function core(kind: string, plural: string): Omit<Resource, 'objectType'> {
  return { group: '', version: 'v1', kind, plural, namespaced: true };
}
