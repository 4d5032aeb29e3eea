// ImoocPod as the API server sees it. `kubectl explain imp` reads this; with the webhook switched off, it is all that
// keeps wrong objects out.

import type { CustomResource, Schema } from '../../runtime/custom-resource.ts';
import type { Resource } from '../../runtime/resource.ts';
import { conditionsSchema, count, observedGeneration, scaleByReplicas } from '../../runtime/status-schema.ts';
import { nameFitsLabel } from '../../workload/name-label.ts';
import type { Labels } from '../../workload/selector.ts';
import type { PodTemplate } from '../../workload/template-schema.ts';
import type { ImoocPod } from './types.gen.ts';

/** A larger number of sleeping pods is taken for a typing error. */
export const MAX_REPLICAS = 1000;
export const DEFAULT_REPLICAS = 1;
/** How many names a status lists: a list of a thousand names would be written again with every pod. */
export const MAX_LISTED_NAMES = 100;

export const imoocPods: Resource<ImoocPod> = {
  group: 'batch.tutorial.kubebuilder.io',
  version: 'v1alpha1',
  kind: 'ImoocPod',
  plural: 'imoocpods',
  namespaced: true,
};

/** Keeps an ImoocPod until its pods are gone. */
export const FINALIZER = `${imoocPods.group}/pods`;

/** The user "nobody" of busybox, by number: the kubelet cannot tell from a name that it is not root. */
const NOBODY = 65_534;

/**
 * A busybox that sleeps for an hour at a time, without privileges: Pod Security admits it in a `restricted` namespace.
 * Running pods are not compared with this template, so a change of it applies to new pods only.
 */
export function podTemplate(labels: Labels): PodTemplate {
  return {
    metadata: { labels },
    spec: {
      securityContext: { runAsNonRoot: true, runAsUser: NOBODY, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: 'busybox',
          image: 'busybox',
          command: ['sleep', '3600'],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        },
      ],
    },
  };
}

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

const status: Schema = {
  type: 'object',
  description: 'What was last seen of the pods. Written by the operator.',
  required: ['replicas'],
  // Shown by `kubectl get` until the operator has looked at a new object.
  default: { replicas: 0, readyReplicas: 0 },
  properties: {
    observedGeneration,
    replicas: count('How many pods exist, leaving out those being deleted.'),
    readyReplicas: count('How many pods are ready.'),
    podNames: {
      type: 'array',
      description: `The names of these pods in alphabetical order, the first ${MAX_LISTED_NAMES} of them.`,
      maxItems: MAX_LISTED_NAMES,
      items: { type: 'string' },
      'x-kubernetes-list-type': 'atomic',
    },
    selector: {
      type: 'string',
      description: 'The label of the pods as text, for HorizontalPodAutoscaler and PodDisruptionBudget.',
    },
    conditions: conditionsSchema('Ready, and ReplicaFailure while pods cannot be created or deleted.'),
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
  status,
  scale: scaleByReplicas,
  columns: [
    { name: 'desired', type: 'integer', jsonPath: '.spec.replicas', description: 'How many pods should run' },
    { name: 'current', type: 'integer', jsonPath: '.status.replicas', description: 'How many pods there are' },
    { name: 'ready', type: 'integer', jsonPath: '.status.readyReplicas', description: 'How many pods are ready' },
    { name: 'age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'pods', type: 'string', jsonPath: '.status.podNames', priority: 1 },
    { name: 'selector', type: 'string', jsonPath: '.status.selector', priority: 1 },
  ],
};
