// ImoocPod as the API server sees it. `kubectl explain imp` reads this; with the webhook switched off, it is all that
// keeps wrong objects out.

import type { CustomResource, Schema } from '../../runtime/custom-resource.ts';
import type { Resource } from '../../runtime/resource.ts';
import { count, scaleByReplicas } from '../../runtime/status-schema.ts';
import { nameFitsLabel } from '../../workload/name-label.ts';
import { replicasColumns, replicasStatus } from '../../workload/replicas-schema.ts';
import type { ImoocPod } from './types.gen.ts';

/** A larger number of sleeping pods is taken for a typing error. */
export const MAX_REPLICAS = 1000;
export const DEFAULT_REPLICAS = 1;

export const imoocPods: Resource<ImoocPod> = {
  group: 'batch.tutorial.kubebuilder.io',
  version: 'v1alpha1',
  kind: 'ImoocPod',
  plural: 'imoocpods',
  namespaced: true,
};

/** Keeps an ImoocPod until its pods are gone. */
export const FINALIZER = `${imoocPods.group}/pods`;

const spec: Schema = {
  type: 'object',
  description: 'How many pods should sleep.',
  properties: {
    replicas: {
      ...count(`How many pods should run, up to ${MAX_REPLICAS}. Default ${DEFAULT_REPLICAS}.`),
      maximum: MAX_REPLICAS,
      default: DEFAULT_REPLICAS,
    },
  },
};

export const imoocPod: CustomResource<ImoocPod> = {
  resource: imoocPods,
  singular: 'imoocpod',
  // Not `ip`, which is what Kubernetes calls its own IPAddresses.
  shortNames: ['imp'],
  categories: ['all'],
  description: 'Keeps a number of busybox pods asleep.',
  rules: [nameFitsLabel],
  spec,
  status: replicasStatus,
  scale: scaleByReplicas,
  columns: replicasColumns,
};
