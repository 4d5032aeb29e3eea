// Installs an operator on a test cluster as its users do.

import { type HasKubectl, kubectlOrThrow } from '../cluster/kubectl.ts';

/** Applies these files and folders in order, and waits until the API server serves the kinds among them. */
export async function install(cluster: HasKubectl, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const applied = await kubectlOrThrow(cluster, ['apply', '-f', path, '-o', 'name']);
    const crds = applied.split('\n').filter((name) => name.startsWith('customresourcedefinition'));
    if (crds.length > 0)
      await kubectlOrThrow(cluster, ['wait', '--for=condition=Established', '--timeout=60s', ...crds]);
  }
}
