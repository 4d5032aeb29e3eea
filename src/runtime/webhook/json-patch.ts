// The difference of two JSON values as a JSON patch (RFC 6902), for the answer of a mutating webhook. Pure.
//
// Guarantees: applied to `from` the patch gives `to`; no operation when they are equal; only what differs is touched, so
// the patches of several webhooks do not conflict. Lists are compared index by index, which is correct, but not the shortest
// patch when an item is inserted in front.
//
// Large objects that differ little are compared while admissions and reconciles wait, so equal parts are only compared, and a
// path is built only where something differs.

import type { JsonPatchOperation } from '../client/options.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Where a value is; undefined for the whole document. */
type Place = { readonly within: Place; readonly key: string | number } | undefined;

/** The operations that turn `from` into `to`; properties that are undefined count as absent, as in JSON. */
export function jsonPatch(from: unknown, to: unknown): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  compare(from, to, undefined, operations);
  return operations;
}

function compare(from: unknown, to: unknown, place: Place, into: JsonPatchOperation[]): void {
  if (from === to) return;
  if (Array.isArray(from) && Array.isArray(to)) compareLists(from, to, place, into);
  else if (isObject(from) && isObject(to)) compareObjects(from, to, place, into);
  else into.push({ op: 'replace', path: pathOf(place), value: to });
}

function compareObjects(from: JsonObject, to: JsonObject, within: Place, into: JsonPatchOperation[]): void {
  for (const key of Object.keys(from)) {
    if (from[key] === undefined || own(to, key) !== undefined) continue;
    into.push({ op: 'remove', path: pathOf({ within, key }) });
  }
  for (const key of Object.keys(to)) {
    const [before, value] = [own(from, key), to[key]];
    if (value === before || value === undefined) continue;
    if (before === undefined) into.push({ op: 'add', path: pathOf({ within, key }), value });
    else compare(before, value, { within, key }, into);
  }
}

function compareLists(
  from: readonly unknown[],
  to: readonly unknown[],
  within: Place,
  into: JsonPatchOperation[],
): void {
  const shared = Math.min(from.length, to.length);
  for (let key = 0; key < shared; key++) compare(from[key], to[key], { within, key }, into);
  // From the end, so that the places of the others stay what they are.
  for (let key = from.length - 1; key >= shared; key--) into.push({ op: 'remove', path: pathOf({ within, key }) });
  for (let key = shared; key < to.length; key++) {
    into.push({ op: 'add', path: pathOf({ within, key: '-' }), value: to[key] });
  }
}

function pathOf(place: Place): string {
  return place === undefined ? '' : `${pathOf(place.within)}/${escaped(String(place.key))}`;
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
