// Our operator as it ships: the bundle of the image, leader election on, webhooks called by the API server, with the
// rights of the manifests only.

import { buildBundle } from '../../../src/build/bundle.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { installOperator, startOperator } from '../../../src/local/operator.ts';
import { INSTALLATION } from '../../../src/operator/names.ts';
import { myDaemonSets } from '../daemon-workload.ts';
import { myDeployments } from '../workload.ts';
import type { Contender, Contenders } from './contender.ts';
import { ourSyncedAt } from './synced.ts';

export const OUR_USERS = [`system:serviceaccount:${INSTALLATION.namespace}:${INSTALLATION.serviceAccount}`];

/** Bundles and installs the operator; `program` is where the bundle goes. */
export async function ours(cluster: Cluster, program: string): Promise<Contenders> {
  await Promise.all([buildBundle('src/main.ts', program), installOperator(cluster)]);
  const operator: Contender = {
    name: 'ours',
    users: OUR_USERS,
    start: async () => (await startOperator(cluster, { program, flags: ['--leader-elect'] })).process,
    syncedAt: ourSyncedAt,
  };
  return { deployment: { ...operator, kind: myDeployments }, daemonSet: { ...operator, kind: myDaemonSets } };
}
