// Turns a type of the API server's own OpenAPI document into a structural schema that a CRD may carry: references
// resolved, descriptions left out (with them kubectl's client-side apply would exceed its 262,144 bytes), and
// everything kept that decides how values merge. What comes out accepts every field the native type has.

import type { Schema } from '../runtime/custom-resource.ts';

/** A schema as OpenAPI writes it: references instead of nesting, wrapped in `allOf` when they carry a default. */
export interface OpenApiSchema extends Omit<Schema, 'properties' | 'items' | 'additionalProperties' | 'format'> {
  readonly $ref?: string;
  readonly allOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly format?: string;
  readonly items?: OpenApiSchema;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema;
}

export interface OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, OpenApiSchema>> };
}

/** Where an API server describes its workloads, and what pod templates are called there. */
export const APPS_V1 = '/openapi/v3/apis/apps/v1';
export const POD_TEMPLATE = 'io.k8s.api.core.v1.PodTemplateSpec';

/** Copied unchanged. Enums are left out: the API server that validates the template may know more values than this copy. */
const KEPT = [
  'type',
  'format',
  'required',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
] as const satisfies readonly (keyof Schema)[];

/** Numbers with a name or a unit: ports, percentages and quantities. `anyOf` is what `cdk8s import` makes a type of. */
const INT_OR_STRING: Schema = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};

/** The structural schema of one named type of the document. */
export function structuralSchema(document: OpenApiDocument, typeName: string): Schema {
  return convert({ $ref: `#/components/schemas/${typeName}` }, document);
}

function convert(node: OpenApiSchema, document: OpenApiDocument): Schema {
  const schema = resolve(node, document);
  // Quantities are string or number; a CRD knows only string or integer, so `cpu: 0.5` needs its quotes there.
  if (schema.oneOf !== undefined) return INT_OR_STRING;
  const { properties, additionalProperties, items } = schema;
  const kept = Object.fromEntries(KEPT.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]]));
  const open = schema.type === 'object' && properties === undefined && additionalProperties === undefined;
  return {
    ...kept,
    ...(saysSomething(schema.default) && { default: schema.default }),
    ...(properties && { properties: mapValues(properties, (property) => convert(property, document)) }),
    ...(additionalProperties && { additionalProperties: convert(additionalProperties, document) }),
    ...(items && { items: withKeyDefaults(convert(items, document), schema['x-kubernetes-list-map-keys'] ?? []) }),
    // Free-form JSON, such as the fieldsV1 of managedFields.
    ...(open && { 'x-kubernetes-preserve-unknown-fields': true }),
  };
}

/** Follows a reference, keeping what is said beside it: list types sit on the field, not on the type. */
function resolve(node: OpenApiSchema, document: OpenApiDocument): OpenApiSchema {
  const reference = node.$ref ?? node.allOf?.[0]?.$ref;
  if (reference === undefined) return node;
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  const target = document.components.schemas[name];
  if (target === undefined) throw new Error(`the OpenAPI document has no schema for ${reference}`);
  return { ...resolve(target, document), ...node };
}

/** A zero value means "no default" in Go; in a CRD it would appear in every stored object. */
function saysSomething(value: unknown): boolean {
  return typeof value === 'object' ? false : Boolean(value);
}

/** A list merged by keys must be able to tell its items apart: each key is required or has a default. */
function withKeyDefaults(item: Schema, keys: readonly string[]): Schema {
  const bare = keys.filter((key) => !item.required?.includes(key) && item.properties?.[key]?.default === undefined);
  const defaulted = bare.map((key) => [key, { ...item.properties?.[key], default: '' }]);
  return bare.length === 0 ? item : { ...item, properties: { ...item.properties, ...Object.fromEntries(defaulted) } };
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
