// `npm run bench:runtime`: the runtime's client beside client-node's typed one and a bare undici pool, its cache beside
// client-node's informer, and how long a change waits for its reconcile; all in one run on one API server.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildBundle } from '../../../src/build/bundle.ts';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { programsForPeople } from '../../../src/cluster/programs.ts';
import { pods } from '../../../src/workload/write-context.ts';
import { concurrently, range } from '../concurrently.ts';
import { currentLoad, describeMachine, machineSaid, roundsSaid } from '../machine.ts';
import { type Latency, measureLatency } from './latency.ts';
import { type Measured, podNamed } from './measured.ts';
import { parseRuntimeOptions, type RuntimeOptions, USAGE } from './options.ts';
import * as report from './report.ts';

const RATES = [100, 1000];
/** Only what a namespace needs before pods can be created in it: a controller that watches everything slows all down. */
const CONTROLLERS = [
  'serviceaccount-controller',
  'root-ca-certificate-publisher-controller',
  '-node-lifecycle-controller',
];

const run = promisify(execFile);

/** Bundles a contender as the operator is bundled, so that none pays for stripping types. */
async function programOf(cluster: Cluster, who: string): Promise<string> {
  const program = join(cluster.home, `${who}.mjs`);
  await buildBundle(join(import.meta.dirname, 'contenders', `${who}.ts`), program);
  return program;
}

/** Every contender in every round, so that noise affects all alike. */
async function playRounds(
  cluster: Cluster,
  {
    names,
    rounds,
    args,
  }: { readonly names: readonly string[]; readonly rounds: number; readonly args: readonly string[] },
  afterEach: () => Promise<unknown> = async () => {},
): Promise<report.Results> {
  const results: Record<string, Measured[]> = Object.fromEntries(names.map((name) => [name, []]));
  const programs = await Promise.all(names.map((name) => programOf(cluster, name)));
  for (const _ of range(rounds)) {
    for (const [index, name] of names.entries()) {
      const { stdout } = await run(process.execPath, ['--expose-gc', programs[index] as string, ...args]);
      results[name]?.push(JSON.parse(stdout));
      await afterEach();
    }
  }
  return results;
}

async function benchCreates(cluster: Cluster, { rounds, creates }: RuntimeOptions): Promise<readonly report.Aim[]> {
  const namespace = await createNamespace(cluster, 'creates');
  const names = ['undici', 'ours', 'client-node'];
  const args = ['create', cluster.kubeconfig, namespace, String(creates)];
  const results = await playRounds(cluster, { names, rounds, args }, () =>
    cluster.client.deleteCollection(pods, { namespace, gracePeriodSeconds: 0 }),
  );
  say(report.renderCreates(results, creates));
  return report.aimsOfCreates(results, creates);
}

async function benchCaches(cluster: Cluster, { rounds, pods: count }: RuntimeOptions): Promise<readonly report.Aim[]> {
  const namespace = await createNamespace(cluster, 'caches');
  await concurrently(range(count), (index) => {
    return cluster.client.create(pods, podNamed(namespace, `pod-${index}`) as never);
  });
  const args = ['sync', cluster.kubeconfig, namespace, String(count)];
  const results = await playRounds(cluster, { names: ['ours', 'client-node'], rounds, args });
  say(report.renderCaches(results, count));
  return report.aimsOfCaches(results);
}

async function benchLatency(cluster: Cluster, { seconds }: RuntimeOptions): Promise<readonly report.Aim[]> {
  const latencies = new Map<number, Latency>();
  const etcd = await etcdOf(cluster);
  for (const rate of RATES) {
    const namespace = await createNamespace(cluster, `latency-${rate}`);
    const latency = await measureLatency(cluster.client, namespace, async (objects) => {
      const writer = join(import.meta.dirname, 'store-writer.ts');
      const writing = run(process.execPath, [writer, etcd, String(rate), String(seconds)]);
      writing.child.stdin?.end(JSON.stringify(objects));
      await writing;
    });
    latencies.set(rate, latency);
  }
  say(report.renderLatencies(latencies));
  return [];
}

/** Where the API server keeps its objects, from its own command line. */
async function etcdOf(cluster: Cluster): Promise<string> {
  const commandLine = await readFile(`/proc/${cluster.process('kube-apiserver').pid}/cmdline`, 'utf8');
  const etcd = /--etcd-servers=([^\0]+)/.exec(commandLine)?.[1];
  if (etcd === undefined) throw new Error(`no --etcd-servers in ${JSON.stringify(commandLine)}`);
  return etcd;
}

async function createNamespace(cluster: Cluster, name: string): Promise<string> {
  const { code, stderr } = await cluster.kubectl(['create', 'namespace', name]);
  if (code !== 0) throw new Error(stderr);
  return name;
}

const PARTS = { creates: benchCreates, latency: benchLatency, caches: benchCaches };

async function main(options: RuntimeOptions): Promise<void> {
  const loadBefore = currentLoad();
  const cluster = await Cluster.start(await programsForPeople(), { name: 'bench-runtime', controllers: CONTROLLERS });
  try {
    const machine = await describeMachine(cluster.client, loadBefore);
    say(`${roundsSaid(options.rounds)}; ${machineSaid(machine)}`);
    const aims: report.Aim[] = [];
    for (const part of options.parts) aims.push(...(await PARTS[part](cluster, options)));
    if (aims.length > 0) say(report.renderAims(aims));
  } finally {
    await cluster.stop();
  }
}

function say(paragraph: string): void {
  process.stdout.write(`${paragraph}\n\n`);
}

function optionsOrUsage(): RuntimeOptions {
  try {
    return parseRuntimeOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

await main(optionsOrUsage());
