// Walks a schema, for tests that speak about all of its fields: which there are, and an object that has every one.

import type { Schema } from '../../src/runtime/custom-resource.ts';

/** Every node of the schema with its path: `spec.containers[].ports[]`, `metadata.labels{}`. */
export function* nodesOf(schema: Schema, path = ''): Generator<readonly [path: string, node: Schema]> {
  yield [path, schema];
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    yield* nodesOf(child, path === '' ? name : `${path}.${name}`);
  }
  if (schema.items !== undefined) yield* nodesOf(schema.items, `${path}[]`);
  if (schema.additionalProperties !== undefined) yield* nodesOf(schema.additionalProperties, `${path}{}`);
}

/** A value at a path; `undefined` leaves the choice to the schema, `OMIT` leaves the field out. */
export type Choice = (path: string) => unknown;
export const OMIT = Symbol('omit');

/** A value that has every field of the schema, one item in each list and one entry in each map. */
export function everyField(schema: Schema, choose: Choice = () => undefined, path = ''): unknown {
  const chosen = choose(path);
  if (chosen !== undefined) return chosen;
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties).map(
      ([name, child]) => [name, everyField(child, choose, path === '' ? name : `${path}.${name}`)] as const,
    );
    return Object.fromEntries(fields.filter(([, value]) => value !== OMIT));
  }
  if (schema.items !== undefined) return [everyField(schema.items, choose, `${path}[]`)];
  if (schema.additionalProperties !== undefined)
    return { key: everyField(schema.additionalProperties, choose, `${path}{}`) };
  return leaf(schema);
}

function leaf(schema: Schema): unknown {
  if (schema['x-kubernetes-int-or-string']) return '1';
  if (schema['x-kubernetes-preserve-unknown-fields']) return { anything: ['goes'] };
  if (schema.format === 'date-time') return '2024-02-29T12:00:00.000Z';
  if (schema.enum !== undefined) return schema.enum[0];
  switch (schema.type) {
    case 'integer':
      return 7;
    case 'boolean':
      return true;
    case 'string':
      return 'text';
    default:
      throw new Error(`no value for ${JSON.stringify(schema)}`);
  }
}
