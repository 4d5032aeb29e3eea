// The difference of two JSON values as a JSON patch (RFC 6902), for the answer of a mutating webhook. Pure.
//
// Guarantees: applied to `from` the patch gives `to`; no operation when they are equal; only what differs is touched, so
// the patches of several webhooks get along. Lists are compared place by place, which is right though not the shortest
// patch when something is inserted in front.

import type { JsonPatchOperation } from '../client/options.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** The operations that turn `from` into `to`; properties that are undefined count as absent, as in JSON. */
export function jsonPatch(from: unknown, to: unknown): JsonPatchOperation[] {
  return [...differences(from, to, '')];
}

function* differences(from: unknown, to: unknown, path: string): Generator<JsonPatchOperation> {
  if (from === to) return;
  if (Array.isArray(from) && Array.isArray(to)) yield* listDifferences(from, to, path);
  else if (isObject(from) && isObject(to)) yield* objectDifferences(from, to, path);
  else yield { op: 'replace', path, value: to };
}

function* objectDifferences(from: JsonObject, to: JsonObject, path: string): Generator<JsonPatchOperation> {
  for (const [key, value] of Object.entries(from)) {
    if (value !== undefined && own(to, key) === undefined) yield { op: 'remove', path: `${path}/${escaped(key)}` };
  }
  for (const [key, value] of Object.entries(to)) {
    const before = own(from, key);
    const place = `${path}/${escaped(key)}`;
    if (value === undefined) continue;
    if (before === undefined) yield { op: 'add', path: place, value };
    else yield* differences(before, value, place);
  }
}

function* listDifferences(
  from: readonly unknown[],
  to: readonly unknown[],
  path: string,
): Generator<JsonPatchOperation> {
  const shared = Math.min(from.length, to.length);
  for (let index = 0; index < shared; index++) yield* differences(from[index], to[index], `${path}/${index}`);
  // From the end, so that the places of the others stay what they are.
  for (let index = from.length - 1; index >= shared; index--) yield { op: 'remove', path: `${path}/${index}` };
  for (let index = shared; index < to.length; index++) yield { op: 'add', path: `${path}/-`, value: to[index] };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Its own property only: `constructor` is a label key like any other. */
function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
