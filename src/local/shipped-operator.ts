// Installs the operator on a real node as users do on their clusters: the image's archive, then the manifests. The operator
// then runs as pods, and the API server calls its webhooks through a Service.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from '../cluster/cluster.ts';
import { assembleFor } from '../image/assemble.ts';
import { architectureOf } from '../oci/image.ts';
import { INSTALLATION } from '../operator/names.ts';

/** Resolves when every replica is Ready. */
export async function installShippedOperator(cluster: Cluster): Promise<void> {
  const { namespace, manager } = INSTALLATION;
  await loadOperatorImage(cluster);
  await kubectl(cluster, ['apply', '-f', 'crds/']);
  await kubectl(cluster, ['apply', '-f', 'manifests/']);
  await kubectl(cluster, ['-n', namespace, 'rollout', 'status', `deployment/${manager}`, '--timeout=90s']);
}

/** Puts the image together and makes it available to pods. */
export async function loadOperatorImage(cluster: Cluster): Promise<void> {
  await cluster.realNode.loadImage(await archiveFor(cluster));
}

/** The archive for this machine's architecture, under the name that the manifests ask for. */
async function archiveFor(cluster: Cluster): Promise<string> {
  const image = /image: (\S+)/.exec(await readFile('manifests/4-manager.yaml', 'utf8'))?.[1];
  if (image === undefined) throw new Error('manifests/4-manager.yaml names no image');
  const path = join(cluster.home, 'operator-image.tar');
  await writeFile(path, await assembleFor(architectureOf(process.arch), image, process.env));
  return path;
}

async function kubectl(cluster: Cluster, args: readonly string[]): Promise<void> {
  const { code, stderr } = await cluster.kubectl(args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr.trim()}`);
}
