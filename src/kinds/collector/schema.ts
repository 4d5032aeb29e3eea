// Collector as the API server sees it: the target, and the record of its changes. The newest change comes first, so
// that the columns of `kubectl get` can show it.

import type { CustomResource, Schema, ValidationRule, VersionSchema } from '../../runtime/custom-resource.ts';
import { conditionsSchema, observedGeneration } from '../../runtime/status-schema.ts';
import { collectors, shortNames, singular } from './names.ts';
import type { Collector } from './types.gen.ts';
import { v2beta1 } from './v2beta1.ts';

const count = (description: string): Schema => ({ type: 'integer', format: 'int64', minimum: 0, description });
const time = (description: string): Schema => ({ type: 'string', format: 'date-time', description });

const targetRules: readonly ValidationRule[] = [
  {
    rule: 'has(self.name) != has(self.selector)',
    message: 'either a name or a selector must be specified, and not both',
    reason: 'FieldValueInvalid',
  },
  {
    rule: '!has(self.selector) || (has(self.selector.matchLabels) && size(self.selector.matchLabels) > 0)',
    message: 'must name at least one label: an empty selector would select everything of the namespace',
    fieldPath: '.selector',
    reason: 'FieldValueInvalid',
  },
];

const target: Schema = {
  type: 'object',
  description: 'The workload to observe, in the namespace of the Collector.',
  required: ['kind'],
  properties: {
    kind: { type: 'string', description: 'Deployment or MyDeployment.', enum: ['Deployment', 'MyDeployment'] },
    name: { type: 'string', description: 'The one of this name.', minLength: 1, maxLength: 253 },
    selector: {
      type: 'object',
      description: 'All that have these labels.',
      properties: {
        matchLabels: {
          type: 'object',
          description: 'Labels that the object must have, with these values.',
          additionalProperties: { type: 'string', maxLength: 63 },
          maxProperties: 64,
        },
      },
      'x-kubernetes-map-type': 'atomic',
    },
  },
  'x-kubernetes-validations': targetRules,
};

const quietSeconds: Schema = {
  ...count('A change is over when the target is as its spec says and nothing was seen for this long. Default 5.'),
  minimum: 1,
  maximum: 300,
  default: 5,
};

const historyLimit: Schema = {
  ...count('How many changes are remembered. Default 20.'),
  minimum: 1,
  maximum: 100,
  default: 20,
};

const spec: Schema = {
  type: 'object',
  description: 'The workload to observe, and for how long a change is followed.',
  required: ['target'],
  properties: { target, quietSeconds, historyLimit },
};

const events: Schema = {
  type: 'array',
  description: 'Watch events, by the kind of the object.',
  items: {
    type: 'object',
    required: ['kind', 'added', 'modified', 'deleted'],
    properties: {
      kind: { type: 'string', description: 'The target itself, or what it owns: ReplicaSet, ControllerRevision, Pod.' },
      added: count('How many objects came to be.'),
      modified: count('How often an object changed.'),
      deleted: count('How many objects went.'),
    },
  },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['kind'],
};

const change: Schema = {
  type: 'object',
  required: ['target', 'change', 'state', 'startedAt', 'total', 'reconciles', 'events'],
  properties: {
    target: { type: 'string', description: 'The name of the object that changed.' },
    change: { type: 'string', description: 'What was changed, such as `replicas 3 → 1` or `2 pods deleted`.' },
    state: {
      type: 'string',
      description:
        'Open while it is followed. Closed when it was quiet. Overtaken when the next change came before that. Interrupted when the operator stopped meanwhile, so that some events were not seen.',
      enum: ['Open', 'Closed', 'Overtaken', 'Interrupted'],
    },
    generation: count('The metadata.generation of the target that it made.'),
    startedAt: time('When it was seen first.'),
    endedAt: time('When the last event of it was seen.'),
    total: count('How many watch events it set off.'),
    reconciles: count('How often a controller that watches all of these was called, several events being one call.'),
    events,
  },
};

const status: Schema = {
  type: 'object',
  description: 'What was seen. Written by the operator.',
  default: {},
  properties: {
    observedGeneration,
    target: {
      type: 'string',
      description: 'The workload that these counts are about. They start from zero when it changes.',
    },
    targets: count('How many objects are observed.'),
    total: count('How many watch events there were in all, also those that no change set off.'),
    reconciles: count('How often a controller that watches all of these was called.'),
    events,
    changes: {
      type: 'array',
      description: 'What the last changes set off, the newest first.',
      items: change,
      maxItems: 100,
      'x-kubernetes-list-type': 'atomic',
    },
    conditions: conditionsSchema('Ready: there is something to observe.'),
  },
};

/** What both versions have. */
const common: Omit<VersionSchema, 'spec'> = {
  description: 'Observes a Deployment or a MyDeployment and counts what each change of it sets off.',
  status,
  columns: [
    { name: 'target', type: 'string', jsonPath: '.status.target', description: 'The workload that it observes' },
    { name: 'last-change', type: 'string', jsonPath: '.status.changes[0].change' },
    { name: 'state', type: 'string', jsonPath: '.status.changes[0].state' },
    { name: 'events', type: 'integer', jsonPath: '.status.changes[0].total', description: 'Set off by that change' },
    { name: 'reconciles', type: 'integer', jsonPath: '.status.changes[0].reconciles' },
    { name: 'age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'all-events', type: 'integer', jsonPath: '.status.total', priority: 1 },
    { name: 'all-reconciles', type: 'integer', jsonPath: '.status.reconciles', priority: 1 },
  ],
};

export const collector: CustomResource<Collector> = {
  ...common,
  resource: collectors,
  singular,
  shortNames,
  categories: [],
  spec,
  otherVersions: [
    v2beta1({
      ...common,
      spec: {
        ...spec,
        required: ['targetRef'],
        properties: { targetRef: target, quietSeconds, changeHistoryLimit: historyLimit },
      },
    }),
  ],
};
