// How long a change waits until it is worked on, while a thousand changes a second come in: from the moment at which the
// cache shows it to the beginning of its reconcile, and from the moment at which its writer sent it.

import { setTimeout as delay } from 'node:timers/promises';
import { Cache } from '../../../src/runtime/cache/cache.ts';
import type { Client } from '../../../src/runtime/client/client.ts';
import { Controller } from '../../../src/runtime/controller/controller.ts';
import { done } from '../../../src/runtime/controller/result.ts';
import { type KubeObject, keyOf } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { concurrently, range } from '../concurrently.ts';
import { percentile } from '../statistics.ts';

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMaps: Resource<ConfigMap> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};

export interface Latency {
  readonly eventsPerSecond: number;
  readonly reconciles: number;
  /** From the cache to the reconcile, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** From the write to the reconcile. */
  readonly writeP50: number;
  readonly writeP99: number;
}

const OBJECTS = 500;

/** Writes as fast as asked, or as the API server can, for so many seconds. */
export async function measureLatency(
  client: Client,
  {
    namespace,
    perSecond,
    seconds,
  }: { readonly namespace: string; readonly perSecond: number; readonly seconds: number },
): Promise<Latency> {
  const stop = new AbortController();
  const shownAt = new Map<string, number>();
  const [waits, ages]: [number[], number[]] = [[], []];
  const cache = new Cache(client);
  const informer = cache.informer(configMaps, { namespace });
  let events = 0;
  informer.onChange(({ type, object }) => {
    if (type !== 'updated') return;
    events += 1;
    const key = keyOf(object.metadata);
    if (!shownAt.has(key)) shownAt.set(key, performance.now());
  });
  const reconcile = async (key: string) => {
    const now = performance.now();
    const shown = shownAt.get(key);
    const sentAt = informer.get(key)?.data?.sentAt;
    if (shown !== undefined) {
      shownAt.delete(key);
      waits.push(now - shown);
      ages.push(now - Number(sentAt));
    }
    return done;
  };
  await concurrently(range(OBJECTS), (index) =>
    client.create(configMaps, { metadata: { namespace, name: `c-${index}` } }),
  );
  const running = [cache.start(stop.signal)];
  await cache.waitForSync(stop.signal);
  running.push(
    new Controller({ name: 'latency', workers: 8, reconcile }).for(informer).start(stop.signal, stop.signal),
  );
  await delay(1000); // the objects that were there are worked on first
  const startedAt = performance.now();
  events = 0;
  const total = perSecond * seconds;
  await concurrently(range(total), async (index) => {
    const due = startedAt + (index / perSecond) * 1000;
    if (performance.now() < due) await delay(due - performance.now());
    const body = { data: { sentAt: String(performance.now()) } };
    await client.patch(configMaps, { namespace, name: `c-${index % OBJECTS}` }, { type: 'merge', body });
  });
  const took = (performance.now() - startedAt) / 1000;
  stop.abort();
  await Promise.all(running);
  return {
    eventsPerSecond: events / took,
    reconciles: waits.length,
    p50: percentile(waits, 50),
    p99: percentile(waits, 99),
    writeP50: percentile(ages, 50),
    writeP99: percentile(ages, 99),
  };
}
