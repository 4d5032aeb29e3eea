// `-o json|yaml|name|jsonpath=TEMPLATE`, and the line that says what was done, as kubectl prints them.

import { stringify } from 'yaml';
import { myDeployments } from '../kinds/my-deployment/names.ts';
import type { KubeObject } from '../runtime/object.ts';
import { apiVersionOf, groupResourceOf, type Resource } from '../runtime/resource.ts';
import { type Flags, UsageError } from './arguments.ts';
import { parseTemplate, type Template } from './jsonpath/parse.ts';
import { renderTemplate } from './jsonpath/render.ts';
import { printedName } from './object-name.ts';

const FORMATS = ['json', 'yaml', 'name'] as const;
export type Format = (typeof FORMATS)[number] | { readonly jsonpath: Template };

export type DryRun = 'client' | 'server' | 'none';

/** The format asked for, if any. */
export function formatOf(flags: Flags): Format | undefined {
  const [name, ...template] = flags.text('output')?.split('=') ?? [];
  if (name === 'jsonpath') return { jsonpath: parseTemplate(template.join('=')) };
  const format = FORMATS.find((each) => each === name && template.length === 0);
  if (name === undefined || format !== undefined) return format;
  throw new UsageError(`--output is one of ${FORMATS.join(', ')}, jsonpath=TEMPLATE, got "${flags.text('output')}"`);
}

export function dryRunOf(flags: Flags): DryRun {
  return flags.choice('dry-run', ['client', 'server', 'none'] as const) ?? 'none';
}

/** An object in the format asked for. */
export function printObject(object: KubeObject, format: Format, resource: Resource = myDeployments): string {
  return format === 'name' ? `${nameOf(object, resource)}\n` : printed(whole(object, resource, format), format);
}

/** Several objects in the format asked for: their names, or a List of them. */
export function printObjects(
  objects: readonly KubeObject[],
  format: Format,
  resource: Resource = myDeployments,
): string {
  if (format === 'name') return objects.map((object) => `${nameOf(object, resource)}\n`).join('');
  const items = objects.map((object) => whole(object, resource, format));
  return printed({ apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } }, format);
}

function printed(value: object, format: Exclude<Format, 'name'>): string {
  if (typeof format === 'object') return renderTemplate(format.jsonpath, value);
  return format === 'json' ? `${JSON.stringify(value, null, 4)}\n` : stringify(value, { lineWidth: 0 });
}

function nameOf({ metadata }: KubeObject, resource: Resource): string {
  if (resource === myDeployments) return printedName(metadata.name);
  return `${groupResourceOf(resource).replace(/s(\.|$)/, '$1')}/${metadata.name}`;
}

/**
 * The object with its kind, which a member of a list lacks. kubectl leaves managedFields out of JSON and YAML, where they
 * are longer than the rest, and keeps them for JSONPath.
 */
function whole(object: KubeObject, resource: Resource, format: Format): KubeObject {
  const { managedFields: _, ...rest } = object.metadata as KubeObject['metadata'] & { managedFields?: unknown };
  const metadata = typeof format === 'object' ? object.metadata : rest;
  return { ...object, metadata, apiVersion: apiVersionOf(resource), kind: resource.kind };
}

/** `mydeployment.kubebuilder.zq.com/web paused (server dry run)` */
export function doneLine(name: string, what: string, dryRun: DryRun): string {
  const suffix = { none: '', client: ' (dry run)', server: ' (server dry run)' }[dryRun];
  return `${printedName(name)} ${what}${suffix}\n`;
}
