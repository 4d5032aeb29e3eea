// `npm run soak`: the operator at work for ten minutes, with objects that come, roll, scale and go, and a network that is
// cut every few seconds; then whether memory, sockets and watches are what they were. `MINUTES=30` makes it longer.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Cluster } from '../../src/cluster/cluster.ts';
import { programsForPeople } from '../../src/cluster/programs.ts';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import { installOperator, type LocalOperator, startOperator } from '../../src/local/operator.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { range } from './concurrently.ts';
import { median } from './statistics.ts';

const MINUTES = Number(process.env.MINUTES ?? 10);
const OBJECTS = 20;
const EVERY_MS = 5_000;
const CUT_EVERY_MS = 7_000;

interface Reading {
  readonly rssMiB: number;
  /** What is used; the least of a while is what is left after a collection. */
  readonly heapMiB: number;
  readonly sockets: number;
  /** Long requests that the API server serves to all clients: watches. */
  readonly watches: number;
}

async function read(cluster: Cluster, { process: { pid }, metricsUrl }: LocalOperator): Promise<Reading> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const { stdout } = await cluster.kubectl(['get', '--raw', '/metrics']);
  const metrics = await (await fetch(metricsUrl)).text();
  const longRunning = stdout.matchAll(/^apiserver_longrunning_requests\{[^}]*verb="WATCH"[^}]*\} (\d+)$/gm);
  return {
    rssMiB: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024,
    heapMiB: Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)?.[1]) / 2 ** 20,
    sockets: readdirSync(`/proc/${pid}/fd`).filter((fd) => isSocket(`/proc/${pid}/fd/${fd}`)).length,
    watches: [...longRunning].reduce((sum, [, count]) => sum + Number(count), 0),
  };
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith('socket:');
  } catch {
    return false; // closed meanwhile
  }
}

/** One object is created, rolled, scaled or deleted; whichever is next for it. */
async function churn({ client }: Cluster, step: number): Promise<void> {
  const [name, act] = [`web-${step % OBJECTS}`, Math.floor(step / OBJECTS) % 4];
  const ref = { namespace: 'default', name };
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: `web:${step}` }] } };
  const spec = { replicas: 3 + (step % 3), selector: { matchLabels: labels }, template };
  if (act === 0) await client.create(myDeployments, { metadata: ref, spec } as never);
  else if (act === 3) await client.delete(myDeployments, ref);
  else await client.patch(myDeployments, ref, { type: 'merge', body: { spec } });
}

async function soak(cluster: Cluster, operator: LocalOperator, proxy: TcpProxy): Promise<Reading[]> {
  const readings: Reading[] = [];
  const end = Date.now() + MINUTES * 60_000;
  let [nextCut, nextReading, cuts] = [Date.now() + CUT_EVERY_MS, Date.now() + EVERY_MS, 0];
  for (let step = 0; Date.now() < end; step += 1) {
    if (!operator.process.running) throw new Error(`the operator ended:\n${operator.process.logTail()}`);
    await churn(cluster, step);
    if (Date.now() > nextCut) {
      proxy.cut(cuts++ % 2 === 0 ? 'close' : 'reset');
      nextCut = Date.now() + CUT_EVERY_MS;
    }
    if (Date.now() > nextReading) {
      readings.push(await read(cluster, operator));
      nextReading = Date.now() + EVERY_MS;
    }
    await delay(100);
  }
  console.log(`${MINUTES} minutes, ${cuts} cuts, ${readings.length} readings`);
  return readings;
}

const cluster = await Cluster.start(await programsForPeople(), { name: 'soak' });
const proxy = await TcpProxy.to(cluster.server);
try {
  await installOperator(cluster);
  const operator = await startOperator(cluster, { server: proxy.url, flags: ['--leader-elect'] });
  try {
    const readings = await soak(cluster, operator, proxy);
    const third = Math.floor(readings.length / 3);
    for (const field of ['rssMiB', 'heapMiB', 'sockets', 'watches'] as const) {
      const of = (part: number) => {
        const values = readings.slice(part * third, (part + 1) * third).map((each) => each[field]);
        return `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)})`;
      };
      console.log(`  ${field.padEnd(8)} ${range(3).map(of).join('   ')}`);
    }
  } finally {
    await operator.stop();
  }
} finally {
  await proxy.close();
  await cluster.stop();
}
