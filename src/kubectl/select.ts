// Which MyDeployments a command works on: those that are named, those in files (`-f`), or those with labels (`-l`), as
// `kubectl get` and `kubectl rollout` take them.

import { myDeployments } from '../kinds/my-deployment/names.ts';
import type { MyDeployment } from '../kinds/my-deployment/types.gen.ts';
import type { ObjectRef } from '../runtime/object.ts';
import { UsageError } from './arguments.ts';
import type { CommandFunction, Context, ObjectCommand } from './context.ts';
import { FAILED, failureLine } from './failure.ts';
import { readManifests } from './manifests.ts';
import { myDeploymentName } from './object-name.ts';
import { type Format, formatOf } from './output.ts';

export type Selection =
  | { readonly by: 'name'; readonly targets: readonly Required<ObjectRef>[] }
  /** All namespaces when there is none. */
  | { readonly by: 'list'; readonly namespace?: string; readonly labelSelector?: string };

/** What the names and flags of a command line select. Refuses combinations that kubectl refuses, in its words. */
export function selectionOf({ flags, namespace }: Context, names: readonly string[]): Selection {
  const files = flags.all('filename');
  const labelSelector = flags.text('selector');
  const isEverywhere = flags.on('all-namespaces');
  if (files.length > 0) {
    if (names.length > 0) throw new UsageError('-f names the objects, so no NAME may be given as well');
    if (labelSelector !== undefined || isEverywhere) throw new UsageError('-f cannot be combined with -l or -A');
    const isAsked = flags.text('namespace') !== undefined;
    return { by: 'name', targets: readManifests(files, { namespace, isAsked, recursive: flags.on('recursive') }) };
  }
  if (names.length > 0) {
    if (labelSelector !== undefined) throw new UsageError('name cannot be provided when a selector is specified');
    if (isEverywhere) throw new UsageError('a resource cannot be retrieved by name across all namespaces');
    return { by: 'name', targets: names.map((name) => ({ namespace, name: myDeploymentName(name) })) };
  }
  return {
    by: 'list',
    ...(!isEverywhere && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
  };
}

/** The objects of a selection that is not by name. */
export async function listSelected(
  { client, console }: Context,
  { namespace, labelSelector }: Selection & { by: 'list' },
): Promise<readonly MyDeployment[]> {
  const scope = {
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
  };
  const { items } = await client.list(myDeployments, { ...scope, signal: console.interrupted });
  if (items.length === 0) {
    const where = namespace === undefined ? '' : ` in ${namespace} namespace.`;
    console.err.write(`No resources found${where}\n`);
  }
  return items;
}

export interface ForEachOptions {
  /** Which arguments are names. @default all */
  readonly names?: (args: readonly string[]) => readonly string[];
  /** Whether an empty line separates what is printed about two objects. @default false */
  readonly isSpaced?: boolean;
}

/** Runs a command for each selected MyDeployment, one after the other. One that fails does not stop the others. */
export function forEach(
  command: ObjectCommand,
  { names = (args) => args, isSpaced = false }: ForEachOptions = {},
): CommandFunction {
  return async (context) => {
    const { args, flags, console, server } = context;
    const selection = selectionOf(context, names(args));
    refuseAll(context, selection);
    const targets = await targetsOf(context, selection);
    const separator = separatorFor(formatOf(flags), isSpaced);
    let code = 0;
    for (const [index, target] of targets.entries()) {
      if (index > 0) console.out.write(separator);
      try {
        code = Math.max(code, await command({ ...context, namespace: target.namespace, target }));
      } catch (error) {
        if (console.interrupted.aborted) throw error;
        console.err.write(`${failureLine(error, server)}\n`);
        code = FAILED;
      }
    }
    return code;
  };
}

/** A command that changes objects works on a whole namespace only with -A or with labels: `-l "$UNSET"` selects none. */
function refuseAll({ flags }: Context, selection: Selection): void {
  if (selection.by === 'name' || flags.on('all-namespaces') || selection.labelSelector) return;
  throw new UsageError('no MyDeployment is named: give a NAME, -f FILE or -l LABELS');
}

function separatorFor(format: Format | undefined, isSpaced: boolean): string {
  if (format === 'yaml') return '---\n';
  return format === undefined && isSpaced ? '\n' : '';
}

async function targetsOf(context: Context, selection: Selection): Promise<readonly Required<ObjectRef>[]> {
  if (selection.by === 'name') return selection.targets;
  const objects = await listSelected(context, selection);
  return objects.map(({ metadata }) => ({ namespace: metadata.namespace as string, name: metadata.name }));
}
