// What the API server leaves of a converted object: fields that the schema of its version does not have are dropped. A conversion that
// hands such a field on would seem to lose nothing.

import type { Schema, VersionSchema } from '../runtime/custom-resource.ts';
import type { KubeObject } from '../runtime/object.ts';

/** The object, with the fields that this version has. */
export function prunedObject(object: KubeObject, { spec, status }: Pick<VersionSchema, 'spec' | 'status'>): object {
  const metadata: Schema = { 'x-kubernetes-preserve-unknown-fields': true };
  const properties = { apiVersion: {}, kind: {}, metadata, spec, status };
  return pruned(object, { properties }) as object;
}

function pruned(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => pruned(item, schema.items ?? {}));
  if (typeof value !== 'object' || value === null) return value;
  const { properties = {}, additionalProperties, 'x-kubernetes-preserve-unknown-fields': keepsAll = false } = schema;
  const kept = Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
    const known = properties[name] ?? additionalProperties;
    if (known !== undefined) return [[name, pruned(field, known)]];
    return keepsAll ? [[name, field]] : [];
  });
  return Object.fromEntries(kept);
}
