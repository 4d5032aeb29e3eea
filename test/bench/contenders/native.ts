// The native Deployment at its best: a controller-manager with nothing in it but the two controllers that a Deployment
// needs, and a client-side rate limit too high to be met. The cluster's own controller-manager runs all the others.

import { join } from 'node:path';
import type { Cluster, Programs } from '../../../src/cluster/cluster.ts';
import { GuardedProcess } from '../../../src/cluster/guarded-process.ts';
import { deployments } from '../workload.ts';
import type { Contender } from './contender.ts';

const CONTROLLERS = ['deployment-controller', 'replicaset-controller'];

/** What the cluster's own controller-manager runs: node-lifecycle would see late leases and mark nodes NotReady. */
export const OTHER_CONTROLLERS = ['*', ...CONTROLLERS.map((name) => `-${name}`), '-node-lifecycle-controller'];

/** Its informers list and watch as the controller-manager itself, so of its reads only the controllers' own are known. */
export const NATIVE_USERS = CONTROLLERS.map((name) => `system:serviceaccount:kube-system:${name}`);

export function native(cluster: Cluster, programs: Programs): Contender {
  const kubeconfig = join(cluster.home, 'kube-controller-manager.kubeconfig');
  const args = [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    '--secure-port=0',
    `--controllers=${CONTROLLERS.join(',')}`,
    `--service-account-private-key-file=${cluster.pki.files.tokenSigningKey}`,
    `--root-ca-file=${cluster.pki.files.ca}`,
    '--use-service-account-credentials=true',
    '--kube-api-qps=1000',
    '--kube-api-burst=2000',
  ];
  return {
    name: 'native',
    kind: deployments,
    users: NATIVE_USERS,
    start: () =>
      GuardedProcess.start({
        name: 'native',
        file: programs['kube-controller-manager'],
        args,
        logFile: join(cluster.home, 'logs', 'native.log'),
        env: {},
      }),
  };
}
