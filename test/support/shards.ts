// What tests of several operators that share the namespaces need: the rights to do so, the gate with which the API server filters for
// them, and who holds what.

import { Testing } from 'cdk8s';
import type { LocalOperator } from '../../src/local/operator.ts';
import { OperatorChart } from '../../src/operator/chart.ts';
import { type Role, roles } from '../../src/runtime/built-in.ts';
import type { Client } from '../../src/runtime/client/client.ts';
import { shardOfLease } from '../../src/runtime/shards/layout.ts';

/** From this minor version of Kubernetes on there is the gate; older API servers do not start when it is named. */
const FIRST_MINOR = 36;
const HELD = /^leader_election_master_status\{[^}]*name="([^"]+)"[^}]*\} 1$/gm;

/** Whether the API server knows the gate. */
export async function hasShardGate(client: Client): Promise<boolean> {
  const { body } = await client.raw('GET', '/version');
  return Number.parseInt((JSON.parse(body) as { minor: string }).minor, 10) >= FIRST_MINOR;
}

/** With these flags an API server that knows the gate filters by shard; without them none does. */
export async function shardGateFlags(client: Client): Promise<string[]> {
  return (await hasShardGate(client)) ? ['--feature-gates=ShardedListAndWatch=true'] : [];
}

/**
 * Lets an operator that is installed take part with `--shards`. The manifests of the repository are for one without, which may not
 * write the leases of ranges and replicas.
 */
export async function grantShards(client: Client): Promise<void> {
  const chart = new OperatorChart(Testing.app(), 'sharded', { image: 'operator', shards: 2 });
  const granted = (Testing.synth(chart) as Role[]).filter(({ kind }) => kind === roles.kind);
  await Promise.all(
    granted.map((role) => client.patch(roles, role.metadata, { type: 'merge', body: { rules: role.rules } })),
  );
}

/** The leases of the ranges that an operator holds, by its own metrics; none when it does not answer. */
export async function rangesHeldBy(operator: LocalOperator): Promise<string[]> {
  const metrics = await metricsOf(operator);
  return [...metrics.matchAll(HELD)].map(([, lease]) => lease ?? '').filter((lease) => shardOfLease(lease));
}

/** Whether the API server filters, as an operator reports it; undefined before it knows. */
export async function filteredFor(operator: LocalOperator): Promise<boolean | undefined> {
  const [, value] = /^shards_filtered_by_api_server (\d)$/m.exec(await metricsOf(operator)) ?? [];
  return value === undefined ? undefined : value === '1';
}

async function metricsOf({ metricsUrl }: LocalOperator): Promise<string> {
  // It may be gone, or stand still.
  const answer = await fetch(metricsUrl, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
  return (await answer?.text()) ?? '';
}
