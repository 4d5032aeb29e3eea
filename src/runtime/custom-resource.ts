// The definition of a kind for the API server, as plain data: its names, its schema, its columns and subresources.
// A kind declares this once; the CRD's YAML, the TypeScript types and the typed constructs are all made from it.

import type { KubeObject } from './object.ts';
import type { Resource } from './resource.ts';

/** A structural OpenAPI v3 schema: the part of JSON Schema that a CustomResourceDefinition may use. */
export interface Schema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly default?: unknown;
  /** A value that is valid. Tests of conversions need one where there is a `pattern`. */
  readonly example?: unknown;
  readonly enum?: readonly string[];
  readonly format?: 'int32' | 'int64' | 'date-time';
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly anyOf?: readonly Schema[];
  readonly nullable?: boolean;
  readonly 'x-kubernetes-int-or-string'?: true;
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** A CEL rule: `self` is the value the rule sits on, `oldSelf` the stored one. */
export interface ValidationRule {
  readonly rule: string;
  /** What is said when the rule fails, unless `messageExpression` yields something. */
  readonly message: string;
  readonly messageExpression?: string;
  /** The field blamed, relative to where the rule sits. */
  readonly fieldPath?: string;
  readonly reason?: 'FieldValueRequired' | 'FieldValueForbidden' | 'FieldValueInvalid' | 'FieldValueDuplicate';
}

/** A column of `kubectl get`; one with a priority above 0 shows in `-o wide` only. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'integer' | 'string' | 'date' | 'boolean';
  readonly jsonPath: string;
  readonly description?: string;
  readonly priority?: number;
}

/** Where the scale subresource finds its numbers, which is all that HPA and PodDisruptionBudget know of a kind. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath: string;
}

/** What objects look like in one version of a kind's API. */
export interface VersionSchema {
  readonly description: string;
  /** Rules about the object as a whole; of its metadata they see the name. */
  readonly rules?: readonly ValidationRule[];
  readonly spec: Schema;
  readonly status: Schema;
  readonly scale?: ScalePaths;
  readonly columns: readonly PrinterColumn[];
}

/** A kind as the API server serves it: names, schema, columns and subresources. */
export interface CustomResource<T extends KubeObject = KubeObject> extends VersionSchema {
  /** Names the version that the operator reads and writes, and that the API server stores. The schema is of this version. */
  readonly resource: Resource<T>;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /**
   * The older and newer versions of the kind. Unless one of them has a conversion, the API server converts by changing
   * `apiVersion` alone, so their fields have to be the same; rules, defaults and columns may differ. @default none
   */
  readonly otherVersions?: readonly OtherVersion[];
}

/** What an object of another version looks like in the version that is stored, and the reverse. Nothing may be lost on the way. */
export interface Conversion<Other extends KubeObject = KubeObject, Stored extends KubeObject = KubeObject> {
  toStored(object: Other): Stored;
  fromStored(object: Stored): Other;
}

/** A version that is served beside the stored one. */
export interface OtherVersion extends VersionSchema {
  readonly name: string;
  /** @default - the fields are the same */
  readonly conversion?: Conversion;
  /** False for a version that users no longer reach. It has to stay listed while objects of it are stored. */
  readonly served: boolean;
  /** What the API server tells users of a deprecated version. Absent: the version is not deprecated. */
  readonly deprecationWarning?: string;
}

/** A version as a CustomResourceDefinition lists it. */
export interface Version extends OtherVersion {
  readonly storage: boolean;
}

/** An object that says of which kind and version it is. */
export type VersionedObject = KubeObject & { readonly apiVersion: string; readonly kind: string };

/** Whether the operator has to convert objects of the kind. */
export function hasConversion({ otherVersions = [] }: Pick<CustomResource, 'otherVersions'>): boolean {
  return otherVersions.some(({ conversion }) => conversion !== undefined);
}

/** `example.com/v1` in its parts. */
export function groupVersionOf(apiVersion: string): { readonly group: string; readonly version: string } {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return { group, version };
}

/** All versions of a kind, the stored one first. */
export function versionsOf(kind: CustomResource): readonly Version[] {
  const { description, rules, spec, status, scale, columns, resource, otherVersions = [] } = kind;
  const schema = { description, spec, status, columns, ...(rules && { rules }), ...(scale && { scale }) };
  return [
    { ...schema, name: resource.version, served: true, storage: true },
    ...otherVersions.map((version) => ({ ...version, storage: false })),
  ];
}

/** A copy of the schema in which the node at `path` (property names, dots between, `[]` for items) also says `more`. */
export function refine(schema: Schema, path: string, more: Schema): Schema {
  const [step = '', ...rest] = path.split('.');
  const property = step.replace(/\[\]$/, '');
  const node = schema.properties?.[property];
  if (node === undefined) throw new Error(`the schema has no property "${property}"`);
  const change = (inner: Schema): Schema =>
    rest.length === 0 ? { ...inner, ...more } : refine(inner, rest.join('.'), more);
  const refined = property === step ? change(node) : { ...node, items: change(node.items as Schema) };
  return { ...schema, properties: { ...schema.properties, [property]: refined } };
}
