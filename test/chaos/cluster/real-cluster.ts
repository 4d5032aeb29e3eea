// The part of the campaign that needs a real control plane: the cluster is there for as long as somebody plays, and gone
// afterwards, whatever happened. Several lanes play side by side.

import { join } from 'node:path';
import { buildBundle } from '../../../src/build/bundle.ts';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { programsForPeople } from '../../../src/cluster/programs.ts';
import { installOperator } from '../../../src/local/operator.ts';
import { INSTALLATION } from '../../../src/operator/names.ts';
import { crashPoints } from './crash-points.ts';
import { faultRun, settingOf } from './fault-runs.ts';
import { type Field, Lane } from './lane.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { Turns } from './turns.ts';

export interface Part {
  readonly endsAt: number;
  readonly signal: AbortSignal;
  readonly onViolation: (what: string) => void;
}

/** As many as two cores can serve: most of a run is waiting. */
const LANES = 3;

/** Plays on a fresh cluster with the operator installed. Needs a folder for what it builds. */
export async function onRealCluster(
  folder: string,
  signal: AbortSignal,
  play: (field: Field) => Promise<void>,
): Promise<void> {
  const programs = await programsForPeople(process.env, signal);
  const program = join(folder, 'operator.mjs');
  await buildBundle('src/main.ts', program);
  const cluster = await Cluster.start(programs, { name: 'chaos' });
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
  await inLanes(field, LANES, (lane) => crashAll(lane, together, part, tally));
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

/** Runs faults from this seed on, so many or until the time is up; returns how many runs there were. */
export async function runFaults(
  field: Field,
  from: number,
  part: Part,
  count = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const turns = new Turns();
  let runs = 0;
  await inLanes(field, LANES, async (lane) => {
    while (!isOver(part) && runs < count) {
      const seed = from + runs;
      runs += 1;
      const leave = await turns.enter(settingOf(seed).needs);
      const { story, broken } = await faultRun(lane, seed).finally(leave);
      for (const what of broken) part.onViolation(`fault run ${seed} (${story.join(', ')}): ${what}`);
    }
  });
  return runs;
}

async function inLanes(field: Field, count: number, play: (lane: Lane) => Promise<void>): Promise<void> {
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
