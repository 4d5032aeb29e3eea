// What is measured of a crew that keeps a population: its start, rest, work, and what happens to the ranges of one that is killed or
// stopped.

import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { LocalOperator } from '../../../src/local/operator.ts';
import { INSTALLATION } from '../../../src/operator/names.ts';
import { leases } from '../../../src/runtime/leader-election/lease.ts';
import { rangeLeaseOf } from '../../../src/runtime/shards/layout.ts';
import { rangesHeldBy } from '../../support/shards.ts';
import { ageOf, type Usage, usageOf } from '../process-usage.ts';
import { percentile } from '../statistics.ts';
import { type Crew, OurCrew } from './crew.ts';
import type { Kubelet } from './kubelet.ts';
import type { Population } from './population.ts';

/** What one process costs, in MiB and in shares of a core. */
export interface ProcessCost {
  readonly rssMiB: number;
  readonly peakRssMiB: number;
  readonly idleCpu: number;
  readonly busyCpu: number;
}

export interface Moves {
  /** From the end of a process until others hold all its ranges, in seconds. */
  readonly held: number;
  /** Until a pod of such a range that was lost in the same moment is replaced. */
  readonly replaced: number;
}

export interface Figures {
  readonly pods: number;
  /** From the start of the first process until pods that were lost before are replaced, wherever they were. */
  readonly startSeconds: number;
  readonly processes: readonly ProcessCost[];
  readonly apiServer: ProcessCost;
  readonly reactionMs: { readonly p50: number; readonly p99: number };
  readonly createdAtRest: number;
  readonly killed?: Moves;
  readonly stopped?: Moves;
}

export interface Trial {
  readonly cluster: Cluster;
  readonly population: Population;
  readonly kubelet: Kubelet;
  readonly start: () => Promise<Crew>;
}

const SETTLE_MS = 10_000;
const IDLE_MS = 20_000;
const BUSY_MS = 60_000;
/** Of the pods, each minute. */
const CHANGED = 0.01;
const LOST_BEFORE_START = 8;
const LOOK_EVERY_MS = 20;
const PATIENCE_MS = 120_000;

/** The memory of a crew that has nothing to keep. */
export async function memoryAtRest(crew: Crew): Promise<number> {
  await delay(SETTLE_MS);
  const usages = await Promise.all(crew.processes.map(({ pid }) => usageOf(pid)));
  return Math.max(...usages.map(({ rssMiB }) => rssMiB));
}

export async function measure({ cluster, population, kubelet, start }: Trial): Promise<Figures> {
  const losses = population.victims(LOST_BEFORE_START).map(({ pod, owner }) => kubelet.lose(pod, owner));
  await delay(1_000);
  const crew = await start();
  const ages = await Promise.all(crew.processes.map(({ pid }) => ageOf(pid)));
  const startedAt = performance.now() - Math.max(...ages) * 1_000;
  await Promise.all(losses);
  const startSeconds = (performance.now() - startedAt) / 1_000;
  try {
    await delay(SETTLE_MS);
    const created = kubelet.created;
    const pids = [...crew.processes, cluster.process('kube-apiserver')].map(({ pid }) => pid);
    const idle = await during(pids, () => delay(IDLE_MS));
    const createdAtRest = kubelet.created - created;
    const reactions: number[] = [];
    const busy = await during(pids, async () => reactions.push(...(await churn(population, kubelet))));
    const costs = pids.map((_, index) => costOf(idle[index] as Period, busy[index] as Period));
    const moves =
      crew instanceof OurCrew && crew.shards > 1 ? await moveRanges(crew, { cluster, population, kubelet }) : {};
    return {
      pods: population.pods,
      startSeconds,
      processes: costs.slice(0, -1),
      apiServer: costs.at(-1) as ProcessCost,
      reactionMs: { p50: percentile(reactions, 50), p99: percentile(reactions, 99) },
      createdAtRest,
      ...moves,
    };
  } finally {
    await crew.stop();
  }
}

interface Period {
  readonly after: Usage;
  /** Share of a core. */
  readonly cpu: number;
}

async function during(pids: readonly number[], act: () => Promise<unknown>): Promise<Period[]> {
  const before = await Promise.all(pids.map(usageOf));
  const startedAt = performance.now();
  await act();
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await Promise.all(pids.map(usageOf));
  return after.map((usage, index) => ({
    after: usage,
    cpu: (usage.cpuSeconds - (before[index]?.cpuSeconds ?? 0)) / seconds,
  }));
}

function costOf(idle: Period, busy: Period): ProcessCost {
  const { rssMiB, peakRssMiB } = idle.after;
  return { rssMiB, peakRssMiB, idleCpu: idle.cpu, busyCpu: busy.cpu };
}

/** One percent of the pods go in a minute, evenly; milliseconds until each is replaced. */
async function churn(population: Population, kubelet: Kubelet): Promise<number[]> {
  const victims = population.victims(Math.round((population.pods * CHANGED * BUSY_MS) / 60_000));
  const startedAt = performance.now();
  const reactions = victims.map(async ({ pod, owner }, index) => {
    await delay((index * BUSY_MS) / victims.length);
    return kubelet.lose(pod, owner);
  });
  const all = await Promise.all(reactions);
  await delay(Math.max(0, startedAt + BUSY_MS - performance.now()));
  return all;
}

type Place = Omit<Trial, 'start'>;

async function moveRanges(crew: OurCrew, place: Place): Promise<Pick<Figures, 'killed' | 'stopped'>> {
  const [victim] = crew.members as [LocalOperator];
  const killed = await moved(crew, place, victim, () => victim.process.kill());
  await delay(SETTLE_MS);
  const newcomer = await crew.join();
  await until('the newcomer has its share', async () => (await rangesHeldBy(newcomer)).length > 0);
  await delay(SETTLE_MS);
  const stopped = await moved(crew, place, newcomer, () => newcomer.stop());
  return { killed, stopped };
}

/** How long the ranges of a process are without a holder that works, from the moment in which it begins to end. */
async function moved(
  crew: OurCrew,
  { cluster: { client }, population, kubelet }: Place,
  leaver: LocalOperator,
  end: () => Promise<void>,
): Promise<Moves> {
  const { namespace, manager } = INSTALLATION;
  const ranges = await rangesHeldBy(leaver);
  // Between two holders a lease may be missing.
  const holderOf = (name: string): Promise<string | undefined> =>
    client.get(leases, { namespace, name }).then(
      ({ spec }) => spec?.holderIdentity,
      () => undefined,
    );
  const [range = ''] = ranges;
  const before = await holderOf(range);
  const { pod, owner } = population.victimIn((each) => ranges.includes(rangeLeaseOf(manager, each, crew.shards)));
  const startedAt = performance.now();
  const seconds = (): number => (performance.now() - startedAt) / 1_000;
  const ended = end();
  const replaced = kubelet.lose(pod, owner).then(seconds);
  await until(`${ranges} have another holder`, async () => {
    const holders = await Promise.all(ranges.map(holderOf));
    return holders.every((holder) => holder && holder !== before);
  });
  const held = seconds();
  await ended;
  return { held, replaced: await replaced };
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${PATIENCE_MS / 1_000} s until ${what}`);
    await delay(LOOK_EVERY_MS);
  }
}
