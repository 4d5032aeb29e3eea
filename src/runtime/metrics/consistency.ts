// `controller_*`, names of our own, as no runtime has them: how often a controller waited for its cache to show its own
// writes (native controllers count these as `<controller>_stale_sync_skips_total`), how often it gave up waiting, and of how
// many owners it remembers writes.

import { Counter, Gauge, type Registry } from 'prom-client';
import type { Pending } from '../consistency/expectations.ts';

export interface ConsistencyObserver {
  /** A reconcile was put off because the cache of this resource (`pods`, `deployments.apps`) lags behind. */
  staleSkip(groupResource: string): void;
  /** Expectations were given up. */
  leaked(pending: Pending): void;
  /** Reads, at each scrape, for how many owners writes are tracked. */
  remembers(owners: () => number): void;
}

export function consistencyMetrics(
  registry: Registry,
): (controller: string, until?: AbortSignal) => ConsistencyObserver {
  const skips = new Counter({
    name: 'controller_stale_sync_skips_total',
    help: 'Reconciles put off because the cache did not show our own last write yet',
    labelNames: ['controller', 'group', 'resource'],
    registers: [registry],
  });
  const leaks = new Counter({
    name: 'controller_expectations_leaked_total',
    help: 'Creations and deletions that were asked for and never seen',
    labelNames: ['controller'],
    registers: [registry],
  });
  const readers = new Map<() => number, string>();
  new Gauge({
    name: 'controller_remembered_owners',
    help: 'Owners of which writes are remembered because the cache may not show them yet; none of them is gone',
    labelNames: ['controller'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [read, controller] of readers) this.inc({ controller }, read());
    },
  });
  return (controller, until) => {
    leaks.inc({ controller }, 0);
    return {
      staleSkip(groupResource) {
        const [resource = '', ...group] = groupResource.split('.');
        skips.inc({ controller, group: group.join('.'), resource });
      },
      leaked: ({ creations, deletions }) => leaks.inc({ controller }, creations.length + deletions.length),
      remembers(owners) {
        readers.set(owners, controller);
        until?.addEventListener('abort', () => readers.delete(owners), { once: true });
      },
    };
  };
}
