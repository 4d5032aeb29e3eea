// A scrape in which every family of the runtime has something to say: what an operator shows after a long life.

import { createMetrics } from '../../src/runtime/metrics/metrics.ts';
import { type Family, familiesOf } from '../runtime/metrics/exposition.ts';

const api = { host: 'api:6443', verb: 'create', method: 'POST' } as const;
const pods = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

/** Every family by name. */
export async function everyFamily(): Promise<ReadonlyMap<string, Family>> {
  const metrics = createMetrics();
  metrics.reconciles('mydeployment', 8).finished({ kind: 'done' }, 1);
  const queue = metrics.queue('mydeployment');
  queue.added('a', 0);
  queue.taken('a', 0);
  metrics.requests.attempt({ ...api, code: 201, durationMs: 3, requestBytes: 10, responseBytes: 20 });
  metrics.requests.retry({ ...api, code: 429 });
  metrics.requests.rateLimited({ ...api, waitMs: 1 });
  metrics.requests.dnsResolved({ host: api.host, durationMs: 1 });
  metrics.cache.foundByRelist(pods, 'deleted');
  metrics.election.leading('operator', true);
  metrics.election.slowPath('operator');
  metrics.webhooks.request('/validate')(200);
  metrics.certificates.read('error');
  metrics.consistency('mydeployment').staleSkip('pods');
  return familiesOf(await metrics.metrics());
}
