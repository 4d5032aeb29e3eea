// `certwatcher_*`: how often the serving certificate was read from its files, and how often that failed.

import { Counter, type Registry } from 'prom-client';
import type { CertificateObserver } from '../certificates/files.ts';

export function certificateMetrics(registry: Registry): Required<CertificateObserver> {
  const registers = [registry];
  const reads = new Counter({ name: 'certwatcher_read_certificate_total', help: 'Certificate reads', registers });
  const errors = new Counter({
    name: 'certwatcher_read_certificate_errors_total',
    help: 'Certificate reads that failed',
    registers,
  });
  return {
    read(outcome) {
      reads.inc();
      if (outcome === 'error') errors.inc();
    },
  };
}
