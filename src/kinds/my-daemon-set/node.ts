// What a MyDaemonSet has to know of a node: that it is there, and whom its taints keep away. Everything else that nodes
// report, several times a minute, is neither kept nor a reason to look again.

import type { Cache } from '../../runtime/cache/cache.ts';
import type { Change, Informer } from '../../runtime/cache/informer.ts';
import type { KubeObject } from '../../runtime/object.ts';
import type { Resource } from '../../runtime/resource.ts';

export interface Taint {
  readonly key: string;
  readonly effect: string;
}

export interface Node extends KubeObject {
  readonly spec?: { readonly taints?: readonly Taint[] };
}

const nodes: Resource<Node> = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };

/** The nodes of the cluster, trimmed. */
export function nodeInformer(cache: Cache): Informer<Node> {
  return cache.informer(nodes, { transform: trimNode });
}

/** True unless a node's update left its taints as they were. */
export function nodeMatters(change: Change<Node>): boolean {
  return change.type !== 'updated' || taintsOf(change.old) !== taintsOf(change.object);
}

/** Keeps of a node what the Node type names, and nothing else. */
export function trimNode({ metadata: { name, uid, resourceVersion }, spec }: Node): Node {
  const taints = spec?.taints?.map(({ key, effect }) => ({ key, effect }));
  return { metadata: { name, uid, resourceVersion }, spec: { ...(taints && { taints }) } };
}

function taintsOf({ spec }: Node): string {
  return JSON.stringify(spec?.taints ?? []);
}
