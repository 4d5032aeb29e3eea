// `-o json|yaml|name`, and the line that says what was done, as kubectl prints them.

import { stringify } from 'yaml';
import { myDeployments } from '../kinds/my-deployment/names.ts';
import type { KubeObject } from '../runtime/object.ts';
import { apiVersionOf, groupResourceOf, type Resource } from '../runtime/resource.ts';
import type { Flags } from './arguments.ts';
import { printedName } from './object-name.ts';

export const FORMATS = ['json', 'yaml', 'name'] as const;
export type Format = (typeof FORMATS)[number];

export type DryRun = 'client' | 'server' | 'none';

/** The format asked for, if any. */
export function formatOf(flags: Flags): Format | undefined {
  return flags.choice('output', FORMATS);
}

export function dryRunOf(flags: Flags): DryRun {
  return flags.choice('dry-run', ['client', 'server', 'none'] as const) ?? 'none';
}

/** An object in the format asked for. */
export function printObject(object: KubeObject, format: Format, resource: Resource = myDeployments): string {
  const whole = { ...object, apiVersion: apiVersionOf(resource), kind: resource.kind };
  switch (format) {
    case 'json':
      return `${JSON.stringify(withoutManagedFields(whole), null, 4)}\n`;
    case 'yaml':
      return stringify(withoutManagedFields(whole), { lineWidth: 0 });
    case 'name':
      return resource === myDeployments
        ? `${printedName(object.metadata.name)}\n`
        : `${groupResourceOf(resource).replace(/s(\.|$)/, '$1')}/${object.metadata.name}\n`;
    default:
      return format satisfies never;
  }
}

/** Several objects in the format asked for: as a List in JSON, one after the other elsewhere. */
export function printObjects(
  objects: readonly KubeObject[],
  format: Format,
  resource: Resource = myDeployments,
): string {
  if (format !== 'json') {
    return objects.map((object) => printObject(object, format, resource)).join(format === 'yaml' ? '---\n' : '');
  }
  const items = objects.map((object) => JSON.parse(printObject(object, format, resource)) as object);
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 4)}\n`;
}

/** `mydeployment.kubebuilder.zq.com/web paused (server dry run)` */
export function doneLine(name: string, what: string, dryRun: DryRun): string {
  const suffix = { none: '', client: ' (dry run)', server: ' (server dry run)' }[dryRun];
  return `${printedName(name)} ${what}${suffix}\n`;
}

/** kubectl leaves them out too: they are for the server, and longer than the rest. */
function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata as KubeObject['metadata'] & { managedFields?: unknown };
  return { ...object, metadata };
}
