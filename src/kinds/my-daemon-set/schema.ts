// MyDaemonSet as the API server sees it: an image, and a status with the numbers of a native DaemonSet.
// `kubectl explain mds` reads this.

import type { CustomResource, Schema } from '../../runtime/custom-resource.ts';
import { LONGEST_IMAGE } from '../../runtime/image.ts';
import { conditionsSchema, count, observedGeneration } from '../../runtime/status-schema.ts';
import { nameFitsLabel } from '../../workload/name-label.ts';
import { categories, myDaemonSets, shortNames, singular } from './names.ts';
import { specRules } from './rules.ts';
import type { MyDaemonSet } from './types.gen.ts';

const spec: Schema = {
  type: 'object',
  description: 'What runs on every node.',
  properties: {
    image: {
      type: 'string',
      description: 'The container image that runs on every node. Required. A change of it rolls out node by node.',
      maxLength: LONGEST_IMAGE,
    },
    // The webhook writes the default, so that an object shows it; the controller reads an absent number the same way.
    maxUnavailable: {
      description:
        'On how many nodes the pod may be unavailable while an update rolls out: a number, or a percentage of the nodes rounded up. Default 1.',
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      'x-kubernetes-int-or-string': true,
      maxLength: 16,
    },
  },
  'x-kubernetes-validations': specRules,
};

const status: Schema = {
  type: 'object',
  description: 'What was last seen of the pods. Written by the operator.',
  // Shown by `kubectl get` until the operator has reconciled a new object.
  default: {
    desiredNumberScheduled: 0,
    currentNumberScheduled: 0,
    numberReady: 0,
    updatedNumberScheduled: 0,
    availableReplicas: 0,
  },
  properties: {
    observedGeneration,
    desiredNumberScheduled: count('How many nodes should run the pod.'),
    currentNumberScheduled: count('How many of these nodes have a pod.'),
    numberReady: count('How many of these nodes have a pod that is ready.'),
    availableReplicas: count('How many of these nodes have a pod that serves.'),
    numberUnavailable: count('How many of these nodes have no pod that serves.'),
    updatedNumberScheduled: count('How many of these nodes have a pod of the present image.'),
    numberMisscheduled: count('How many other nodes have a pod although they should not get one.'),
    conditions: conditionsSchema(
      'Available, Ready once every node runs the present image, and ReplicaFailure while pods cannot be created or deleted.',
    ),
  },
};

export const myDaemonSet: CustomResource<MyDaemonSet> = {
  resource: myDaemonSets,
  singular,
  shortNames,
  categories,
  description: 'Runs one pod of an image on every node that takes it, following nodes that come and go.',
  rules: [nameFitsLabel],
  spec,
  status,
  columns: [
    { name: 'desired', type: 'integer', jsonPath: '.status.desiredNumberScheduled', description: 'Nodes to run on' },
    { name: 'current', type: 'integer', jsonPath: '.status.currentNumberScheduled', description: 'Nodes with a pod' },
    { name: 'ready', type: 'integer', jsonPath: '.status.numberReady', description: 'Nodes with a ready pod' },
    {
      name: 'up-to-date',
      type: 'integer',
      jsonPath: '.status.updatedNumberScheduled',
      description: 'Nodes with a pod of the present image',
    },
    { name: 'available', type: 'integer', jsonPath: '.status.availableReplicas', description: 'Nodes being served' },
    { name: 'age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'misscheduled', type: 'integer', jsonPath: '.status.numberMisscheduled', priority: 1 },
    { name: 'image', type: 'string', jsonPath: '.spec.image', priority: 1 },
  ],
};
