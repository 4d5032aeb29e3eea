// `rest_client_*`: the requests this process sends to the API server, as client-go counts them. Its `verb` is the HTTP
// method, too, and a watch is counted without being timed, since it lasts as long as it is useful.

import { Counter, Histogram, type Registry } from 'prom-client';
import type { RequestObserver } from '../client/observer.ts';

export interface RestClientObserver extends RequestObserver {
  dnsResolved?(facts: { readonly host: string; readonly durationMs: number }): void;
}

const DNS_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30];
const SECONDS = [...DNS_SECONDS, 60];
/** 64 bytes to 16 MiB. */
const BYTES = [64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216];

export function restClientMetrics(registry: Registry): Required<RestClientObserver> {
  const registers = [registry];
  const byVerb = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, labelNames: ['verb', 'host'], buckets, registers });

  const requests = new Counter({
    name: 'rest_client_requests_total',
    help: 'HTTP requests, by status code',
    labelNames: ['code', 'method', 'host'],
    registers,
  });
  const retries = new Counter({
    name: 'rest_client_request_retries_total',
    help: 'Requests that were repeated, by the status code of the failed attempt',
    labelNames: ['code', 'verb', 'host'],
    registers,
  });
  const duration = byVerb('rest_client_request_duration_seconds', 'How long a request takes', SECONDS);
  const waits = byVerb('rest_client_rate_limiter_duration_seconds', 'How long a request waits to be sent', SECONDS);
  const requestSize = byVerb('rest_client_request_size_bytes', 'Size of request bodies', BYTES);
  const responseSize = byVerb('rest_client_response_size_bytes', 'Size of response bodies', BYTES);
  const dns = new Histogram({
    name: 'rest_client_dns_resolution_duration_seconds',
    help: 'How long it takes to resolve the name of the API server',
    labelNames: ['host'],
    buckets: DNS_SECONDS,
    registers,
  });

  return {
    attempt({ verb, method, host, code, durationMs, requestBytes, responseBytes }) {
      requests.inc({ code: codeLabel(code), method, host });
      if (verb === 'watch') return;
      const labels = { verb: method, host };
      duration.observe(labels, durationMs / 1000);
      requestSize.observe(labels, requestBytes);
      if (code !== 0) responseSize.observe(labels, responseBytes);
    },
    retry: ({ code, method, host }) => retries.inc({ code: codeLabel(code), verb: method, host }),
    rateLimited: ({ method, host, waitMs }) => waits.observe({ verb: method, host }, waitMs / 1000),
    dnsResolved: ({ host, durationMs }) => dns.observe({ host }, durationMs / 1000),
  };
}

/** client-go's word for no answer at all. */
function codeLabel(code: number): string {
  return code === 0 ? '<error>' : String(code);
}
