// The part of the campaign that needs a real control plane: the cluster, the proxy in front of its API server and the
// operator behind that are there for as long as somebody plays, and gone afterwards, whatever happened.

import { join } from 'node:path';
import { buildBundle } from '../../../src/build/bundle.ts';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { programsForPeople } from '../../../src/cluster/programs.ts';
import { installOperator } from '../../../src/local/operator.ts';
import { INSTALLATION } from '../../../src/operator/names.ts';
import { type CrashStage, crashPoints } from './crash-points.ts';
import { faultRun } from './fault-runs.ts';
import { scenarios } from './scenarios.ts';
import { WriteProxy } from './write-proxy.ts';

export interface Part {
  readonly endsAt: number;
  readonly signal: AbortSignal;
  readonly onViolation: (what: string) => void;
}

/** Plays on a fresh cluster with the operator installed. Needs a folder for what it builds. */
export async function onRealCluster(
  folder: string,
  signal: AbortSignal,
  play: (stage: CrashStage) => Promise<void>,
): Promise<void> {
  const programs = await programsForPeople(process.env, signal);
  const program = join(folder, 'operator.mjs');
  await buildBundle('src/main.ts', program);
  const cluster = await Cluster.start(programs, { name: 'chaos' });
  const stage: CrashStage = { cluster, proxy: await WriteProxy.to(cluster), program, operator: undefined };
  try {
    await installWithoutWebhooks(cluster);
    await play(stage);
  } finally {
    await stage.operator?.stop();
    await stage.proxy.close();
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
export async function crashEverywhere(stage: CrashStage, part: Part): Promise<{ points: number; finished: number }> {
  let [points, finished] = [0, 0];
  for (const scenario of scenarios) {
    for await (const { point, run } of crashPoints(stage, scenario)) {
      points += 1;
      for (const what of run.broken) {
        part.onViolation(`${scenario.name}, killed ${point.moment} write ${point.write}: ${what}`);
      }
      if (isOver(part)) return { points, finished };
    }
    finished += 1;
  }
  return { points, finished };
}

/** Runs faults from this seed on until the time is up; returns how many runs there were. */
export async function runFaults(stage: CrashStage, from: number, part: Part): Promise<number> {
  let runs = 0;
  for (; !isOver(part); runs++) {
    const { seed, story, broken } = await faultRun(stage, from + runs);
    for (const what of broken) part.onViolation(`fault run ${seed} (${story.join(', ')}): ${what}`);
  }
  return runs;
}

function isOver({ endsAt, signal }: Part): boolean {
  return Date.now() > endsAt || signal.aborted;
}
