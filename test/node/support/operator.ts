// The operator as it ships: the archive of its image on the node, and the manifests as people apply them.

import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { programsForPeople } from '../../../src/cluster/programs.ts';
import { installShippedOperator } from '../../../src/local/shipped-operator.ts';
import { INSTALLATION, POD_LABELS } from '../../../src/operator/names.ts';
import { type Pod as FullPod, pods as fullPods, leases } from '../../../src/runtime/built-in.ts';
import { eventually } from '../../support/eventually.ts';
import type { RealCluster } from './real-cluster.ts';

export const INSTALL_WITHIN_MS = 300_000;
const { namespace, manager } = INSTALLATION;

/** Installs it, and waits until every replica is Ready and the API server's first admission was answered. */
export async function installOperatorOn(real: RealCluster): Promise<void> {
  await installShippedOperator(real.cluster);
  await eventually(() => real.kubectl(['apply', '--dry-run=server', '-f', 'samples/mydeployment.yaml']));
}

/** Runs a target of the Makefile on the cluster, as a person does who has kubectl on the PATH. */
export async function make(real: RealCluster, args: readonly string[], folder = '.'): Promise<void> {
  const { kubectl } = await programsForPeople();
  const { home: HOME, kubeconfig: KUBECONFIG } = real.cluster;
  const PATH = `${dirname(kubectl)}:${process.env.PATH}`;
  await promisify(execFile)('make', args, { cwd: folder, env: { PATH, HOME, KUBECONFIG } });
}

/** Waits until every replica is Ready and of the newest template. */
export async function operatorRolledOut(real: RealCluster): Promise<void> {
  await real.kubectl(['-n', namespace, 'rollout', 'status', `deployment/${manager}`, '--timeout=90s']);
}

export async function operatorPods(real: RealCluster): Promise<readonly FullPod[]> {
  const labelSelector = Object.entries(POD_LABELS)
    .map(([key, value]) => `${key}=${value}`)
    .join();
  return (await real.cluster.client.list(fullPods, { namespace, labelSelector })).items;
}

/** Who leads, by the identity that a process gives itself once. */
export async function leaseHolder(real: RealCluster): Promise<string> {
  const lease = await real.cluster.client.get(leases, { namespace, name: manager });
  return lease.spec?.holderIdentity ?? '';
}

/** The pod that leads; waits while there is none. */
export function leader(real: RealCluster): Promise<FullPod> {
  return eventually(async () => {
    const holder = await leaseHolder(real);
    const found = (await operatorPods(real)).find(({ metadata }) => holder.startsWith(`${metadata.name}_`));
    if (found === undefined) throw new Error(`the lease is held by ${JSON.stringify(holder)}, which is no pod`);
    return found;
  });
}
