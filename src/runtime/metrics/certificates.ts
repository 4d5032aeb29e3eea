// `certwatcher_*`: how often the serving certificate was read from its files, and how often that failed.
// `certificate_*`, names of our own: when the certificates in use expire, and how often the operator failed to renew
// them.

import { Counter, Gauge, type Registry } from 'prom-client';
import type { CertificateObserver } from '../certificates/observer.ts';

export function certificateMetrics(registry: Registry): Required<CertificateObserver> {
  const registers = [registry];
  const reads = new Counter({ name: 'certwatcher_read_certificate_total', help: 'Certificate reads', registers });
  const errors = new Counter({
    name: 'certwatcher_read_certificate_errors_total',
    help: 'Certificate reads that failed',
    registers,
  });
  const expiry = new Gauge({
    name: 'certificate_expiry_timestamp_seconds',
    help: 'When the certificate in use ends: the serving one, and the CA that callers know it by',
    labelNames: ['certificate'],
    registers,
  });
  const failures = new Counter({
    name: 'certificate_rotation_errors_total',
    help: 'Attempts to look at, renew or inject certificates of our own that failed',
    registers,
  });
  return {
    read(outcome) {
      reads.inc();
      if (outcome === 'error') errors.inc();
    },
    expires: (certificate, notAfter) => expiry.set({ certificate }, notAfter / 1000),
    rotationFailed: () => failures.inc(),
  };
}
