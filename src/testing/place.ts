// Where a running test cluster is, as plain data: the process that started it hands this to the processes of the tests, in the
// environment.

import type { Programs } from '../cluster/cluster.ts';

/** Where a running cluster is. */
export interface ClusterPlace {
  /** Unique to a run, so that two runs on one machine do not meet. */
  readonly name: string;
  /** The cluster's own directory, with its kubeconfigs and logs. */
  readonly home: string;
  /** An administrator's. */
  readonly kubeconfig: string;
  readonly programs: Programs;
}

/** Names of clusters of tests begin with this and the process that runs the tests. */
export const RUN = 'test-';

const VARIABLE = 'MYDEPLOYMENT_TEST_CLUSTER';

/** Hands the place to every process that this one starts from now on. */
export function announce(place: ClusterPlace): void {
  process.env[VARIABLE] = JSON.stringify(place);
}

/** The place that the starting process has handed over, if there is one. */
export function announced(): ClusterPlace | undefined {
  const text = process.env[VARIABLE];
  return text === undefined ? undefined : (JSON.parse(text) as ClusterPlace);
}
