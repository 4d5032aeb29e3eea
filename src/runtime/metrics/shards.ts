// `shards*`, names of our own: how many ranges of namespaces there are, how many this process works on, and whether the API
// server leaves out the others by itself. Which process holds which range, `leader_election_master_status` says.

import { Gauge, type Registry } from 'prom-client';
import type { ShardObserver } from '../shards/observer.ts';

export function shardMetrics(registry: Registry): Required<ShardObserver> {
  const registers = [registry];
  // A gauge without labels would be exported, as 0, by operators without shards.
  const gauge = (name: string, help: string): Gauge => {
    const made = new Gauge({ name, help, registers });
    made.remove();
    return made;
  };
  const split = gauge('shards', 'Ranges into which namespaces are split');
  const held = gauge('shards_held', 'Ranges that this process works on');
  const filtered = gauge(
    'shards_filtered_by_api_server',
    '1 when the API server sends the objects of a range only, 0 when it sends all of them',
  );
  return {
    split: (shards) => split.set(shards),
    held: (ranges) => held.set(ranges),
    filteredByServer: (isFiltered) => filtered.set(isFiltered ? 1 : 0),
  };
}
