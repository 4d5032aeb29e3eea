// Puts a value at a place deep inside a spec that is otherwise right: whatever the schema requires beside it, and what
// the API server wants to see beside it, is filled in from the samples.

import type { Schema } from '../../../src/runtime/custom-resource.ts';
import type { Json } from '../../support/merge-patch.ts';
import { companionsAt, type Samples, sampleAt } from './samples.ts';

type Step = string;

/** The spec in which the field at this path has this value. */
export function planted(spec: Schema, path: string, value: Json, samples: Samples): Json {
  const [, ...steps] = stepsOf(path);
  return build({ schema: spec, at: 'spec', target: path }, steps, value, samples);
}

/** `a.b[].c{}` as its steps: a, b, [], c, {}. */
export function stepsOf(path: string): readonly Step[] {
  return path.replaceAll(/(\[\]|\{\})/g, '.$1').split('.');
}

interface Place {
  readonly schema: Schema;
  /** Where in the spec this is. */
  readonly at: string;
  /** Where the value is to go. */
  readonly target: string;
}

function build(place: Place, steps: readonly Step[], value: Json, samples: Samples): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  const { schema, at } = place;
  switch (step) {
    case '[]':
      return [build(inside(place, schema.items, `${at}[]`), rest, value, samples)];
    case '{}':
      return {
        ...object(place, samples),
        [samples.keyAt(at)]: build(inside(place, schema.additionalProperties, `${at}{}`), rest, value, samples),
      };
    default: {
      const child = build(inside(place, schema.properties?.[step], `${at}.${step}`), rest, value, samples);
      return { ...object(place, samples), [step]: child };
    }
  }
}

function inside(place: Place, schema: Schema | undefined, at: string): Place {
  if (schema === undefined) throw new Error(`the schema has nothing at ${at}, on the way to ${place.target}`);
  return { ...place, schema, at };
}

/** What has to be there besides. */
function object({ schema, at, target }: Place, samples: Samples): Readonly<Record<string, Json>> {
  const required = (schema.required ?? []).map((name): [string, Json] => {
    const child = schema.properties?.[name];
    if (child === undefined) throw new Error(`${at} requires ${name}, which it does not have`);
    return [name, sampleOf(child, `${at}.${name}`, samples)];
  });
  return { ...Object.fromEntries(required), ...companionsAt(samples, at, target) };
}

/** A value that should be right at this place. */
export function sampleOf(schema: Schema, at: string, samples: Samples): Json {
  const known = sampleAt(samples, at);
  if (known !== undefined) return known;
  if (schema['x-kubernetes-int-or-string']) return 1;
  if (schema['x-kubernetes-preserve-unknown-fields']) return { anything: ['goes'] };
  if (schema.enum !== undefined) return schema.enum[0] as string;
  if (schema.format === 'date-time') return '2024-02-29T12:00:00Z';
  switch (schema.type) {
    case 'object':
      return schema.additionalProperties === undefined
        ? object({ schema, at, target: at }, samples)
        : { [samples.keyAt(at)]: sampleOf(schema.additionalProperties, `${at}{}`, samples) };
    case 'array':
      return [sampleOf(schema.items as Schema, `${at}[]`, samples)];
    case 'string':
      return 'text';
    case 'integer':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    default:
      throw new Error(`no value is known for ${at}: ${JSON.stringify(schema)}`);
  }
}
