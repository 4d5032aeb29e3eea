// One embedded cluster for all cluster tests of a run: started before the first, stopped after the last. Tests keep out
// of each other's way by namespace; a test that breaks things starts a cluster of its own instead.
// Jest runs this file in its main process and the tests elsewhere, so the environment carries what they need.

import { Cluster, type Programs } from '../../src/cluster/cluster.ts';
import { programsForPeople } from '../../src/cluster/programs.ts';

let shared: Cluster | undefined;

export interface SharedCluster {
  /** Unique to this run, so that two runs on one machine do not meet. */
  readonly name: string;
  readonly kubeconfig: string;
  readonly programs: Programs;
}

const VARIABLE = 'MYDEPLOYMENT_TEST_CLUSTER';

/** Jest's globalSetup. */
export default async function start(): Promise<void> {
  const programs = await programsForPeople();
  const name = `test-${process.pid}`;
  shared = await Cluster.start(programs, { name });
  process.env[VARIABLE] = JSON.stringify({ name, kubeconfig: shared.kubeconfig, programs } satisfies SharedCluster);
}

export async function stop(): Promise<void> {
  await shared?.stop();
}

/** What the tests find: where the shared cluster is, and the programs to start another. */
export function sharedCluster(): SharedCluster {
  const text = process.env[VARIABLE];
  if (text === undefined) throw new Error('no shared cluster: name the test *.cluster.test.ts so that Jest starts one');
  return JSON.parse(text) as SharedCluster;
}
