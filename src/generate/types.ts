// TypeScript types of a kind's objects, made from its CRD: what the operator reads from the API server. Every property
// is read-only because objects come from a shared cache. Names follow the path of the field (MyDeploymentSpecStrategy),
// as those of the typed constructs do; a pod template gets the type that all workload code speaks. Parts of a pod are written
// out, because the props of constructs are made of them, and an app that imports constructs need not have client-node's types.

import { relative } from 'node:path';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import type { Schema } from '../runtime/custom-resource.ts';
import { type Crd, typesFolderOf } from './crd.ts';

/** The modules that declare what generated types are made of. */
export interface TypeSources {
  readonly objectMeta: string;
  readonly podTemplate: string;
}

/** The files of this repository, as those of a kind import them. */
export function ownSources(kind: string): TypeSources {
  const src = relative(typesFolderOf(kind), 'src');
  return { objectMeta: `${src}/runtime/object.ts`, podTemplate: `${src}/workload/template-schema.ts` };
}

/** The content of a kind's types.gen.ts. */
export async function typesOf(
  crd: Pick<Crd, 'file' | 'kind' | 'schema'>,
  sources = ownSources(crd.kind),
): Promise<string> {
  const source = await compile(objectSchema(crd), crd.kind, {
    additionalProperties: false,
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 120 },
  });
  return `${header(crd.file, source, sources)}\n${readOnly(source)}`;
}

function header(file: string, source: string, { objectMeta, podTemplate }: TypeSources): string {
  const template = /: PodTemplate\b/.test(source) ? `import type { PodTemplate } from '${podTemplate}';\n` : '';
  return `// Generated from ${file} by \`make generate\`; edit schema.ts instead.

import type { ObjectMeta } from '${objectMeta}';
${template}`;
}

function objectSchema({ kind, schema }: Pick<Crd, 'kind' | 'schema'>): JSONSchema {
  const object = withNames(schema, kind);
  return {
    ...object,
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { tsType: 'ObjectMeta' },
      ...object.properties,
    },
    required: ['metadata', ...(schema.required ?? [])],
  };
}

/** The schema with a name for each object in it, so that each becomes an interface instead of nesting. */
function named(schema: Schema, name: string): JSONSchema {
  return isPodTemplate(schema) ? { description: schema.description, tsType: 'PodTemplate' } : withNames(schema, name);
}

function withNames(schema: Schema, name: string): JSONSchema {
  const { properties, items, ...rest } = schema as JSONSchema & Schema;
  const children = Object.entries(properties ?? {}).map(([key, child]) => [key, named(child, name + capitalized(key))]);
  return {
    ...rest,
    ...(properties && { title: name, properties: Object.fromEntries(children) }),
    ...(items && { items: named(items, singular(name)) }),
  };
}

function isPodTemplate({ properties = {} }: Schema): boolean {
  return properties.spec?.properties?.containers !== undefined;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function singular(word: string): string {
  return word.replace(/s$/, '');
}

/** The generator has no notion of read-only: marks properties, index signatures and arrays. */
function readOnly(source: string): string {
  return source
    .replaceAll(/^( +)(\w+\??:|\[k: string\]:)/gm, '$1readonly $2')
    .replaceAll(/: (.+\[\];)$/gm, ': readonly $1');
}
