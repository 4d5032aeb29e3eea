// What can befall operators that share namespaces, besides what befalls any operator: the one that works on the namespace of the run
// dies, leaves, or stands still for so long that another takes its range, and wakes up without knowing; and the API server restarts
// with or without the gate that filters by shard.

import { setTimeout as delay } from 'node:timers/promises';
import type { LocalOperator } from '../../../src/local/operator.ts';
import { INSTALLATION } from '../../../src/operator/names.ts';
import { leases } from '../../../src/runtime/leader-election/lease.ts';
import { rangeLeaseOf } from '../../../src/runtime/shards/layout.ts';
import { grantShards, rangesHeldBy, shardGateFlags } from '../../support/shards.ts';
import { frozenPastItsLease } from './election-faults.ts';
import type { Fault, Faults, Victim } from './faults.ts';
import type { Lane } from './lane.ts';
import { persistently } from './persistence.ts';

const SHARDS = 4;
export const SHARING: readonly string[] = ['--leader-elect', `--shards=${SHARDS}`];

const killedHolder: Fault = async (victim) => {
  await (await holderOf(victim)).process.kill();
  await persistently(() => victim.lane.ensure());
};

const leavingHolder: Fault = async (victim) => {
  await (await holderOf(victim)).stop();
  await persistently(() => victim.lane.ensure());
};

const frozenHolder: Fault = async (victim, chance) => {
  await frozenPastItsLease(await holderOf(victim), chance);
  await persistently(() => victim.lane.ensure());
};

export const SHARD_FAULTS: Faults = {
  process: { 'holder killed': killedHolder, 'holder stopped': leavingHolder },
  lease: { 'holder frozen past its lease': frozenHolder },
};

export const BREAKING_SHARD_FAULTS: Faults = {
  server: {
    'API server restart with the gate': async ({ lane: { cluster } }) =>
      cluster.restart('kube-apiserver', await shardGateFlags(cluster.client)),
    'API server restart without the gate': ({ lane: { cluster } }) => cluster.restart('kube-apiserver'),
  },
};

/** Lets them share, and lets them begin at once: those of an earlier run were killed and gave nothing away. */
export async function freeRanges({ cluster: { client } }: Lane): Promise<void> {
  await grantShards(client);
  await client.deleteCollection(leases, { namespace: INSTALLATION.namespace });
}

/** The operator that works on the namespace of the run, as soon as one does. */
async function holderOf({ lane }: Victim): Promise<LocalOperator> {
  const range = rangeLeaseOf(INSTALLATION.manager, lane.namespace, SHARDS);
  for (;;) {
    for (const operator of lane.operators) if ((await rangesHeldBy(operator)).includes(range)) return operator;
    await delay(100);
  }
}
