// Objects that a schema allows, of all shapes: optional fields present and absent, lists empty and long, texts of any characters. A seed
// gives the same objects again.

import type { Schema, VersionSchema } from '../runtime/custom-resource.ts';
import type { KubeObject } from '../runtime/object.ts';

/** Numbers in [0, 1). */
export type Random = () => number;

/** The same numbers for the same seed, by a linear congruential generator. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const LETTERS = ['a', 'B', '7', '-', ' ', '/', '"', '\n', 'ß', '中', '😀'];
const LONGEST = 6;

/** One object of this version, as the API server would store it. */
export function sampleObject({ spec, status }: Pick<VersionSchema, 'spec' | 'status'>, random: Random): KubeObject {
  // The API server stores no empty map.
  const texts = () =>
    Object.fromEntries(Array.from({ length: 1 + upTo(1, random) }, (_, n) => [`example.com/${n}`, text(random)]));
  const object = {
    metadata: {
      ...{ namespace: 'default', name: 'sample', uid: String(random()), resourceVersion: '1', generation: 1 },
      ...(maybe(random) && { labels: texts() }),
      ...(maybe(random) && { annotations: texts() }),
    },
    spec: sampleValue(spec, random),
    ...(maybe(random) && { status: sampleValue(status, random) }),
  };
  return object;
}

/** A value that the schema allows; throws for a text with a pattern that has no example, because it cannot invent one. */
export function sampleValue(schema: Schema, random: Random): unknown {
  if (schema.enum !== undefined) return schema.enum[upTo(schema.enum.length - 1, random)];
  if (schema['x-kubernetes-int-or-string']) return maybe(random) ? upTo(100, random) : `${upTo(100, random)}%`;
  switch (schema.type) {
    case 'object':
      return sampleFields(schema, random);
    case 'array':
      return Array.from({ length: length(schema.minItems, schema.maxItems, random) }, () =>
        sampleValue(schema.items ?? {}, random),
      );
    case 'string':
      return sampleText(schema, random);
    case 'integer':
      return (schema.minimum ?? 0) + upTo(Math.min((schema.maximum ?? 1000) - (schema.minimum ?? 0), 1000), random);
    case 'number':
      return (schema.minimum ?? 0) + random();
    case 'boolean':
      return maybe(random);
    case undefined:
      return {};
    default:
      return schema.type satisfies never;
  }
}

function sampleFields({ properties = {}, required = [], additionalProperties }: Schema, random: Random): object {
  const named = Object.entries(properties).filter(([name]) => required.includes(name) || maybe(random));
  const further = additionalProperties === undefined ? [] : Array.from({ length: upTo(3, random) }, (_, n) => n);
  return Object.fromEntries([
    ...named.map(([name, schema]) => [name, sampleValue(schema, random)]),
    ...further.map((n) => [`key-${n}`, sampleValue(additionalProperties ?? {}, random)]),
  ]);
}

function sampleText({ pattern, example, format, minLength, maxLength, ...rest }: Schema, random: Random): unknown {
  if (format === 'date-time') return new Date(upTo(2 ** 31, random) * 1000).toISOString();
  if (pattern !== undefined) {
    const known = [example, rest.default].filter((each) => each !== undefined);
    if (known.length === 0)
      throw new Error(`no text is known that matches ${pattern}: say an \`example\` in the schema`);
    return known[upTo(known.length - 1, random)];
  }
  return text(random, length(minLength, maxLength, random));
}

function length(least = 0, most = Number.POSITIVE_INFINITY, random: Random): number {
  return least + upTo(Math.min(LONGEST, most - least), random);
}

function text(random: Random, letters = upTo(LONGEST, random)): string {
  return Array.from({ length: letters }, () => LETTERS[upTo(LETTERS.length - 1, random)]).join('');
}

function maybe(random: Random): boolean {
  return random() < 0.5;
}

/** A whole number from 0 to `most`. */
function upTo(most: number, random: Random): number {
  return Math.floor(random() * (most + 1));
}
