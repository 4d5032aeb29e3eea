// One cluster for all test files of a run, started before the first and stopped after the last. Each test runner asks for this in
// its own way: Jest calls the default export here and the one of teardown.ts, Vitest calls what the default export returns, and
// `node --test-global-setup` calls the two named functions.

import { Cluster } from '../cluster/cluster.ts';
import { removeEnded } from '../cluster/home.ts';
import { programsForPeople } from '../cluster/programs.ts';
import { announce, RUN } from './place.ts';

const DIRECTORY = '.cluster';

let shared: Cluster | undefined;

/** Starts the cluster; resolves with what stops it. The logs of runs that have ended are removed. */
export async function globalSetup(): Promise<() => Promise<void>> {
  const programs = await programsForPeople();
  await removeEnded(DIRECTORY, RUN);
  shared = await Cluster.start(programs, { name: `${RUN}${process.pid}`, directory: DIRECTORY });
  const { name, home, kubeconfig } = shared;
  announce({ name, home, kubeconfig, programs });
  return globalTeardown;
}

/** Stops it. Its logs stay until the next run. */
export async function globalTeardown(): Promise<void> {
  await shared?.stop();
  shared = undefined;
}

export default globalSetup;
