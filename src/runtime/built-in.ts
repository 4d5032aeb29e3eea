// The kinds of Kubernetes itself, described for the client and the cache, with all their fields typed. The types are those of
// client-node, rewritten to the JSON that travels; its models alone, because its index needs declarations (of `ws`) that it does not
// bring along.

import type * as models from '@kubernetes/client-node/dist/gen/models/all.js';
import type { KubeObject, Raw } from './object.ts';
import type { Resource } from './resource.ts';

type BuiltIn<T> = KubeObject & Omit<Raw<T>, 'metadata' | 'apiVersion' | 'kind'>;

export type ConfigMap = BuiltIn<models.V1ConfigMap>;
export type Event = BuiltIn<models.CoreV1Event>;
export type Namespace = BuiltIn<models.V1Namespace>;
export type Node = BuiltIn<models.V1Node>;
export type PersistentVolumeClaim = BuiltIn<models.V1PersistentVolumeClaim>;
export type Pod = BuiltIn<models.V1Pod>;
export type Secret = BuiltIn<models.V1Secret>;
/** What a workload makes its pods of. */
export type PodTemplate = Raw<models.V1PodTemplateSpec>;
export type Service = BuiltIn<models.V1Service>;
export type ServiceAccount = BuiltIn<models.V1ServiceAccount>;
export type ControllerRevision = BuiltIn<models.V1ControllerRevision>;
export type DaemonSet = BuiltIn<models.V1DaemonSet>;
export type Deployment = BuiltIn<models.V1Deployment>;
export type ReplicaSet = BuiltIn<models.V1ReplicaSet>;
export type StatefulSet = BuiltIn<models.V1StatefulSet>;
export type HorizontalPodAutoscaler = BuiltIn<models.V2HorizontalPodAutoscaler>;
export type CronJob = BuiltIn<models.V1CronJob>;
export type Job = BuiltIn<models.V1Job>;
export type Lease = BuiltIn<models.V1Lease>;
export type EndpointSlice = BuiltIn<models.V1EndpointSlice>;
export type Ingress = BuiltIn<models.V1Ingress>;
export type NetworkPolicy = BuiltIn<models.V1NetworkPolicy>;
export type PodDisruptionBudget = BuiltIn<models.V1PodDisruptionBudget>;
export type ClusterRole = BuiltIn<models.V1ClusterRole>;
export type ClusterRoleBinding = BuiltIn<models.V1ClusterRoleBinding>;
export type Role = BuiltIn<models.V1Role>;
export type RoleBinding = BuiltIn<models.V1RoleBinding>;

export const configMaps = namespaced<ConfigMap>('v1', 'ConfigMap', 'configmaps');
export const events = namespaced<Event>('v1', 'Event', 'events');
export const namespaces = clusterScoped<Namespace>('v1', 'Namespace', 'namespaces');
export const nodes = clusterScoped<Node>('v1', 'Node', 'nodes');
export const persistentVolumeClaims = namespaced<PersistentVolumeClaim>(
  'v1',
  'PersistentVolumeClaim',
  'persistentvolumeclaims',
);
export const pods = namespaced<Pod>('v1', 'Pod', 'pods');
export const secrets = namespaced<Secret>('v1', 'Secret', 'secrets');
export const services = namespaced<Service>('v1', 'Service', 'services');
export const serviceAccounts = namespaced<ServiceAccount>('v1', 'ServiceAccount', 'serviceaccounts');
export const controllerRevisions = namespaced<ControllerRevision>(
  'apps/v1',
  'ControllerRevision',
  'controllerrevisions',
);
export const daemonSets = namespaced<DaemonSet>('apps/v1', 'DaemonSet', 'daemonsets');
export const deployments = namespaced<Deployment>('apps/v1', 'Deployment', 'deployments');
export const replicaSets = namespaced<ReplicaSet>('apps/v1', 'ReplicaSet', 'replicasets');
export const statefulSets = namespaced<StatefulSet>('apps/v1', 'StatefulSet', 'statefulsets');
export const horizontalPodAutoscalers = namespaced<HorizontalPodAutoscaler>(
  'autoscaling/v2',
  'HorizontalPodAutoscaler',
  'horizontalpodautoscalers',
);
export const cronJobs = namespaced<CronJob>('batch/v1', 'CronJob', 'cronjobs');
export const jobs = namespaced<Job>('batch/v1', 'Job', 'jobs');
export const leases = namespaced<Lease>('coordination.k8s.io/v1', 'Lease', 'leases');
export const endpointSlices = namespaced<EndpointSlice>('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices');
export const ingresses = namespaced<Ingress>('networking.k8s.io/v1', 'Ingress', 'ingresses');
export const networkPolicies = namespaced<NetworkPolicy>('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies');
export const podDisruptionBudgets = namespaced<PodDisruptionBudget>(
  'policy/v1',
  'PodDisruptionBudget',
  'poddisruptionbudgets',
);
export const clusterRoles = clusterScoped<ClusterRole>('rbac.authorization.k8s.io/v1', 'ClusterRole', 'clusterroles');
export const clusterRoleBindings = clusterScoped<ClusterRoleBinding>(
  'rbac.authorization.k8s.io/v1',
  'ClusterRoleBinding',
  'clusterrolebindings',
);
export const roles = namespaced<Role>('rbac.authorization.k8s.io/v1', 'Role', 'roles');
export const roleBindings = namespaced<RoleBinding>('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings');

// Without side effects, so that a bundle contains only the descriptors that its program uses.

/* @__NO_SIDE_EFFECTS__ */
function namespaced<T extends KubeObject>(apiVersion: string, kind: string, plural: string): Resource<T> {
  return { ...clusterScoped<T>(apiVersion, kind, plural), namespaced: true };
}

/* @__NO_SIDE_EFFECTS__ */
function clusterScoped<T extends KubeObject>(apiVersion: string, kind: string, plural: string): Resource<T> {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return { group, version, kind, plural, namespaced: false };
}
