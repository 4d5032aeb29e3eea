// The native kinds at their best: a controller-manager with nothing in it but the controllers that a Deployment, or a
// DaemonSet, needs, and a client-side rate limit too high to be met. The cluster's own runs all the others.

import { join } from 'node:path';
import type { Cluster, Programs } from '../../../src/cluster/cluster.ts';
import { GuardedProcess } from '../../../src/cluster/guarded-process.ts';
import { daemonSets } from '../daemon-workload.ts';
import { deployments } from '../workload.ts';
import type { Contender, Contenders } from './contender.ts';
import { nativeSyncedAt } from './synced.ts';

/** Controllers by name, with the ServiceAccount of each. */
const DEPLOYMENT = {
  'deployment-controller': 'deployment-controller',
  'replicaset-controller': 'replicaset-controller',
};
const DAEMON_SET = { 'daemonset-controller': 'daemon-set-controller' };

type Controllers = Readonly<Record<string, string>>;

/** What the cluster's own controller-manager runs: node-lifecycle would see late leases and mark nodes NotReady. */
export const OTHER_CONTROLLERS = [
  '*',
  ...Object.keys({ ...DEPLOYMENT, ...DAEMON_SET }).map((name) => `-${name}`),
  '-node-lifecycle-controller',
];

export const NATIVE_USERS = usersOf({ ...DEPLOYMENT, ...DAEMON_SET });

export function native(cluster: Cluster, programs: Programs): Contenders {
  return {
    deployment: { ...controllerManager(cluster, programs, DEPLOYMENT), kind: deployments },
    daemonSet: { ...controllerManager(cluster, programs, DAEMON_SET), kind: daemonSets },
  };
}

/** Informers list and watch as the controller-manager itself, so of the reads only the controllers' own are known. */
function usersOf(controllers: Controllers): readonly string[] {
  return Object.values(controllers).map((name) => `system:serviceaccount:kube-system:${name}`);
}

function controllerManager(cluster: Cluster, programs: Programs, controllers: Controllers): Contender {
  const kubeconfig = join(cluster.home, 'kube-controller-manager.kubeconfig');
  const args = [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    '--secure-port=0',
    `--controllers=${Object.keys(controllers).join(',')}`,
    `--service-account-private-key-file=${cluster.pki.files.tokenSigningKey}`,
    `--root-ca-file=${cluster.pki.files.ca}`,
    '--use-service-account-credentials=true',
    '--kube-api-qps=1000',
    '--kube-api-burst=2000',
  ];
  return {
    name: 'native',
    users: usersOf(controllers),
    syncedAt: nativeSyncedAt,
    start: () =>
      GuardedProcess.start({
        name: 'native',
        file: programs['kube-controller-manager'],
        args,
        logFile: join(cluster.home, 'logs', 'native.log'),
        env: { TZ: 'UTC' }, // for the times in its log
      }),
  };
}
