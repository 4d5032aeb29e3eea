// `cache_*`, names of our own: changes that no watch has shown. More than a few mean that watches lose events.

import { Counter, type Registry } from 'prom-client';
import type { CacheObserver } from '../cache/informer.ts';

export function cacheMetrics(registry: Registry): Required<CacheObserver> {
  const found = new Counter({
    name: 'cache_changes_found_by_relist_total',
    help: 'Changes that were found only by comparing the cache with a new list',
    labelNames: ['group', 'resource', 'type'],
    registers: [registry],
  });
  return {
    foundByRelist: ({ group, plural }, type) => found.inc({ group, resource: plural, type }),
  };
}
