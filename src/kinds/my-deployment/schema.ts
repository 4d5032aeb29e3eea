// MyDeployment as the API server sees it: the spec of an apps/v1 Deployment, field by field, and the status of a
// StatefulSet with what HPA, PodDisruptionBudget and `kubectl wait` need besides. `kubectl explain md` reads this.

import { type CustomResource, refine, type Schema } from '../../runtime/custom-resource.ts';
import { KEY_LENGTH, KEY_PATTERN, LABEL_VALUE_PATTERN } from '../../runtime/label-syntax.ts';
import { conditionFields, count, observedGeneration, scaleByReplicas } from '../../runtime/status-schema.ts';
import { podTemplateSchema } from '../../workload/template-schema.ts';
import {
  podSpecRules,
  requirementRules,
  rollingUpdateRules,
  selectorRules,
  specRules,
  strategyRules,
} from './admission/rules.ts';
import { categories, myDeployments, shortNames, singular } from './names.ts';
import type { MyDeployment } from './types.gen.ts';

// The bounds that make the cost of rules over labels acceptable: at or above what Kubernetes allows a pod in practice.
const labelValue: Schema = { type: 'string', maxLength: 63 };

const selector: Schema = {
  type: 'object',
  description: 'Which pods belong to this MyDeployment. The labels of the template must satisfy it. It cannot change.',
  properties: {
    matchLabels: {
      type: 'object',
      description: 'Labels that a pod must have, with these values.',
      additionalProperties: labelValue,
      maxProperties: 64,
    },
    matchExpressions: {
      type: 'array',
      description: 'Conditions on labels, all of which a pod must meet.',
      maxItems: 32,
      // They may name labels that no template has, so only these rules check their syntax.
      items: {
        type: 'object',
        required: ['key', 'operator'],
        properties: {
          key: { type: 'string', description: 'The label.', maxLength: KEY_LENGTH, pattern: KEY_PATTERN },
          operator: {
            type: 'string',
            description: 'How the label compares with the values.',
            enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'],
          },
          values: {
            type: 'array',
            description: 'At least one for In and NotIn, none for Exists and DoesNotExist.',
            items: { ...labelValue, pattern: LABEL_VALUE_PATTERN },
            maxItems: 64,
            'x-kubernetes-list-type': 'atomic',
          },
        },
        'x-kubernetes-validations': requirementRules,
      },
      'x-kubernetes-list-type': 'atomic',
    },
  },
  'x-kubernetes-map-type': 'atomic',
  'x-kubernetes-validations': selectorRules,
};

const share = (description: string): Schema => ({
  description,
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
  minimum: 0,
  maxLength: 16,
  pattern: '^[0-9]+%$',
});

// rollingUpdate and its two numbers have no default here, although a native Deployment stores 25%: a stored default
// would still be there when a user changes `type` to Recreate, where rollingUpdate is forbidden, and only native kinds
// have a patch strategy that drops it. The controller reads an absent number as 25%.
const strategy: Schema = {
  type: 'object',
  description: 'How pods of an old template are replaced by pods of the new one.',
  default: { type: 'RollingUpdate' },
  properties: {
    type: {
      type: 'string',
      description:
        'RollingUpdate (default) replaces pods a few at a time. Recreate removes all old pods before it makes new ones.',
      enum: ['RollingUpdate', 'Recreate'],
      default: 'RollingUpdate',
    },
    rollingUpdate: {
      type: 'object',
      description: 'The pace of a rolling update. Only allowed when type is RollingUpdate.',
      properties: {
        maxSurge: share(
          'How many pods may exist above replicas during an update: a number, or a percentage of replicas rounded up. Default 25%. Not 0 while maxUnavailable is 0.',
        ),
        maxUnavailable: share(
          'How many pods may be unavailable during an update: a number, or a percentage of replicas rounded down. Default 25%. Not 0 while maxSurge is 0.',
        ),
      },
      'x-kubernetes-validations': rollingUpdateRules,
    },
  },
  'x-kubernetes-validations': strategyRules,
};

const template = [
  ['metadata.labels', { maxProperties: 256, additionalProperties: labelValue }],
  ['spec', { 'x-kubernetes-validations': podSpecRules }],
  ['spec.containers', { minItems: 1 }],
  ['spec.restartPolicy', { description: 'Always, which is also the default.' }],
] as const satisfies readonly (readonly [string, Schema])[];

