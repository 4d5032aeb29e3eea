// The schema of v1alpha1, as it was when another version came to be stored. It does not change any more.

import type { VersionSchema } from 'mydeployment/runtime';

export const schema: VersionSchema = {
  description: 'Serves a text over HTTP.',
  spec: {
    description: 'What should be there.',
    properties: {
      replicas: {
        default: 1,
        description: 'How many pods serve it.',
        format: 'int32',
        maximum: 100,
        minimum: 0,
        type: 'integer',
      },
      text: {
        description: 'What is served.',
        maxLength: 100000,
        minLength: 1,
        type: 'string',
      },
    },
    required: ['text'],
    type: 'object',
  },
  status: {
    default: {},
    description: 'What was last seen. Written by the operator.',
    properties: {
      conditions: {
        description: 'Ready.',
        items: {
          properties: {
            lastTransitionTime: {
              description: 'When its status last changed.',
              format: 'date-time',
              type: 'string',
            },
            message: {
              description: 'Why, in a sentence.',
              type: 'string',
            },
            observedGeneration: {
              description: 'The metadata.generation that was judged.',
              format: 'int64',
              type: 'integer',
            },
            reason: {
              description: 'Why, in one word that programs can compare.',
              type: 'string',
            },
            status: {
              description: 'Whether it holds.',
              enum: ['True', 'False', 'Unknown'],
              type: 'string',
            },
            type: {
              description: 'What it is about.',
              type: 'string',
            },
          },
          required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
          type: 'object',
        },
        type: 'array',
        'x-kubernetes-list-map-keys': ['type'],
        'x-kubernetes-list-type': 'map',
      },
      observedGeneration: {
        default: -1,
        description: 'The metadata.generation that this status is about. -1 until the operator has looked at the object.',
        format: 'int64',
        type: 'integer',
      },
      readyReplicas: {
        description: 'How many pods are ready.',
        format: 'int32',
        minimum: 0,
        type: 'integer',
      },
    },
    type: 'object',
  },
  columns: [{
    jsonPath: '.spec.replicas',
    name: 'replicas',
    type: 'integer',
  }, {
    jsonPath: '.status.readyReplicas',
    name: 'ready',
    type: 'integer',
  }, {
    jsonPath: '.metadata.creationTimestamp',
    name: 'age',
    type: 'date',
  }],
};
