// Nodes that come, go, get tainted and are cordoned at random while the image of a MyDaemonSet changes: everything that
// the fault-free life of a cluster has to offer, in a few seconds. The same seed gives the same life.

import type { Client } from '../../../src/runtime/client/client.ts';
import { isApiError } from '../../../src/runtime/errors.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { nodeManifest } from '../../../src/testing/index.ts';
import type { Node } from '../../../src/workload/node.ts';

export const nodes: Resource<Node> = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };

/** Adds a node that kwok brings up. */
export async function addNode(client: Client, name: string, pods = 110): Promise<void> {
  await client.create(nodes, nodeManifest(name, { cpu: '8', memory: '32Gi', pods }) as never);
}

export async function removeNode(client: Client, name: string): Promise<void> {
  await client.delete(nodes, { name });
}

/** Sets the one taint of somebody's own that the node may have, and whether it is cordoned. */
export async function setNode(
  client: Client,
  name: string,
  effect: string | undefined,
  cordoned = false,
): Promise<void> {
  const taints = effect === undefined ? [] : [{ key: 'example.com/churn', effect }];
  await client.patch(nodes, { name }, { type: 'merge', body: { spec: { taints, unschedulable: cordoned } } });
}

export interface Churn {
  readonly client: Client;
  readonly random: () => number;
  /** The most nodes that are there at once, besides those that were there before. */
  readonly most: number;
}

/** One thing that happens to the nodes. Returns what it was. */
export async function churnOnce({ client, random, most }: Churn): Promise<string> {
  const name = `churn-${Math.floor(random() * most)}`;
  const what = ['join', 'join', 'join', 'part', 'taint', 'evict', 'clear', 'cordon'][Math.floor(random() * 8)];
  try {
    if (what === 'join') await addNode(client, name);
    if (what === 'part') await removeNode(client, name);
    if (what === 'taint') await setNode(client, name, 'NoSchedule');
    if (what === 'evict') await setNode(client, name, 'NoExecute');
    if (what === 'clear') await setNode(client, name, undefined);
    if (what === 'cordon') await setNode(client, name, undefined, true);
  } catch (error) {
    // Not there, or there already: then nothing happens.
    if (!isApiError(error, 'NotFound', 'AlreadyExists', 'Conflict')) throw error;
  }
  return `${what} ${name}`;
}