const spec: Schema = {
  type: 'object',
  description: 'The pods that should run. Every field means what it means in an apps/v1 Deployment.',
  required: ['selector', 'template'],
  properties: {
    replicas: { ...count('How many pods should run. Default 1.'), default: 1 },
    selector,
    template: {
      ...template.reduce((schema, [path, more]) => refine(schema, path, more), podTemplateSchema),
      description: 'What each pod is made from. A change of it starts a rollout.',
    },
    strategy,
    minReadySeconds: count(
      'How many seconds a pod must be ready without a container crashing before it counts as available. Default 0.',
    ),
    revisionHistoryLimit: {
      ...count('How many old revisions without pods are kept to roll back to. Default 10.'),
      default: 10,
    },
    paused: {
      type: 'boolean',
      description: 'While true, a changed template does not roll out. Scaling goes on working.',
    },
    progressDeadlineSeconds: {
      ...count(
        'After how many seconds without progress a rollout counts as failed: the Progressing condition says ProgressDeadlineExceeded, work goes on. Must be greater than minReadySeconds. Default 600.',
      ),
      default: 600,
    },
  },
  'x-kubernetes-validations': specRules,
};

const status: Schema = {
  type: 'object',
  description: 'What was last seen of the pods. Written by the operator.',
  required: ['replicas'],
  // Shown by `kubectl get` until the operator has reconciled a new object.
  default: { replicas: 0, readyReplicas: 0 },
  properties: {
    observedGeneration,
    replicas: count('How many pods exist, leaving out those being deleted.'),
    readyReplicas: count('How many pods are ready.'),
    availableReplicas: count('How many pods have been ready for minReadySeconds.'),
    unavailableReplicas: count('How many pods are missing until replicas pods are available.'),
    updatedReplicas: count('How many pods are of the newest template.'),
    currentReplicas: count('How many pods are of the template that was complete last, named by currentRevision.'),
    terminatingReplicas: count('How many pods are being deleted and not gone yet.'),
    currentRevision: { type: 'string', description: 'The ControllerRevision that was rolled out completely last.' },
    updateRevision: { type: 'string', description: 'The ControllerRevision of the newest template.' },
    collisionCount: count('How many hash collisions were met while naming revisions.'),
    selector: {
      type: 'string',
      description: 'The selector as text, for HorizontalPodAutoscaler and PodDisruptionBudget.',
    },
    conditions: {
      type: 'array',
      description:
        'Available, Progressing and ReplicaFailure, with the reasons of a Deployment; Reconciling while something is to be done, or Stalled when the progress deadline has passed.',
      items: {
        type: 'object',
        required: ['type', 'status'],
        properties: {
          ...conditionFields,
          type: { type: 'string', description: 'Available, Progressing, ReplicaFailure, Reconciling or Stalled.' },
          lastUpdateTime: { type: 'string', format: 'date-time', description: 'When it was last written.' },
        },
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
    },
  },
};

export const myDeployment: CustomResource<MyDeployment> = {
  resource: myDeployments,
  singular,
  shortNames,
  categories,
  description: 'A Deployment that owns its pods: no ReplicaSet in between, history kept in ControllerRevisions.',
  spec,
  status,
  scale: scaleByReplicas,
  columns: [
    { name: 'available', type: 'integer', jsonPath: '.status.readyReplicas', description: 'Ready pods' },
    { name: 'expected', type: 'integer', jsonPath: '.spec.replicas', description: 'Desired pods' },
    { name: 'age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'updated', type: 'integer', jsonPath: '.status.updatedReplicas', priority: 1 },
    { name: 'unavailable', type: 'integer', jsonPath: '.status.unavailableReplicas', priority: 1 },
    { name: 'revision', type: 'string', jsonPath: '.status.updateRevision', priority: 1 },
    // A column shows only the first match of its path, so it cannot list all images.
    { name: 'image', type: 'string', jsonPath: '.spec.template.spec.containers[0].image', priority: 1 },
    { name: 'selector', type: 'string', jsonPath: '.status.selector', priority: 1 },
  ],
};
