// The operator as it ships: the archive of its image on the node, and the manifests as people apply them.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { INSTALLATION } from '../../../src/operator/names.ts';
import { eventually } from '../../support/eventually.ts';
import { writeOperatorImage } from './operator-image.ts';
import type { RealCluster } from './real-cluster.ts';

const { namespace, manager } = INSTALLATION;
export const OPERATOR_NAMESPACE = namespace;
export const OPERATOR_PODS = ['-n', namespace, 'get', 'pods', '-l', 'app.kubernetes.io/component=controller-manager'];

/** Installs it, and waits until every replica is Ready and admissions are answered. */
export async function installShippedOperator(real: RealCluster): Promise<void> {
  const archive = join(real.cluster.home, 'operator.tar');
  await writeOperatorImage(archive, await imageOfManifests());
  await real.cluster.realNode.loadImage(archive);
  for (const folder of ['crds/', 'manifests/']) await real.kubectl(['apply', '-f', folder]);
  await real.kubectl(['-n', namespace, 'rollout', 'status', `deployment/${manager}`, '--timeout=90s']);
  await eventually(() => real.kubectl(['apply', '--dry-run=server', '-f', 'samples/mydeployment.yaml']));
}

/** The name of the pod that leads. */
export async function leader(real: RealCluster): Promise<string> {
  const lease = ['-n', namespace, 'get', 'lease', manager, '-o', 'jsonpath={.spec.holderIdentity}'];
  const holder = await real.kubectl(lease);
  const pods = (await real.kubectl([...OPERATOR_PODS, '-o', 'jsonpath={.items[*].metadata.name}'])).split(' ');
  const found = pods.find((pod) => holder.includes(pod));
  if (found === undefined) throw new Error(`the lease is held by ${holder || 'nobody'}, not by one of ${pods}`);
  return found;
}

/** As containerd names it: with registry and repository. */
async function imageOfManifests(): Promise<string> {
  const text = await readFile('manifests/4-manager.yaml', 'utf8');
  return `docker.io/library/${/image: (\S+)/.exec(text)?.[1]}`;
}
