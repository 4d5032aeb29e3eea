// The status of kinds whose pods are all alike, as the API server sees it: how many pods there are, how many are ready, and
// their names. replicas-owner.ts fills it in.

import type { Condition } from '../runtime/conditions.ts';
import type { PrinterColumn, Schema } from '../runtime/custom-resource.ts';
import { conditionsSchema, count, observedGeneration } from '../runtime/status-schema.ts';

export interface ReplicasStatus {
  readonly observedGeneration?: number;
  readonly replicas: number;
  readonly readyReplicas?: number;
  readonly podNames?: readonly string[];
  readonly selector?: string;
  readonly conditions?: readonly Condition[];
}

/** How many names a status lists: a list of a thousand names would be written again with every pod. */
export const MAX_LISTED_NAMES = 100;

export const replicasStatus: Schema = {
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

/** For kinds whose spec has `replicas`. */
export const replicasColumns: readonly PrinterColumn[] = [
  { name: 'desired', type: 'integer', jsonPath: '.spec.replicas', description: 'How many pods should run' },
  { name: 'current', type: 'integer', jsonPath: '.status.replicas', description: 'How many pods there are' },
  { name: 'ready', type: 'integer', jsonPath: '.status.readyReplicas', description: 'How many pods are ready' },
  { name: 'age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  { name: 'pods', type: 'string', jsonPath: '.status.podNames', priority: 1 },
  { name: 'selector', type: 'string', jsonPath: '.status.selector', priority: 1 },
];
