// The Secret in which all replicas share their CA and serving certificate: `tls.crt` and `tls.key` as every TLS Secret,
// `ca.crt` with the trusted CAs, newest first, and `ca.key` of the newest, which only the operator uses.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Secret } from '../built-in.ts';
import type { KeyPair } from './authority.ts';
import type { CertificateState, ServingState } from './plan.ts';

/** Everything that the Secret holds, PEM. */
export interface Material {
  /** Newest first. */
  readonly authorities: readonly string[];
  /** Of the newest authority. */
  readonly authorityKey: string;
  readonly serving: KeyPair | undefined;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g;

const NOTHING: Material = { authorities: [], authorityKey: '', serving: undefined };

/** The usable content of the Secret, if any. Throws when the Secret belongs to another component. */
export function materialOf(secret: Secret | undefined): Material {
  if (secret === undefined) return NOTHING;
  const text = (key: string): string => Buffer.from(secret.data?.[key] ?? '', 'base64').toString('utf8');
  const serving = { cert: text('tls.crt'), key: text('tls.key') };
  const authorityKey = text('ca.key');
  if (serving.cert !== '' && authorityKey === '') {
    const { namespace, name } = secret.metadata;
    throw new Error(`Secret ${namespace}/${name} has a certificate but no ca.key: it is not ours to replace`);
  }
  const authorities = text('ca.crt').match(CERTIFICATE) ?? [];
  const [newest] = authorities;
  if (newest === undefined || !belongTogether({ cert: newest, key: authorityKey })) return NOTHING;
  return { authorities, authorityKey, serving: belongTogether(serving) ? serving : undefined };
}

/** The Secret's data for this material. */
export function dataOf({ authorities, authorityKey, serving }: Material): Record<string, string> {
  const base64 = (text = ''): string => Buffer.from(text).toString('base64');
  return {
    'ca.crt': base64(bundleOf(authorities)),
    'ca.key': base64(authorityKey),
    'tls.crt': base64(serving?.cert),
    'tls.key': base64(serving?.key),
  };
}

/** The PEM that clients must trust. */
export function bundleOf(authorities: readonly string[]): string {
  return authorities.map((pem) => `${pem.trimEnd()}\n`).join('');
}

export function notAfterOf(pem: string): number {
  return new X509Certificate(pem).validToDate.getTime();
}

/** Names and addresses that a serving certificate is for. */
export interface ServingNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses?: readonly string[];
}

/** What a plan needs to know about the material. */
export function stateOf(
  { authorities, serving }: Material,
  names: ServingNames,
): Pick<CertificateState, 'authorities' | 'serving'> {
  return {
    authorities: authorities.map((pem) => ({ notAfter: notAfterOf(pem) })),
    serving: serving === undefined ? undefined : servingStateOf(serving.cert, authorities, names),
  };
}

function servingStateOf(cert: string, authorities: readonly string[], names: ServingNames): ServingState {
  const certificate = new X509Certificate(cert);
  const isIssuer = (pem: string): boolean => certificate.verify(new X509Certificate(pem).publicKey);
  return {
    notAfter: certificate.validToDate.getTime(),
    authority: authorities.findIndex(isIssuer),
    coversNames:
      names.dnsNames.every((name) => certificate.checkHost(name) !== undefined) &&
      (names.ipAddresses ?? []).every((address) => certificate.checkIP(address) !== undefined),
  };
}

/** True when both can be read and the key is that of the certificate. */
export function belongTogether({ cert, key }: KeyPair): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false; // empty, cut or no PEM at all: as good as none
  }
}
