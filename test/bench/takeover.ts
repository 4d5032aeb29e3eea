// `npm run bench:takeover`: how long a warm standby takes from winning the lease until its workers begin, with 10,000 pods
// in its cache: when its watches live, and when that of pods has gone silent and the pods have to be listed anew.
// `OBJECTS=100` (of ten pods each) and `ROUNDS=5` change the size.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../../src/cluster/cluster.ts';
import { programsForPeople } from '../../src/cluster/programs.ts';
import { type LocalOperator, startOperator } from '../../src/local/operator.ts';
import { isWatchOfPods } from '../chaos/cluster/election-faults.ts';
import { WriteProxy } from '../chaos/cluster/write-proxy.ts';
import { setUp, startCluster } from './cluster.ts';
import { range } from './concurrently.ts';
import { ourSyncedAt } from './contenders/synced.ts';
import { Scenery } from './scenery.ts';
import { spreadOf } from './statistics.ts';
import { Stopwatch } from './stopwatch.ts';
import { namespaceOf } from './turn.ts';
import { myDeployments } from './workload.ts';

const OBJECTS = Number(process.env.OBJECTS ?? 1_000);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const PODS_EACH = 10;
const FOLDER = '.cluster/takeover';
/** Late status writes must not be taken for changes that a standby misses. */
const UNTIL_QUIET_MS = 10_000;
const LED = /^.*"msg":"became leader".*$/m;

/** The leader is killed, and a pod with it, so that its standby has missed something; milliseconds from its election. */
async function takeOver(leader: LocalOperator, standby: LocalOperator, loseAPod: () => Promise<void>): Promise<number> {
  await delay(UNTIL_QUIET_MS);
  await leader.process.kill();
  await loseAPod();
  for (;;) {
    await delay(200);
    if (!standby.process.running) throw new Error(`the standby ended:\n${standby.process.logTail()}`);
    const log = await readFile(standby.process.logFile, 'utf8');
    const [ledAt, syncedAt] = [timeOf(LED.exec(log)?.[0]), ourSyncedAt(log)];
    if (ledAt !== undefined && syncedAt !== undefined) return syncedAt - ledAt;
  }
}

function timeOf(line: string | undefined): number | undefined {
  return line === undefined ? undefined : Date.parse((JSON.parse(line) as { ts: string }).ts);
}

async function main(cluster: Cluster, proxy: WriteProxy): Promise<void> {
  const namespace = namespaceOf('ours');
  const watch = await Stopwatch.open({
    kubeconfig: cluster.kubeconfig,
    namespace,
    signal: new AbortController().signal,
  });
  const pods = OBJECTS * PODS_EACH;
  const until = (what: string, holds: Parameters<Stopwatch['until']>[1]) => watch.until(what, holds, pods);
  const scenery = new Scenery({ client: cluster.client, kind: myDeployments, namespace, until });
  let started = 0;
  const setup = { program: join(cluster.home, 'operator.mjs'), server: proxy.url, flags: ['--leader-elect'] };
  const start = () => startOperator(cluster, { ...setup, name: `replica-${started++}` });
  let leader = await start();
  await scenery.fleet(OBJECTS, PODS_EACH);
  for (const state of ['live', 'silent'] as const) {
    const times: number[] = [];
    for (const _ of range(ROUNDS)) {
      const standby = await start();
      const [victim] = watch.pods.list();
      proxy.isHeld = state === 'silent' ? isWatchOfPods : () => false;
      times.push(await takeOver(leader, standby, () => scenery.deletePods(victim ? [victim.name] : [])));
      proxy.isHeld = () => false;
      await scenery.fleet(OBJECTS, PODS_EACH);
      leader = standby;
    }
    const { median = Number.NaN, min, max } = spreadOf(times) ?? {};
    console.log(`${pods} pods cached, watch of pods ${state}: ${median} ms (${min}–${max}) from the lease to work`);
  }
  await leader.stop();
  await watch.close();
}

const programs = await programsForPeople();
const cluster = await startCluster(programs, FOLDER);
try {
  await setUp(cluster, programs, ['ours']);
  const proxy = await WriteProxy.to(cluster);
  await main(cluster, proxy).finally(() => proxy.close());
} finally {
  await cluster.stop();
}
