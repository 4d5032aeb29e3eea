// Lists, maps and objects: of a wrong type, too few or too many, the same twice, without what is required, with what is
// unknown, and with keys that mean something to programs written in JavaScript.

import type { Schema } from '../../../src/runtime/custom-resource.ts';
import type { Json } from '../../support/merge-patch.ts';
import { sampleOf } from './plant.ts';
import type { Samples } from './samples.ts';
import { bad, open, type Value } from './value.ts';

/** For a list of items like this one. */
export function lists({ minItems, maxItems, ...schema }: Schema, item: Json): Value[] {
  const keyed = schema['x-kubernetes-list-type'] === 'map' || schema['x-kubernetes-list-type'] === 'set';
  return [
    bad('text', 'text'),
    bad('an object', { item }),
    bad('a number', 1),
    bad('an item of a wrong type', [[item]]),
    minItems === undefined ? open('none', []) : bad('too few', []),
    open('the same twice', [item, item]),
    ...(keyed ? [open('the same three times', [item, item, item])] : []),
    open('a null item', [null]),
    ...(maxItems === undefined
      ? []
      : [
          bad(
            'too many',
            Array.from({ length: maxItems + 1 }, () => item),
          ),
        ]),
  ];
}

/** Keys that mean something to programs written in JavaScript, or are not valid at all. */
const HOSTILE_KEYS = ['__proto__', 'constructor', 'hasOwnProperty', '', 'a b', '../up', '名前', 'x'.repeat(400)];

/** For a map with entries like this one. */
export function maps({ maxProperties }: Schema, key: string, entry: Json): Value[] {
  return [
    bad('text', 'text'),
    bad('a list', [entry]),
    bad('an entry of a wrong type', { [key]: [[entry]] }),
    open('none', {}),
    open('a null entry', { [key]: null }),
    ...HOSTILE_KEYS.map((hostile) => open(`the key ${JSON.stringify(hostile.slice(0, 20))}`, own([[hostile, entry]]))),
    ...(maxProperties === undefined ? [] : [bad('too many', many(maxProperties + 1, entry))]),
  ];
}

/** As own properties, also `__proto__`. */
function own(entries: readonly (readonly [string, Json])[]): Json {
  return Object.fromEntries(entries) as Json;
}

function many(count: number, entry: Json): Json {
  return own(Array.from({ length: count }, (_, index) => [`key-${index}`, entry]));
}

/** For an object with fields of its own. */
export function objects(schema: Schema, at: string, samples: Samples): Value[] {
  const whole = sampleOf(schema, at, samples) as Readonly<Record<string, Json>>;
  const keeps = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const without = (schema.required ?? []).map((name) => {
    const { [name]: _, ...rest } = whole;
    return bad(`without ${name}`, rest);
  });
  return [
    bad('text', 'text'),
    bad('a list', [whole]),
    bad('a number', 1),
    ...without,
    ...(schema.required === undefined ? [open('nothing in it', {})] : []),
    ...(keeps ? [] : [bad('an unknown field', { ...whole, noSuchField: true })]),
    ...(keeps ? [] : [bad('the field __proto__', own([...Object.entries(whole), ['__proto__', { polluted: true }]]))]),
  ];
}
