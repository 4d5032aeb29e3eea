// What a MyDaemonSet needs to know of a node: its name and its taints. All else that nodes report, several times a
// minute, is neither kept nor a reason to reconcile.

import { nodes } from '../../runtime/built-in.ts';
import type { Cache } from '../../runtime/cache/cache.ts';
import type { Change, Informer } from '../../runtime/cache/informer.ts';
import type { KubeObject } from '../../runtime/object.ts';

export interface Taint {
  readonly key: string;
  readonly effect: string;
}

export interface Node extends KubeObject {
  readonly spec?: { readonly taints?: readonly Taint[] };
}

/** The nodes of the cluster, trimmed. */
export function nodeInformer(cache: Cache): Informer<Node> {
  return cache.informer<Node>(nodes, { transform: trimNode });
}

/** True unless a node's update left its taints as they were. */
export function nodeMatters(change: Change<Node>): boolean {
  return change.type !== 'updated' || taintsOf(change.old) !== taintsOf(change.object);
}

/** Keeps the fields of a node that the Node type names. */
export function trimNode({ metadata: { name, uid, resourceVersion }, spec }: Node): Node {
  const taints = spec?.taints?.map(({ key, effect }) => ({ key, effect }));
  return { metadata: { name, uid, resourceVersion }, spec: { ...(taints && { taints }) } };
}

function taintsOf({ spec }: Node): string {
  return JSON.stringify(spec?.taints ?? []);
}
