// ImoocPod as the API server sees it. `kubectl explain imp` reads this; with the webhook switched off, it is all that
// keeps wrong objects out.

import type { CustomResource, Schema } from '../../runtime/custom-resource.ts';
import { conditionsSchema, observedGeneration, scaleByReplicas } from '../../runtime/status-schema.ts';
import { nameFitsLabel } from '../../workload/name-label.ts';
import { DEFAULT_REPLICAS, MAX_LISTED_NAMES, MAX_REPLICAS } from './defaults.ts';
import { categories, imoocPods, shortNames, singular } from './names.ts';
import type { ImoocPod } from './types.gen.ts';

const count = (description: string): Schema => ({ type: 'integer', format: 'int32', minimum: 0, description });

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
  singular,
  shortNames,
  categories,
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
