// `get`: one MyDeployment as a tree, once or live, or several as a table.

import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import { pods as fullPods } from '../../runtime/built-in.ts';
import { timeOf } from '../../workload/pod.ts';
import { formatSelector } from '../../workload/selector.ts';
import { controllerRevisions } from '../../workload/write-context.ts';
import { UsageError } from '../arguments.ts';
import { type Context, type ObjectContext, readTarget } from '../context.ts';
import { formatDuration } from '../duration.ts';
import { FAILED, failureLine } from '../failure.ts';
import { type Format, formatOf, printObject, printObjects } from '../output.ts';
import { readPolicies } from '../policy/read-policies.ts';
import { listSelected, type Selection, selectionOf } from '../select.ts';
import { printable } from '../terminal/printable.ts';
import { styleFor } from '../terminal/style.ts';
import { table } from '../terminal/text.ts';
import { watchTree } from './live.ts';
import { tree } from './tree.ts';
import { type Facts, viewOf } from './view.ts';

/** Wide enough for every name: in a pipe nothing is cut. */
const NO_EDGE = Number.POSITIVE_INFINITY;

export async function get(context: Context): Promise<number> {
  const format = formatOf(context.flags);
  const selection = selectionOf(context, context.args);
  if (selection.by === 'name' && selection.targets.length === 1) {
    const [target] = selection.targets as [ObjectContext['target']];
    return getOne({ ...context, namespace: target.namespace, target }, format);
  }
  if (context.flags.on('watch')) throw new UsageError('--watch takes one NAME; kubectl get md -w follows several');
  return getSeveral(context, selection, format);
}

async function getOne(context: ObjectContext, format: Format | undefined): Promise<number> {
  const { flags, console, wallNow } = context;
  const object = await readTarget(context);
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

async function readFacts(context: Context, object: MyDeployment): Promise<Facts> {
  const [near, policies] = await Promise.all([
    readNear(context, object),
    readPolicies(context, object.metadata.namespace as string),
  ]);
  return { ...near, policies };
}

/** The revisions and pods near an object. */
export async function readNear({ client, console }: Context, object: MyDeployment): Promise<Omit<Facts, 'policies'>> {
  const namespace = object.metadata.namespace as string;
  const scope = { namespace, labelSelector: formatSelector(object.spec.selector), signal: console.interrupted };
  const [revisions, pods] = await Promise.all([client.list(controllerRevisions, scope), client.list(fullPods, scope)]);
  return { object, revisions: revisions.items, pods: pods.items };
}

async function getSeveral(context: Context, selection: Selection, format: Format | undefined): Promise<number> {
  const { console, wallNow, flags } = context;
  const { objects, failures } =
    selection.by === 'name'
      ? await readEach(context, selection.targets)
      : { objects: await listSelected(context, selection), failures: [] };
  if (format !== undefined) console.out.write(printObjects(objects, format));
  else if (objects.length > 0) {
    console.out.write(`${listLines(printable(objects), wallNow(), flags.on('all-namespaces')).join('\n')}\n`);
  }
  for (const failure of failures) console.err.write(`${failureLine(failure, context.server)}\n`);
  return failures.length > 0 ? FAILED : 0;
}

interface Found {
  readonly objects: readonly MyDeployment[];
  readonly failures: readonly unknown[];
}

/** Reads each of these; one that cannot be read does not hide the others. */
async function readEach(context: Context, targets: readonly ObjectContext['target'][]): Promise<Found> {
  const results = await Promise.allSettled(targets.map((target) => readTarget({ ...context, target })));
  context.console.interrupted.throwIfAborted();
  return {
    objects: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    failures: results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])),
  };
}

/** The columns of `kubectl get deployments`. */
export function listLines(items: readonly MyDeployment[], now: number, withNamespace = false): string[] {
  const rows = items.map(({ metadata, spec, status }) => [
    ...(withNamespace ? [metadata.namespace ?? ''] : []),
    metadata.name,
    `${status?.readyReplicas ?? 0}/${spec.replicas ?? 1}`,
    String(status?.updatedReplicas ?? 0),
    String(status?.availableReplicas ?? 0),
    formatDuration(now - (timeOf(metadata.creationTimestamp) ?? now)),
  ]);
  const header = ['NAME', 'READY', 'UP-TO-DATE', 'AVAILABLE', 'AGE'];
  return table([withNamespace ? ['NAMESPACE', ...header] : header, ...rows]);
}
