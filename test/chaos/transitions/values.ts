// The values that a field of the schema is tried with, whatever its type.

import type { Schema } from '../../../src/runtime/custom-resource.ts';
import type { Chance } from '../simulation/chance.ts';
import { lists, maps, objects } from './collections.ts';
import { sampleOf } from './plant.ts';
import type { Samples } from './samples.ts';
import { integers, intsOrStrings, strings } from './scalars.ts';
import { bad, good, open, SAMPLE, type Value } from './value.ts';

/** Everything to try at this place. */
export function valuesOf(schema: Schema, at: string, samples: Samples, chance: Chance): readonly Value[] {
  const sample = sampleOf(schema, at, samples);
  // Null stands for nothing: natively always, here where the schema has a default or the webhook clears it away.
  return [good(SAMPLE, sample), ...ofType(schema, at, samples, chance), open('null', null)];
}

function ofType(schema: Schema, at: string, samples: Samples, chance: Chance): Value[] {
  if (schema['x-kubernetes-int-or-string']) return intsOrStrings(schema, chance);
  switch (schema.type) {
    case 'string':
      return strings(schema, chance);
    case 'integer':
      return integers(schema, chance);
    case 'boolean':
      return [good('false', false), bad('text', 'true'), bad('a number', 1), bad('a list', [true])];
    case 'array':
      return lists(schema, sampleOf(schema.items as Schema, `${at}[]`, samples));
    case 'object':
      return schema.additionalProperties === undefined
        ? objects(schema, at, samples)
        : maps(schema, samples.keyAt(at), sampleOf(schema.additionalProperties, `${at}{}`, samples));
    default:
      throw new Error(`no values are known for ${at}: ${JSON.stringify(schema)}`);
  }
}
