// Lays the same object of many installations over each other: one tree in which every field, item and value knows the
// installations that have it.

import type { Profile } from './condition.ts';

/** Part of a Kubernetes object. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A value without parts that installations could have or lack: an empty list or map counts, too. */
export type Leaf = string | number | boolean | null | readonly [] | Readonly<Record<string, never>>;

export type Merged =
  | { readonly type: 'leaf'; readonly value: Leaf }
  | { readonly type: 'list'; readonly items: readonly Variant[] }
  | { readonly type: 'map'; readonly fields: readonly Field[] };

/** A value, and who has it. */
export interface Variant {
  readonly present: ReadonlySet<Profile>;
  readonly node: Merged;
}

export interface Field extends Variant {
  readonly key: string;
}

/** What one installation has at a place. */
export interface Sample {
  readonly profile: Profile;
  readonly value: Json;
}

/** The values of one place, one variant unless they are of different types or different leaves. */
export function merge(samples: readonly Sample[]): Variant[] {
  const byForm = Map.groupBy(samples, ({ value }) => formOf(value));
  return [...byForm.values()].map((same) => ({ present: profilesOf(same), node: mergeAlike(same) }));
}

function mergeAlike(samples: readonly Sample[]): Merged {
  const [{ value } = { value: null }] = samples;
  if (isLeaf(value)) return { type: 'leaf', value };
  if (isList(value)) {
    const items = group(samples, (list) => (list as readonly Json[]).map((item) => [identityOf(item), item]));
    return { type: 'list', items: items.flatMap(([, same]) => merge(same)) };
  }
  const fields = group(samples, (map) => Object.entries(map as object));
  return { type: 'map', fields: fields.flatMap(([key, same]) => merge(same).map((each) => ({ key, ...each }))) };
}

/** Parts by their names, in an order that agrees with that of every sample as far as possible. */
function group(samples: readonly Sample[], parts: (value: Json) => [string, Json][]): [string, Sample[]][] {
  const order: string[] = [];
  const byName = new Map<string, Sample[]>();
  for (const { profile, value } of samples) {
    let after = -1;
    for (const [name, part] of parts(value)) {
      if (!byName.has(name)) {
        byName.set(name, []);
        order.splice(after + 1, 0, name);
      }
      byName.get(name)?.push({ profile, value: part });
      after = order.indexOf(name);
    }
  }
  return order.map((name) => [name, byName.get(name) ?? []]);
}

/** By what an item of a list is known in other installations: its name, the resource of a rule, or else all of it. */
function identityOf(item: Json): string {
  if (!isMap(item)) return JSON.stringify(item);
  if (item.name !== undefined) return JSON.stringify(item.name);
  const { verbs, ...rest } = item;
  return JSON.stringify(verbs === undefined ? item : rest);
}

function formOf(value: Json): string {
  if (isLeaf(value)) return `leaf ${JSON.stringify(value)}`;
  return isList(value) ? 'list' : 'map';
}

function profilesOf(samples: readonly Sample[]): Set<Profile> {
  return new Set(samples.map(({ profile }) => profile));
}

function isLeaf(value: Json): value is Leaf {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isMap(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !isList(value);
}
