// A cluster with the operator and its webhooks, as users install it, for as long as the part needs it.

import { join } from 'node:path';
import { buildBundle } from '../../../src/build/bundle.ts';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { programsForPeople } from '../../../src/cluster/programs.ts';
import { installOperator, type LocalOperator, startOperator } from '../../../src/local/operator.ts';
import type { TransitionStage } from './part.ts';

/** Plays on a fresh cluster. Needs a folder for what it builds. */
export async function onTransitionStage(
  folder: string,
  signal: AbortSignal,
  play: (stage: TransitionStage) => Promise<void>,
): Promise<void> {
  const programs = await programsForPeople(process.env, signal);
  const program = join(folder, 'operator-with-webhooks.mjs');
  await buildBundle('src/main.ts', program);
  const cluster = await Cluster.start(programs, { name: 'transitions' });
  let operator: LocalOperator | undefined;
  try {
    await installOperator(cluster);
    // The garbage collector would learn of new kinds within half a minute; a restarted one knows them at once.
    [operator] = await Promise.all([startOperator(cluster, { program }), cluster.restart('kube-controller-manager')]);
    await play({ cluster, operator });
  } finally {
    await operator?.stop();
    await cluster.stop();
  }
}
