// What must be true before a cluster counts as started, asked of the API server itself: it is ready, the nodes are
// Ready and take pods, and a pod could be created in the default namespace (ServiceAccount and CA are there).

import { setTimeout as delay } from 'node:timers/promises';
import { configMaps, type Node, nodes, serviceAccounts } from '../runtime/built-in.ts';
import type { Client } from '../runtime/client/client.ts';
import { isApiError } from '../runtime/errors.ts';
import type { Manifest } from '../runtime/object.ts';
import type { NodeShape, ResolvedOptions } from './options.ts';

const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/** Throws when waiting has become pointless. */
export type WatchOver = () => void;

/** Waits until the API server says that it is ready. */
export async function readyServer(client: Client, watchOver: WatchOver): Promise<void> {
  await until('the API server is ready', watchOver, async () => {
    await client.raw('GET', '/readyz');
    return true;
  });
}

/** Creates kwok's nodes, unless a real one joins by itself, and waits until pods can be created and scheduled. */
export async function readyCluster(client: Client, options: ResolvedOptions, watchOver: WatchOver): Promise<void> {
  if (options.realNode === undefined) await createNodes(client, options);
  await Promise.all([
    until('the default ServiceAccount exists', watchOver, async () => {
      await client.get(serviceAccounts, { namespace: 'default', name: 'default' });
      await client.get(configMaps, { namespace: 'default', name: 'kube-root-ca.crt' });
      return true;
    }),
    until('the nodes are Ready', watchOver, async () => {
      const { items } = await client.list(nodes);
      return items.length >= options.nodes && items.every(takesPods);
    }),
  ]);
}

async function createNodes(client: Client, options: ResolvedOptions): Promise<void> {
  const names = Array.from({ length: options.nodes }, (_, index) => `node-${index}`);
  const taintsStay = options.controllers.some((each) => each === '-node-lifecycle-controller');
  await Promise.all(
    names.map(async (name) => {
      await client.create(nodes, nodeManifest(name, options.nodeShape));
      // A new node is tainted not-ready, and only the node lifecycle controller takes the taint away.
      if (taintsStay) await client.patch(nodes, { name }, { type: 'merge', body: { spec: { taints: null } } });
    }),
  );
}

/** A node as a kubelet would register it. */
export function nodeManifest(name: string, shape: NodeShape): Manifest<Node> {
  const room = { cpu: shape.cpu, memory: shape.memory, pods: String(shape.pods) };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', type: 'kwok' } },
    status: { capacity: room, allocatable: room },
  };
}

function takesPods(node: Node): boolean {
  const ready = node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  return ready && (node.spec?.taints ?? []).length === 0;
}

/** Asks again until the answer is yes. Errors of the API mean "not yet": it is just starting. */
async function until(what: string, watchOver: WatchOver, ask: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    watchOver();
    const last = await ask().catch((error: unknown) => {
      if (isApiError(error)) return error;
      throw error;
    });
    if (last === true) return;
    if (performance.now() > deadline) {
      throw new Error(`waited ${READY_TIMEOUT_MS / 1000} s until ${what}`, last ? { cause: last } : undefined);
    }
    await delay(POLL_MS);
  }
}
