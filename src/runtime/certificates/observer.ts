// Reports about certificates, for metrics.

import { notAfterOf } from './secret.ts';

/** The serving certificate, and the CA by which callers verify it. */
export type CertificateRole = 'serving' | 'ca';

export interface CertificateObserver {
  /** The files of a certificate that another component renews were read. */
  read?(outcome: 'success' | 'error'): void;
  /** The certificate in use expires at this time. */
  expires?(role: CertificateRole, notAfter: number): void;
  /** The operator could not read, renew or inject its own certificates; it retries. */
  rotationFailed?(): void;
}

/** Reports when a certificate expires, if there is one. */
export function tellExpiry(observer: CertificateObserver, role: CertificateRole, cert: string | undefined): void {
  if (cert !== undefined) observer.expires?.(role, notAfterOf(cert));
}
