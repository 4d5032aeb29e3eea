// Installs our CRDs on a test cluster the way people do, and waits until the API server serves the new kinds.

import type { KubectlResult } from '../../src/testing/index.ts';
import type { TestCluster } from './cluster.ts';

/** Applies `crds/` client-side and returns what kubectl said. */
export async function installCrds(cluster: TestCluster): Promise<KubectlResult> {
  const apply = () => cluster.kubectl(['apply', '-f', 'crds/']);
  const first = await apply();
  // Another test file may be doing the same on the shared cluster: what it has just created, kubectl updates next time.
  const applied = first.code !== 0 && first.stderr.includes('AlreadyExists') ? await apply() : first;
  if (applied.code !== 0) throw new Error(`kubectl apply -f crds/ failed: ${applied.stderr}`);
  await cluster.kubectl(['wait', '--for=condition=Established', '--timeout=60s', '-f', 'crds/']);
  return applied;
}
