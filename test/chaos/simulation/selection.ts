// Which objects a list or a watch is about: those with a label, and those of a range of namespaces where the API server knows such
// ranges. Written from what the API server does, not from what the operator expects.

import type { Selection } from '../../../src/runtime/client/options.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';

const OFFSET_BASIS = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;
const hashes = new Map<string, bigint>();

/** True for what is selected. Without the gate a server ignores the shard selector. */
export function selects(
  { labelSelector, shardSelector }: Selection,
  filtersShards: boolean,
): (object: KubeObject) => boolean {
  const [label = '', value] = labelSelector?.split('=') ?? [];
  const [, start, end] = /'(0x[0-9a-f]+)','(0x[0-9a-f]+)'/.exec(shardSelector ?? '') ?? [];
  return ({ metadata: { labels = {}, namespace = '' } }) => {
    if (labelSelector !== undefined && labels[label] !== value) return false;
    if (!filtersShards || start === undefined || end === undefined) return true;
    const hash = hashOf(namespace);
    return BigInt(start) <= hash && hash < BigInt(end);
  };
}

/** Which of so many ranges a namespace is in. */
export function rangeIndexOf(namespace: string, shards: number): number {
  return Number((hashOf(namespace) * BigInt(shards)) / 2n ** 64n);
}

/** 64-bit FNV-1a. */
function hashOf(namespace: string): bigint {
  const known = hashes.get(namespace);
  if (known !== undefined) return known;
  const hash = Buffer.from(namespace).reduce((sum, byte) => ((sum ^ BigInt(byte)) * PRIME) % 2n ** 64n, OFFSET_BASIS);
  hashes.set(namespace, hash);
  return hash;
}
