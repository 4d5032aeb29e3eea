// `get`: one MyDeployment as a tree, once or live, or all of a namespace as a table.

import { myDeployments } from '../../kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import { pods as fullPods } from '../../runtime/built-in.ts';
import { timeOf } from '../../workload/pod.ts';
import { formatSelector } from '../../workload/selector.ts';
import { controllerRevisions } from '../../workload/write-context.ts';
import { UsageError } from '../arguments.ts';
import { type Context, readSubject } from '../context.ts';
import { formatDuration } from '../duration.ts';
import { type Format, formatOf, printObject, printObjects } from '../output.ts';
import { printable } from '../terminal/printable.ts';
import { styleFor } from '../terminal/style.ts';
import { table } from '../terminal/text.ts';
import { watchTree } from './live.ts';
import { tree } from './tree.ts';
import { type Facts, viewOf } from './view.ts';

/** Wide enough for every name: in a pipe nothing is cut. */
const NO_EDGE = Number.POSITIVE_INFINITY;

export async function get(context: Context): Promise<number> {
  const { args, flags, console, wallNow } = context;
  const format = formatOf(flags);
  if (args.length === 0) return list(context, format);
  const object = await readSubject(context);
  if (format !== undefined) {
    console.out.write(printObject(object, format));
    return 0;
  }
  if (flags.on('watch')) return watchTree(context, object);
  const now = wallNow();
  const columns = console.out.isTerminal ? console.size().columns : NO_EDGE;
  const facts = printable(await readFacts(context, object));
  const lines = tree(viewOf(facts, now), { now, columns, style: styleFor(console.colour) });
  console.out.write(`${lines.join('\n')}\n`);
  return 0;
}

/** The revisions and pods near an object. */
export async function readFacts({ client, console }: Context, object: MyDeployment): Promise<Facts> {
  const namespace = object.metadata.namespace as string;
  const scope = { namespace, labelSelector: formatSelector(object.spec.selector), signal: console.interrupted };
  const [revisions, pods] = await Promise.all([client.list(controllerRevisions, scope), client.list(fullPods, scope)]);
  return { object, revisions: revisions.items, pods: pods.items };
}

async function list(
  { client, namespace, console, wallNow, flags }: Context,
  format: Format | undefined,
): Promise<number> {
  if (flags.on('watch')) throw new UsageError('--watch needs a NAME; kubectl get md -w follows them all');
  const { items } = await client.list(myDeployments, { namespace, signal: console.interrupted });
  if (format !== undefined) {
    console.out.write(printObjects(items, format));
  } else if (items.length === 0) {
    console.err.write(`No resources found in ${namespace} namespace.\n`);
  } else {
    console.out.write(`${listLines(items, wallNow()).join('\n')}\n`);
  }
  return 0;
}

/** The columns of `kubectl get deployments`. */
export function listLines(items: readonly MyDeployment[], now: number): string[] {
  const rows = items.map(({ metadata, spec, status }) => [
    metadata.name,
    `${status?.readyReplicas ?? 0}/${spec.replicas ?? 1}`,
    String(status?.updatedReplicas ?? 0),
    String(status?.availableReplicas ?? 0),
    formatDuration(now - (timeOf(metadata.creationTimestamp) ?? now)),
  ]);
  return table([['NAME', 'READY', 'UP-TO-DATE', 'AVAILABLE', 'AGE'], ...rows]);
}
