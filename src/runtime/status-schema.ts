// Parts of the schema that many kinds share: counts, the observed generation, conditions (conditions.ts), and what the
// scale subresource needs.

import type { CustomResource, Schema } from './custom-resource.ts';

/** A number of pods, nodes or the like. */
export const count = (description: string): Schema => ({ type: 'integer', format: 'int32', minimum: 0, description });

/** Its default says of a new object that it is in progress; it applies where the status itself has a default. */
export const observedGeneration: Schema = {
  type: 'integer',
  format: 'int64',
  description: 'The metadata.generation that this status is about. -1 until the operator has looked at the object.',
  default: -1,
};

/** For kinds whose spec has `replicas`, and whose status has `replicas` and `selector`. */
export const scaleByReplicas: NonNullable<CustomResource['scale']> = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};

/** What every condition has, in kinds of ours and in native ones. */
export const conditionFields = {
  type: { type: 'string', description: 'What it is about.' },
  status: { type: 'string', description: 'Whether it holds.', enum: ['True', 'False', 'Unknown'] },
  reason: { type: 'string', description: 'Why, in one word that programs can compare.' },
  message: { type: 'string', description: 'Why, in a sentence.' },
  lastTransitionTime: { type: 'string', format: 'date-time', description: 'When its status last changed.' },
} as const satisfies Readonly<Record<string, Schema>>;

/** A list of conditions, at most one of each type. */
export function conditionsSchema(description: string): Schema {
  return {
    type: 'array',
    description,
    items: {
      type: 'object',
      required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
      properties: {
        ...conditionFields,
        observedGeneration: {
          type: 'integer',
          format: 'int64',
          description: 'The metadata.generation that was judged.',
        },
      },
    },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
  };
}
