// What kinds that own pods need to know of a node: its labels, its taints, and whether it is cordoned. All else that nodes
// report, several times a minute, is not kept.

import { nodes } from '../runtime/built-in.ts';
import type { Cache } from '../runtime/cache/cache.ts';
import type { Informer } from '../runtime/cache/informer.ts';
import type { KubeObject } from '../runtime/object.ts';

export interface Taint {
  readonly key: string;
  readonly effect: string;
}

export interface Node extends KubeObject {
  readonly spec?: {
    readonly taints?: readonly Taint[];
    /** True of a cordoned node. */
    readonly unschedulable?: boolean;
  };
}

/** The nodes of the cluster, trimmed; shared by every kind that needs them. */
export function nodeInformer(cache: Cache): Informer<Node> {
  return cache.informer<Node>(nodes, { transform: trimNode });
}

/** Keeps the fields of a node that the Node type names. */
export function trimNode({ metadata: { name, uid, resourceVersion, labels }, spec }: Node): Node {
  const taints = spec?.taints?.map(({ key, effect }) => ({ key, effect }));
  return {
    metadata: { name, uid, resourceVersion, ...(labels && { labels }) },
    spec: { ...(taints && { taints }), ...(spec?.unschedulable && { unschedulable: true }) },
  };
}
