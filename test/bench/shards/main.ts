// `npm run bench:shards`: what a process of the operator costs with 10,000 to 100,000 pods, beside the native controllers, and what each
// of 2 and 4 costs that share them, with an API server that filters by shard and with one that does not. The arguments say what is
// measured, for example `ours:50000:1,2,4:on native:50000`; results are kept, so that a table and a chart can be made of several runs
// with `report`.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildBundle } from '../../../src/build/bundle.ts';
import { Cluster, type Programs } from '../../../src/cluster/cluster.ts';
import { programsForPeople } from '../../../src/cluster/programs.ts';
import { installOperator } from '../../../src/local/operator.ts';
import { grantShards } from '../../support/shards.ts';
import { native } from '../contenders/native.ts';
import { currentLoad, describeMachine, machineSaid } from '../machine.ts';
import { deployments, myDeployments } from '../workload.ts';
import { renderShardChart } from './chart.ts';
import { type Crew, nativeCrew, OurCrew, programOf } from './crew.ts';
import { Kubelet } from './kubelet.ts';
import { parseTasks, type Task, USAGE } from './options.ts';
import { Population } from './population.ts';
import { type Result, renderShardTable } from './report.ts';
import { measure, memoryAtRest } from './trial.ts';

const FOLDER = '.cluster/bench-shards';
const RESULTS = join(FOLDER, 'results.json');
/** Nothing but what creating pods needs: other controllers would watch every pod, too. */
const CONTROLLERS = [
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'root-ca-certificate-publisher-controller',
];

async function play(task: Task, programs: Programs): Promise<void> {
  const loadBefore = currentLoad();
  const cluster = await Cluster.start(programs, {
    name: 'cluster',
    directory: FOLDER,
    nodes: 0,
    controllers: CONTROLLERS,
    featureGates: { ShardedListAndWatch: task.gate === 'on' },
  });
  try {
    const machine = machineSaid(await describeMachine(cluster.client, loadBefore));
    for await (const result of trials(task, cluster, programs)) {
      process.stderr.write(`${JSON.stringify(result)}\n`);
      await keep({ ...result, machine });
    }
  } finally {
    await cluster.stop();
  }
}

async function* trials(
  { contender, pods, processes, gate }: Task,
  cluster: Cluster,
  programs: Programs,
): AsyncGenerator<Omit<Result, 'machine'>> {
  await Promise.all([installOperator(cluster), buildBundle('src/main.ts', programOf(cluster))]);
  await grantShards(cluster.client);
  const crewOf = (size: number): Promise<Crew> =>
    contender === 'native' ? nativeCrew(native(cluster, programs).deployment) : OurCrew.start(cluster, size);
  const population = new Population(cluster, contender === 'native' ? deployments : myDeployments);
  await population.makeRoom();
  const first = await crewOf(1);
  const emptyMiB = await memoryAtRest(first);
  const firstKubelet = await Kubelet.start(cluster.kubeconfig);
  await population.create(pods);
  await Promise.all([first.stop(), firstKubelet.stop()]);
  await population.copy();
  // It would learn of so many objects one by one, and lists them when it starts.
  await cluster.restart('kube-apiserver');
  await population.isServed();
  // There is nothing to schedule, and both would watch every pod.
  await Promise.all([cluster.process('kube-scheduler').stop(1_000), cluster.process('kwok').stop(1_000)]);
  const kubelet = await Kubelet.start(cluster.kubeconfig);
  for (const size of processes) {
    const figures = await measure({ cluster, population, kubelet, start: () => crewOf(size) });
    yield { contender, gate, emptyMiB, ...figures };
  }
  await kubelet.stop();
}

async function kept(): Promise<Result[]> {
  const text = await readFile(RESULTS, 'utf8').catch(() => '[]');
  return JSON.parse(text) as Result[];
}

/** A measurement replaces an earlier one of the same. */
async function keep(fresh: Result): Promise<void> {
  const nameOf = ({ contender, pods, gate, processes }: Result): string =>
    [contender, pods, gate, processes.length].join();
  const all = new Map([...(await kept()), fresh].map((result) => [nameOf(result), result]));
  await mkdir(FOLDER, { recursive: true });
  await writeFile(RESULTS, `${JSON.stringify([...all.values()], null, 2)}\n`);
}

async function report(): Promise<void> {
  const results = await kept();
  await writeFile(join(FOLDER, 'shards.svg'), renderShardChart(results));
  process.stdout.write(`${renderShardTable(results)}\n\n${join(FOLDER, 'shards.svg')}\n`);
}

function tasksOrUsage(): readonly Task[] {
  try {
    return parseTasks(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

const tasks = tasksOrUsage();
const programs = tasks.length === 0 ? undefined : await programsForPeople();
for (const task of tasks) if (programs) await play(task, programs);
await report();
