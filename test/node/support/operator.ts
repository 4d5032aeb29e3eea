// The operator as it ships: the archive of its image on the node, and the manifests as people apply them.

import { installShippedOperator } from '../../../src/local/shipped-operator.ts';
import { INSTALLATION } from '../../../src/operator/names.ts';
import { eventually } from '../../support/eventually.ts';
import type { RealCluster } from './real-cluster.ts';

const { namespace, manager } = INSTALLATION;
const PODS = ['pods', '-n', namespace, '-l', 'app.kubernetes.io/component=controller-manager'];

export interface OperatorPod {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly status: {
    readonly podIP: string;
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses: readonly {
      readonly containerID: string;
      readonly ready: boolean;
      readonly restartCount: number;
    }[];
  };
}

/** Installs it, and waits until every replica is Ready and the API server's first admission was answered. */
export async function installOperatorOn(real: RealCluster): Promise<void> {
  await installShippedOperator(real.cluster);
  await eventually(() => real.kubectl(['apply', '--dry-run=server', '-f', 'samples/mydeployment.yaml']));
}

export async function operatorPods(real: RealCluster): Promise<readonly OperatorPod[]> {
  return (await real.get<{ readonly items: readonly OperatorPod[] }>(PODS)).items;
}

/** The pod that leads; throws while there is none. */
export async function leader(real: RealCluster): Promise<OperatorPod> {
  const lease = await real.get<{ readonly spec: { readonly holderIdentity?: string } }>([
    'lease',
    manager,
    '-n',
    namespace,
  ]);
  const holder = lease.spec.holderIdentity ?? '';
  const found = (await operatorPods(real)).find(({ metadata }) => holder.startsWith(`${metadata.name}_`));
  if (found === undefined) throw new Error(`the lease is held by ${JSON.stringify(holder)}, which is no pod`);
  return found;
}
