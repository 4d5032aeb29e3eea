// Certificates for tests of servers: made once a file, since each costs a few milliseconds.

import { createAuthority, issueCertificate, type KeyPair } from '../../src/runtime/certificates/authority.ts';

const HOUR_MS = 3_600_000;

/** A CA, and a serving certificate of it for localhost and 127.0.0.1. */
export async function localhostCertificate(): Promise<{ readonly ca: string; readonly serving: KeyPair }> {
  const validity = { notBefore: new Date(Date.now() - HOUR_MS), notAfter: new Date(Date.now() + HOUR_MS) };
  const authority = await createAuthority('test-ca', validity);
  const purpose = { for: 'server', dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] } as const;
  return { ca: authority.cert, serving: await issueCertificate(authority, { commonName: 'test' }, purpose, validity) };
}
