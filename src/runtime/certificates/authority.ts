// A small certificate authority: makes a CA and issues serving and client certificates, all ECDSA P-256 and PEM.
// Webhooks without cert-manager need one, and so does the embedded control plane. Built on @peculiar/x509,
// because Node can read X.509 certificates but cannot make them.

import 'reflect-metadata'; // @peculiar/x509 asks for this polyfill to be loaded before it
import { randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** What the holder may do with a certificate. */
export type Purpose =
  | { readonly for: 'server'; readonly dnsNames: readonly string[]; readonly ipAddresses?: readonly string[] }
  | { readonly for: 'client' };

export interface Subject {
  readonly commonName: string;
  /** Kubernetes reads these as the groups of a client. */
  readonly organizations?: readonly string[];
}

/** Creates a self-signed CA. */
export async function createAuthority(commonName: string, validity: Validity): Promise<KeyPair> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: serialNumber(),
    name: [{ CN: [commonName] }],
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: certificate.toString('pem'), key: await privateKeyPem(keys.privateKey) };
}

/** Issues a certificate signed by `authority`. */
export async function issueCertificate(
  authority: KeyPair,
  subject: Subject,
  purpose: Purpose,
  validity: Validity,
): Promise<KeyPair> {
  const issuer = new x509.X509Certificate(authority.cert);
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity,
    serialNumber: serialNumber(),
    subject: [...(subject.organizations ?? []).map((name) => ({ O: [name] })), { CN: [subject.commonName] }],
    issuer: issuer.subjectName,
    publicKey: keys.publicKey,
    signingKey: await importPrivateKey(authority.key),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      // Lets a verifier choose between two CAs of the same name, as there are while one is being rotated.
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
      ...purposeExtensions(purpose),
    ],
  });
  return { cert: certificate.toString('pem'), key: await privateKeyPem(keys.privateKey) };
}

/** A key pair for signing tokens, PEM. */
export async function createSigningKey(): Promise<{ readonly privateKey: string; readonly publicKey: string }> {
  const keys = await generateKeys();
  const spki = await webcrypto.subtle.exportKey('spki', keys.publicKey);
  return { privateKey: await privateKeyPem(keys.privateKey), publicKey: x509.PemConverter.encode(spki, 'PUBLIC KEY') };
}

function purposeExtensions(purpose: Purpose): x509.Extension[] {
  if (purpose.for === 'client') return [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])];
  return [
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension([
      ...purpose.dnsNames.map((value) => ({ type: 'dns' as const, value })),
      ...(purpose.ipAddresses ?? []).map((value) => ({ type: 'ip' as const, value })),
    ]),
  ];
}

/** 16 random bytes, the first bit clear: DER reads a set one as a negative number, which Go refuses. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] as number) & 0x7f) | 0x01;
  return bytes.toString('hex');
}

async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return (await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
}

async function privateKeyPem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

async function importPrivateKey(pem: string): Promise<webcrypto.CryptoKey> {
  return webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(pem), ALGORITHM, false, ['sign']);
}
