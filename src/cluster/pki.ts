// The certificates of one embedded control plane: a CA, the API server's serving certificate, client certificates, and the key
// pair that signs ServiceAccount tokens. Each cluster has its own, so credentials of one cluster are not valid in another.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createAuthority,
  createSigningKey,
  issueCertificate,
  type KeyPair,
  type Purpose,
  type Validity,
} from '../runtime/certificates/authority.ts';
import { NODE_ADDRESS } from './node/network.ts';

const DAY_MS = 86_400_000;

const API_SERVER: Purpose = {
  for: 'server',
  dnsNames: ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
  // The last two are for pods of a real node: the address of the Service, and what it leads to.
  ipAddresses: ['127.0.0.1', '10.96.0.1', NODE_ADDRESS],
};

export interface PkiFiles {
  readonly ca: string;
  readonly caKey: string;
  readonly servingCert: string;
  readonly servingKey: string;
  /** How the API server signs in at a kubelet. */
  readonly kubeletClientCert: string;
  readonly kubeletClientKey: string;
  readonly tokenSigningKey: string;
  readonly tokenPublicKey: string;
}

export interface Pki {
  /** PEM of the CA. */
  readonly ca: string;
  readonly files: PkiFiles;
  /** A client certificate; its groups decide what RBAC lets it do. */
  issueClient(user: string, groups: readonly string[]): Promise<KeyPair>;
  /** Writes a new serving certificate over the old one: the API server reloads it by itself. */
  rotateServing(): Promise<void>;
}

/** Creates the CA and everything that the API server reads from files in `directory`. */
export async function createPki(directory: string): Promise<Pki> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const files = pkiFiles(directory);
  const authority = await createAuthority('embedded-cluster-ca', validity());
  const signing = await createSigningKey();
  const rotateServing = async (): Promise<void> => {
    const serving = await issueCertificate(authority, { commonName: 'kube-apiserver' }, API_SERVER, validity());
    await writeSecret(files.servingKey, serving.key);
    await writeSecret(files.servingCert, serving.cert);
  };
  const issueClient = clientIssuer(authority);
  const kubeletClient = await issueClient('kube-apiserver-kubelet-client', ['system:masters']);
  await Promise.all([
    writeSecret(files.kubeletClientCert, kubeletClient.cert),
    writeSecret(files.kubeletClientKey, kubeletClient.key),
    writeSecret(files.ca, authority.cert),
    writeSecret(files.caKey, authority.key),
    writeSecret(files.tokenSigningKey, signing.privateKey),
    writeSecret(files.tokenPublicKey, signing.publicKey),
    rotateServing(),
  ]);
  return {
    ca: authority.cert,
    files,
    rotateServing,
    issueClient,
  };
}

/** Issues client certificates in another process than the one that created the CA in `directory`. */
export async function issuerIn(directory: string): Promise<Pki['issueClient']> {
  const { ca, caKey } = pkiFiles(directory);
  const [cert, key] = await Promise.all([readFile(ca, 'utf8'), readFile(caKey, 'utf8')]);
  return clientIssuer({ cert, key });
}

function clientIssuer(authority: KeyPair): Pki['issueClient'] {
  return (commonName, organizations) =>
    issueCertificate(authority, { commonName, organizations }, { for: 'client' }, validity());
}

function pkiFiles(directory: string): PkiFiles {
  return {
    ca: join(directory, 'ca.crt'),
    caKey: join(directory, 'ca.key'),
    servingCert: join(directory, 'apiserver.crt'),
    servingKey: join(directory, 'apiserver.key'),
    kubeletClientCert: join(directory, 'kubelet-client.crt'),
    kubeletClientKey: join(directory, 'kubelet-client.key'),
    tokenSigningKey: join(directory, 'sa.key'),
    tokenPublicKey: join(directory, 'sa.pub'),
  };
}

/** From yesterday, so that a machine whose clock was just set back still accepts it. */
function validity(): Validity {
  const now = Date.now();
  return { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + 365 * DAY_MS) };
}

async function writeSecret(path: string, content: string): Promise<void> {
  await writeFile(path, `${content.trimEnd()}\n`, { mode: 0o600 });
}
