// `mydeployment create version`: the version that is stored so far becomes another one that is still served, with its schema as the CRD
// has it now, and a new version, with the same fields at first, is stored.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { KindNames } from './names.ts';

interface Crd {
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly CrdVersion[];
  };
}

/** A version, as a CRD lists it. */
export interface CrdVersion {
  readonly name: string;
  readonly storage: boolean;
  readonly subresources?: { readonly scale?: object };
  readonly additionalPrinterColumns?: readonly object[];
  readonly schema: {
    readonly openAPIV3Schema: {
      readonly description?: string;
      readonly properties: { readonly spec: object; readonly status: object };
      readonly 'x-kubernetes-validations'?: readonly object[];
    };
  };
}

/** The stored version of the kind, and the names of its other versions, by the CRDs of the project. */
export function versionsIn(
  root: string,
  { kind }: KindNames,
): { readonly stored: CrdVersion; readonly others: readonly string[] } {
  const folder = join(root, 'crds');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const crds = files.map((file) => parse(readFileSync(join(folder, file), 'utf8')) as Crd);
  const versions = crds.find(({ spec }) => spec.names.kind === kind)?.spec.versions ?? [];
  const stored = versions.find(({ storage }) => storage);
  if (stored === undefined) throw new Error(`--kind: there is no CRD of ${kind} in crds/; run make generate first`);
  return { stored, others: versions.filter((each) => each !== stored).map(({ name }) => name) };
}

/** A module with the schema of a version. */
export function schemaModule({ name, schema, subresources, additionalPrinterColumns = [] }: CrdVersion): string {
  const { description = '', properties, 'x-kubernetes-validations': rules } = schema.openAPIV3Schema;
  const { spec, status } = properties;
  const { scale } = subresources ?? {};
  const columns = additionalPrinterColumns;
  const version = { description, ...(rules && { rules }), spec, status, ...(scale && { scale }), columns };
  return `// The schema of ${name}, as it was when another version came to be stored. It does not change any more.

import type { VersionSchema } from 'mydeployment/runtime';

export const schema: VersionSchema = ${literal(version, '')};
`;
}

/** JSON as TypeScript has it: names without quotes, texts in single ones. */
function literal(value: unknown, indent: string): string {
  const deeper = `${indent}  `;
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, indent)).join(', ')}]`;
  const fields = Object.entries(value).map(([name, each]) => `${deeper}${nameOf(name)}: ${literal(each, deeper)},\n`);
  return fields.length === 0 ? '{}' : `{\n${fields.join('')}${indent}}`;
}

function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}
