// Texts and numbers: wrong types, beyond every bound, empty, huge, and text of the sort that breaks programs. What chance
// adds is decided by the seed.

import type { Schema } from '../../../src/runtime/custom-resource.ts';
import type { Chance } from '../simulation/chance.ts';
import { bad, good, HOSTILE_TEXT, open, type Value } from './value.ts';

const INT32 = 2 ** 31 - 1;

/** For a text, or a choice of texts. */
export function strings(schema: Schema, chance: Chance): Value[] {
  const { enum: choices, format, maxLength, minLength } = schema;
  const wrong = [bad('a number', 7), bad('true', true), bad('a list', ['text']), bad('an object', { text: 'text' })];
  if (choices !== undefined) {
    return [
      ...choices.map((choice) => good(choice, choice)),
      bad('no such choice', 'Nonsense'),
      bad('empty', ''),
      ...wrong,
    ];
  }
  if (format === 'date-time') return [bad('no time', 'yesterday'), ...wrong];
  const picked = chance.pick(HOSTILE_TEXT);
  return [
    ...wrong,
    minLength === undefined ? open('empty', '') : bad('too short', ''),
    open('hostile text', picked),
    open('blanks', ' text '),
    open('long', 'x'.repeat(Math.min(maxLength ?? 1_000, 1_000))),
    ...(maxLength === undefined ? [] : [bad('too long', 'x'.repeat(maxLength + 1))]),
  ];
}

/** For a whole number. */
export function integers({ minimum, maximum, format }: Schema, chance: Chance): Value[] {
  const least = minimum ?? 0;
  return [
    bad('text', '1'),
    bad('a fraction', 1.5),
    bad('true', true),
    bad('a list', [1]),
    bad('beyond 64 bits', 1e20),
    ...(format === 'int32' ? [bad('beyond 32 bits', INT32 + 1), bad('below 32 bits', -INT32 - 2)] : []),
    minimum === undefined ? open('negative', -1) : bad('too small', minimum - 1),
    ...(maximum === undefined ? [] : [good('the largest', maximum), bad('too large', maximum + 1)]),
    ...(minimum === undefined ? [open('zero', 0)] : [good('the smallest', minimum)]),
    open('some number', chance.between(least, Math.min(maximum ?? INT32, 100_000))),
    ...(maximum === undefined ? [open('huge', INT32)] : []),
  ];
}

/** For a number, a share or a quantity. */
export function intsOrStrings({ minimum, maxLength, pattern }: Schema, chance: Chance): Value[] {
  return [
    // A quantity may be a fraction: the API server writes it as text.
    pattern === undefined ? open('a fraction', 1.5) : bad('a fraction', 1.5),
    bad('true', true),
    bad('an object', { value: 1 }),
    bad('a list', [1]),
    minimum === undefined ? open('negative', -1) : bad('too small', minimum - 1),
    open('zero', 0),
    open('some number', chance.between(1, 100_000)),
    open('percent', `${chance.between(1, 100)}%`),
    open('a quantity', '100Mi'),
    pattern === undefined ? open('empty', '') : bad('empty', ''),
    pattern === undefined ? open('words', 'many') : bad('words', 'many'),
    pattern === undefined ? open('hostile text', chance.pick(HOSTILE_TEXT)) : bad('hostile', chance.pick(HOSTILE_TEXT)),
    ...(maxLength === undefined ? [] : [bad('too long', `${'1'.repeat(maxLength)}%`)]),
  ];
}
