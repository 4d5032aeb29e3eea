// Writes kubeconfig files: one cluster, one user, one context, everything inline so that the file can be moved.

import { writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';

export type Credentials = { readonly cert: string; readonly key: string } | { readonly token: string };

export interface KubeconfigSpec {
  readonly server: string;
  /** PEM of the CA that the server's certificate is checked against. */
  readonly ca: string;
  readonly user: string;
  readonly credentials: Credentials;
  readonly namespace?: string;
}

/** Renders a kubeconfig. */
export function kubeconfig(spec: KubeconfigSpec): string {
  const { credentials } = spec;
  const user =
    'token' in credentials
      ? { token: credentials.token }
      : { 'client-certificate-data': base64(credentials.cert), 'client-key-data': base64(credentials.key) };
  const context = { cluster: 'embedded', user: spec.user, ...(spec.namespace ? { namespace: spec.namespace } : {}) };
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'embedded', cluster: { server: spec.server, 'certificate-authority-data': base64(spec.ca) } }],
    users: [{ name: spec.user, user }],
    contexts: [{ name: 'embedded', context }],
    'current-context': 'embedded',
  });
}

/** Writes a kubeconfig that only its owner can read. */
export async function writeKubeconfig(path: string, spec: KubeconfigSpec): Promise<void> {
  await writeFile(path, kubeconfig(spec), { mode: 0o600 });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
