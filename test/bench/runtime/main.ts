// `npm run bench:runtime`: the runtime's client beside client-node's typed one and a bare undici pool, its cache beside
// client-node's informer, and how long a change waits for its reconcile; all in one run on one API server.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { programsForPeople } from '../../../src/cluster/programs.ts';
import { readKubeconfig } from '../../../src/runtime/client/access.ts';
import { createClient } from '../../../src/runtime/client/client.ts';
import { Connection } from '../../../src/runtime/client/connection.ts';
import { pods } from '../../../src/workload/write-context.ts';
import { concurrently, range } from '../concurrently.ts';
import { currentLoad, describeMachine } from '../machine.ts';
import { median } from '../statistics.ts';
import { measureLatency } from './latency.ts';
import { type Measured, podNamed } from './measured.ts';

const ROUNDS = 3;
const CREATES = 1_000;
const PODS = 10_000;

const run = promisify(execFile);

async function measure(cluster: Cluster, what: string, who: string, count: number): Promise<Measured> {
  const namespace = `bench-${what}`;
  const program = join(import.meta.dirname, 'contender.ts');
  const args = ['--expose-gc', program, what, who, cluster.kubeconfig, namespace, String(count)];
  const { stdout } = await run(process.execPath, args);
  return JSON.parse(stdout);
}

/** Everybody in every round, so that noise hits all alike. */
async function rounds(
  names: readonly string[],
  turn: (who: string) => Promise<Measured>,
): Promise<Readonly<Record<string, readonly Measured[]>>> {
  const results: Record<string, Measured[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (const _ of range(ROUNDS)) {
    for (const name of names) results[name]?.push(await turn(name));
  }
  return results;
}

const of = (all: readonly Measured[] | undefined, field: keyof Measured): number =>
  median((all ?? []).map((each) => each[field]));

async function benchCreates(cluster: Cluster): Promise<void> {
  await cluster.kubectl(['create', 'namespace', 'bench-create']);
  const results = await rounds(['undici', 'ours', 'client-node'], async (who) => {
    const measured = await measure(cluster, 'create', who, CREATES);
    await cluster.client.deleteCollection(pods, { namespace: 'bench-create', gracePeriodSeconds: 0 });
    return measured;
  });
  const limit = CREATES / of(results.undici, 'seconds');
  console.log(`\n${CREATES} pods created, 64 at a time, medians of ${ROUNDS} rounds`);
  for (const [name, all] of Object.entries(results)) {
    const rate = CREATES / of(all, 'seconds');
    const cpu = (of(all, 'cpuSeconds') / CREATES) * 1000;
    console.log(
      `  ${name.padEnd(12)} ${rate.toFixed(0).padStart(5)} creates/s  ${(rate / limit).toFixed(2)} of undici  ${cpu.toFixed(2)} ms of CPU each`,
    );
  }
}

async function benchCaches(cluster: Cluster): Promise<void> {
  const namespace = 'bench-sync';
  await cluster.kubectl(['create', 'namespace', namespace]);
  await concurrently(range(PODS), (index) => cluster.client.create(pods, podNamed(namespace, `pod-${index}`) as never));
  const results = await rounds(['ours', 'client-node'], (who) => measure(cluster, 'sync', who, PODS));
  console.log(`\n${PODS} pods known, medians of ${ROUNDS} rounds`);
  for (const [name, all] of Object.entries(results)) {
    const ratio = (field: keyof Measured): string => (of(all, field) / of(results['client-node'], field)).toFixed(2);
    console.log(
      `  ${name.padEnd(12)} synced ${of(all, 'seconds').toFixed(2)} s (${ratio('seconds')})` +
        `  heap ${of(all, 'heapMiB').toFixed(0)} MiB (${ratio('heapMiB')})` +
        `  peak RSS ${of(all, 'peakRssMiB').toFixed(0)} MiB (${ratio('peakRssMiB')})` +
        `  CPU ${of(all, 'cpuSeconds').toFixed(2)} s (${ratio('cpuSeconds')})`,
    );
  }
}

async function benchLatency(cluster: Cluster): Promise<void> {
  const namespace = 'bench-latency';
  await cluster.kubectl(['create', 'namespace', namespace]);
  const connection = new Connection(await readKubeconfig([cluster.kubeconfig]));
  try {
    for (const perSecond of [100, 1000]) {
      const client = createClient(connection);
      const found = await measureLatency(client, { namespace, perSecond, seconds: 15 });
      await cluster.kubectl(['-n', namespace, 'delete', 'configmaps', '--all', '--wait=true']);
      const ms = (value: number): string => `${value.toFixed(1)} ms`;
      console.log(
        `\n${perSecond} changes/s asked for, ${found.eventsPerSecond.toFixed(0)} events/s seen, ${found.reconciles} reconciles` +
          `\n  from cache to reconcile  p50 ${ms(found.p50)}  p99 ${ms(found.p99)}` +
          `\n  from write to reconcile  p50 ${ms(found.writeP50)}  p99 ${ms(found.writeP99)}`,
      );
    }
  } finally {
    await connection.close();
  }
}

const cluster = await Cluster.start(await programsForPeople(), { name: 'bench-runtime' });
try {
  console.log(await describeMachine(cluster.client, currentLoad()));
  await benchCreates(cluster);
  await benchLatency(cluster);
  await benchCaches(cluster);
} finally {
  await cluster.stop();
}
