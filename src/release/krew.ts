// The manifest by which Krew, the package manager of kubectl plugins, finds and checks `kubectl md`.

import { stringify } from 'yaml';

export interface PluginArchive {
  /** As Go names them. */
  readonly os: string;
  readonly arch: string;
  readonly name: string;
  readonly sha256: string;
}

/** The manifest, for archives that are served below `url`. */
export function krewManifest(version: string, url: string, archives: readonly PluginArchive[]): string {
  return stringify({
    apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
    kind: 'Plugin',
    metadata: { name: 'md' },
    spec: {
      version: `v${version}`,
      shortDescription: 'Show and control rollouts of MyDeployments',
      description:
        'Shows rollouts of MyDeployments live, explains why one is stuck, pauses, resumes and undoes them.\n',
      platforms: archives.map(({ os, arch, name, sha256 }) => ({
        selector: { matchLabels: { os, arch } },
        uri: `${url}/${name}`,
        sha256,
        bin: 'kubectl-md',
      })),
    },
  });
}
