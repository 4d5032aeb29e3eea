// All metrics of a process, under the names, labels and buckets of controller-runtime and client-go, so that dashboards
// made for those work here. Every family implements the observer port of the part that it counts; nothing outside this
// folder knows prom-client. Each call makes a registry of its own: two managers in one process do not mix.

import { collectDefaultMetrics, Registry } from 'prom-client';
import type { CacheObserver } from '../cache/informer.ts';
import type { CertificateObserver } from '../certificates/observer.ts';
import { type Clock, monotonicClock } from '../clock.ts';
import type { ControllerObservers } from '../controller/observer.ts';
import type { ElectionObserver } from '../leader-election/options.ts';
import type { ShardObserver } from '../shards/observer.ts';
import type { WebhookObserver } from '../webhook/server.ts';
import { cacheMetrics } from './cache.ts';
import { certificateMetrics } from './certificates.ts';
import { type ConsistencyObserver, consistencyMetrics } from './consistency.ts';
import { electionMetrics } from './leader-election.ts';
import { type ObjectMetrics, objectMetrics } from './objects.ts';
import { reconcileMetrics } from './reconcile.ts';
import { type RestClientObserver, restClientMetrics } from './rest-client.ts';
import { shardMetrics } from './shards.ts';
import { webhookMetrics } from './webhook.ts';
import { workqueueMetrics } from './workqueue.ts';

/** The observers of all parts, and what they have counted. */
export interface Metrics extends ControllerObservers {
  readonly requests: Required<RestClientObserver>;
  readonly cache: Required<CacheObserver>;
  readonly election: Required<ElectionObserver>;
  readonly webhooks: Required<WebhookObserver>;
  readonly certificates: Required<CertificateObserver>;
  readonly shards: Required<ShardObserver>;
  consistency(controller: string): ConsistencyObserver;
  /** For kinds that export metrics of their objects. */
  readonly objects: ObjectMetrics;
  /** The same families, for parts that end with this signal: what they have to tell at each scrape ends then, too. */
  during(signal: AbortSignal): Metrics;
  /** The content type of the text that `metrics` returns. */
  readonly contentType: string;
  /** Everything counted so far, in the text format that Prometheus reads. */
  metrics(): Promise<string>;
}

/** A registry with every family of the runtime, and the usual metrics of the process and of Node. */
export function createMetrics(clock: Clock = monotonicClock): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const queue = workqueueMetrics(registry, clock);
  const consistency = consistencyMetrics(registry);
  const objects = objectMetrics(registry);
  const metrics: Metrics = {
    reconciles: reconcileMetrics(registry),
    queue: (controller) => queue(controller),
    requests: restClientMetrics(registry),
    cache: cacheMetrics(registry),
    election: electionMetrics(registry),
    webhooks: webhookMetrics(registry, clock),
    certificates: certificateMetrics(registry),
    shards: shardMetrics(registry),
    consistency: (controller) => consistency(controller),
    objects,
    during: (signal) => ({
      ...metrics,
      queue: (controller) => queue(controller, signal),
      consistency: (controller) => consistency(controller, signal),
      objects: objects.during(signal),
    }),
    contentType: registry.contentType,
    metrics: () => registry.metrics(),
  };
  return metrics;
}
