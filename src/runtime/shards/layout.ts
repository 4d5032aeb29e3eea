// The leases by which the replicas of an operator share ranges, all in the operator's namespace. For an operator `web` with 4 shards:
//
// - `web`, held by `4 shards`: by all replicas together, so that replicas that split namespaces in another way, or not at all, wait
//   until none of these is left. Without shards the leader holds it.
// - `web-shard-0-of-4` to `web-shard-3-of-4`: the ranges, each held by the replica that works on it.
// - `web-replica-ID`: held by a replica for as long as it takes part.
// - `web-cluster`: held by the replica that does what is done once for the whole cluster.

import { containsNamespace, rangesOf, type ShardRange } from './range.ts';

/** On the leases of ranges and replicas; its value is the operator's name. */
export const GROUP_LABEL = 'shards.mydeployment/operator';

/** The holder of an operator's lease while its replicas share this many ranges. */
export function groupIdentity(shards: number): string {
  return `${shards} shards`;
}

/** Into how many ranges the holder of an operator's lease splits namespaces; undefined for a leader, who has all. */
export function shardsOfGroup(holder: string | undefined): number | undefined {
  const digits = /^(\d+) shards$/.exec(holder ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export function rangeLease(operator: string, index: number, shards: number): string {
  return `${operator}-shard-${index}-of-${shards}`;
}

/** The lease of the range that a namespace is in. */
export function rangeLeaseOf(operator: string, namespace: string, shards: number): string {
  const range = rangesOf(shards).find((each) => containsNamespace(each, namespace)) as ShardRange;
  return rangeLease(operator, range.index, shards);
}

/** `2 of 4` for the third of four; undefined for a lease that is not that of a range. */
export function shardOfLease(name: string | undefined): string | undefined {
  const [, index, shards] = /-shard-(\d+)-of-(\d+)$/.exec(name ?? '') ?? [];
  return index === undefined ? undefined : `${index} of ${shards}`;
}

export function replicaLease(operator: string, id: string): string {
  return `${replicaPrefix(operator)}${id}`;
}

export function replicaPrefix(operator: string): string {
  return `${operator}-replica-`;
}

export function clusterLease(operator: string): string {
  return `${operator}-cluster`;
}
