// Whether the API server filters by shard itself (KEP-5866, gate ShardedListAndWatch). Lists of built-in kinds say so in their
// metadata. For metrics only: caches ask for their shard in any case, and never rely on the answer being filtered.

import type { Client } from '../client/client.ts';
import { leases } from '../leader-election/lease.ts';
import { rangesOf, type ShardRange, shardSelectorOf } from './range.ts';

const TIMEOUT_MS = 5_000;

/** Asked by a list of one lease; undefined when there was no answer. */
export async function filtersByShard(
  client: Pick<Client, 'list'>,
  namespace: string,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const [half] = rangesOf(2) as [ShardRange];
  const options = {
    namespace,
    limit: 1,
    shardSelector: shardSelectorOf(half),
    timeoutMs: TIMEOUT_MS,
    attempts: 1,
    signal,
  };
  const list = await client.list(leases, options).catch(() => undefined);
  return list && 'shardInfo' in list.metadata;
}
