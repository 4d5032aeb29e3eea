// The part of the campaign that needs a real control plane: the cluster is there for as long as somebody plays, and gone
// afterwards, whatever happened. Several lanes play side by side.

import { join } from 'node:path';
import { buildBundle } from '../../../src/build/bundle.ts';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { programsForPeople } from '../../../src/cluster/programs.ts';
import { installOperator } from '../../../src/local/operator.ts';
import { INSTALLATION } from '../../../src/operator/names.ts';
import { Agenda, type Need } from './agenda.ts';
import { crashPoints } from './crash-points.ts';
import { faultRun, settingOf } from './fault-runs.ts';
import { type Field, Lane } from './lane.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';

export interface Part {
  readonly endsAt: number;
  readonly signal: AbortSignal;
  readonly onViolation: (what: string) => void;
}

export interface Ground {
  /** For what is built. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Of the cluster. @default 'chaos' */
  readonly name?: string;
}

/** As many as two cores can serve: most of a run is waiting. */
const LANES = { crashes: 3, faults: 5 };

/** Plays on a fresh cluster with the operator installed. */
export async function onRealCluster(
  { folder, signal, name = 'chaos' }: Ground,
  play: (field: Field) => Promise<void>,
): Promise<void> {
  const programs = await programsForPeople(process.env, signal);
  const program = join(folder, `${name}.mjs`);
  await buildBundle('src/main.ts', program);
  const cluster = await Cluster.start(programs, { name });
  try {
    await installWithoutWebhooks(cluster);
    await play({ cluster, program });
  } finally {
    await cluster.stop();
  }
}

/** Installs the operator as people do who run it with ENABLE_WEBHOOKS=false: while it is dead, others can still work. */
export async function installWithoutWebhooks(cluster: Cluster): Promise<void> {
  await installOperator(cluster);
  const { mutatingWebhooks, validatingWebhooks } = INSTALLATION;
  await cluster.kubectl(['delete', 'mutatingwebhookconfiguration', mutatingWebhooks]);
  await cluster.kubectl(['delete', 'validatingwebhookconfiguration', validatingWebhooks]);
  // The garbage collector would learn of new kinds within half a minute; a restarted one knows them at once.
  await cluster.restart('kube-controller-manager');
}

/** Crashes at every write of every scenario until the time is up; returns at how many points. */
export async function crashEverywhere(field: Field, part: Part): Promise<{ points: number; finished: number }> {
  const tally = { points: 0, finished: 0 };
  const together = scenarios.filter(({ alone }) => !alone).values();
  const alone = scenarios.filter((scenario) => scenario.alone).values();
  await inLanes(field, LANES.crashes, (lane) => crashAll(lane, together, part, tally));
  await inLanes(field, 1, (lane) => crashAll(lane, alone, part, tally));
  return tally;
}

async function crashAll(
  lane: Lane,
  queue: Iterable<Scenario>,
  part: Part,
  tally: { points: number; finished: number },
): Promise<void> {
  for (const scenario of queue) {
    for await (const { point, run } of crashPoints(lane, scenario)) {
      tally.points += 1;
      for (const what of run.broken) {
        part.onViolation(`${scenario.name}, killed ${point.moment} write ${point.write}: ${what}`);
      }
      if (isOver(part)) return;
    }
    tally.finished += 1;
  }
}

/**
 * Runs faults from this seed on until the time is up; returns how many runs there were. Runs that break their cluster
 * have one to themselves: otherwise all other runs would have to end for each of them.
 */
export async function runFaults(
  { sound, breaking }: { readonly sound: Field; readonly breaking: Field },
  from: number,
  part: Part,
): Promise<number> {
  const needOf = (seed: number): Need => settingOf(seed).needs;
  const some = seedsOf(from, (seed) => needOf(seed) !== 'cluster');
  const others = seedsOf(from, (seed) => needOf(seed) === 'cluster');
  const agendas = { sound: new Agenda(some, needOf), breaking: new Agenda(others, needOf) };
  const tally = { runs: 0 };
  await Promise.all([
    inLanes(sound, LANES.faults, (lane) => playAll(lane, agendas.sound, part, tally)),
    inLanes(breaking, 1, (lane) => playAll(lane, agendas.breaking, part, tally)),
  ]);
  return tally.runs;
}

async function playAll(lane: Lane, agenda: Agenda, part: Part, tally: { runs: number }): Promise<void> {
  while (!isOver(part)) {
    const { seed, leave } = agenda.next();
    const { story, broken } = await faultRun(lane, seed).finally(leave);
    tally.runs += 1;
    for (const what of broken) part.onViolation(`ONLY=faults SEED=${seed} (${story.join(', ')}): ${what}`);
  }
}

function* seedsOf(from: number, isMeant: (seed: number) => boolean): Generator<number, never, void> {
  for (let seed = from; ; seed++) if (isMeant(seed)) yield seed;
}

/** Lets so many lanes play side by side. */
export async function inLanes(field: Field, count: number, play: (lane: Lane) => Promise<void>): Promise<void> {
  const opened = Array.from({ length: count }, (_, index) => Lane.open(field, `lane-${index + 1}`));
  const lanes = await Promise.all(opened);
  try {
    await Promise.all(lanes.map(play));
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
  }
}

function isOver({ endsAt, signal }: Part): boolean {
  return Date.now() > endsAt || signal.aborted;
}
