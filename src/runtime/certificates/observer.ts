// What those who keep certificates tell those who count.

import { notAfterOf } from './secret.ts';

/** The certificate that we serve with, and the CA that callers know it by. */
export type CertificateRole = 'serving' | 'ca';

export interface CertificateObserver {
  /** The files of somebody else's certificate were read. */
  read?(outcome: 'success' | 'error'): void;
  /** What is in use now ends at this time. */
  expires?(role: CertificateRole, notAfter: number): void;
  /** Certificates of our own could not be looked at, renewed or injected; it is tried again. */
  rotationFailed?(): void;
}

/** Tells when a certificate ends, if there is one. */
export function tellExpiry(observer: CertificateObserver, role: CertificateRole, cert: string | undefined): void {
  if (cert !== undefined) observer.expires?.(role, notAfterOf(cert));
}
