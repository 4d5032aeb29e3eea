// The kinds that the client's and the cache's tests speak of.

import type { KubeObject } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export interface Pod extends KubeObject {
  readonly spec: { readonly containers: readonly object[]; readonly nodeName?: string };
}

export const pods: Resource<Pod> = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

export const configMaps: Resource<ConfigMap> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};

export const deployments: Resource = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};

export const nodes: Resource = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
