// `controller_runtime_webhook_*`: the admission requests this process answers, by the path of the webhook.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import { msBetween } from '../instant.ts';
import type { WebhookObserver } from '../webhook/server.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function webhookMetrics(registry: Registry, clock: Clock): Required<WebhookObserver> {
  const registers = [registry];
  const total = new Counter({
    name: 'controller_runtime_webhook_requests_total',
    help: 'Admission requests answered, by HTTP status',
    labelNames: ['webhook', 'code'],
    registers,
  });
  const latency = new Histogram({
    name: 'controller_runtime_webhook_latency_seconds',
    help: 'How long it takes to answer an admission request',
    labelNames: ['webhook'],
    buckets: SECONDS,
    registers,
  });
  const inFlight = new Gauge({
    name: 'controller_runtime_webhook_requests_in_flight',
    help: 'Admission requests being answered',
    labelNames: ['webhook'],
    registers,
  });
  const panics = new Counter({
    name: 'controller_runtime_webhook_panics_total',
    help: 'Admission requests whose handler threw',
    registers,
  });
  // There is no conversion webhook here. Alerts that add up both panic counters still find both.
  new Counter({
    name: 'controller_runtime_conversion_webhook_panics_total',
    help: 'Conversion requests whose handler threw',
    registers,
  });

  return {
    request(webhook) {
      const startedAt = clock.now();
      inFlight.inc({ webhook });
      return (status) => {
        inFlight.dec({ webhook });
        total.inc({ webhook, code: status });
        latency.observe({ webhook }, msBetween(startedAt, clock.now()) / 1000);
      };
    },
    panic: () => panics.inc(),
  };
}
