import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConfigMap, configMaps, secrets } from '../../../src/runtime/built-in.ts';
import { Cache } from '../../../src/runtime/cache/cache.ts';
import { Controller } from '../../../src/runtime/controller/controller.ts';
import { done, type Reconcile } from '../../../src/runtime/controller/result.ts';
import { createMetrics } from '../../../src/runtime/metrics/metrics.ts';
import { refOf } from '../../../src/runtime/object.ts';
import { setControllerReference } from '../../../src/runtime/owner.ts';
import { useSharedCluster } from '../../support/cluster.ts';
import { eventually } from '../../support/eventually.ts';

const cluster = await useSharedCluster();
const namespace = await cluster.namespace();
const metrics = createMetrics();
const stop = new AbortController();
const running: Promise<void>[] = [];

/** The keys in work at this moment, the most there ever were, and those that two workers had at a time. */
const inWork = new Set<string>();
let mostInWork = 0;
const shared: string[] = [];

async function watched(key: string, work: () => Promise<void>): Promise<void> {
  if (inWork.has(key)) shared.push(key);
  inWork.add(key);
  mostInWork = Math.max(mostInWork, inWork.size);
  await work().finally(() => inWork.delete(key));
}

/** Keeps a Secret for every ConfigMap that asks for one, and notes that in it: so each changes while it is worked on. */
beforeAll(() => {
  const cache = new Cache(cluster.client, { observer: metrics.cache });
  const parents = cache.informer(configMaps, { namespace, labelSelector: 'wants=secret' });
  const children = cache.informer(secrets, { namespace });
  const reconcile: Reconcile = async (key, { signal }) => {
    const parent = parents.get(key);
    if (parent === undefined || children.get(key) !== undefined) return done;
    const { name } = refOf(key);
    const child = setControllerReference({ metadata: { namespace, name } }, parent, configMaps);
    await watched(key, async () => {
      await cluster.client.patch(configMaps, { namespace, name }, { type: 'merge', body: { data: { seen: 'yes' } } });
      await eventually(async () => expect(parents.get(key)?.data).toEqual({ seen: 'yes' }));
      await cluster.client.create(secrets, child, { signal });
    });
    return done;
  };
  const controller = new Controller({ name: 'secrets', reconcile, workers: 4, metrics }).for(parents).owns(children);
  running.push(cache.start(stop.signal), controller.start(stop.signal));
});

afterAll(async () => {
  stop.abort();
  await Promise.all(running);
});

function ask(name: string): Promise<ConfigMap> {
  return cluster.client.create(configMaps, { metadata: { namespace, name, labels: { wants: 'secret' } } });
}

function secretOf(name: string): Promise<ConfigMap> {
  return eventually(() => cluster.client.get(secrets, { namespace, name }));
}

describe('Controller, on a real cluster', () => {
  it('makes what is wanted, and makes it again when somebody deletes it', async () => {
    const parent = await ask('one');
    const first = await secretOf('one');
    expect(first.metadata.ownerReferences).toMatchObject([{ uid: parent.metadata.uid, controller: true }]);
    await cluster.client.delete(secrets, first.metadata);
    await eventually(async () => expect((await secretOf('one')).metadata.uid).not.toBe(first.metadata.uid));
  });

  it('keeps up with many at once, and gives none of them to two workers', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `many-${i}`);
    await Promise.all(names.map(ask));
    await eventually(async () => {
      const { items } = await cluster.client.list(secrets, { namespace });
      const made = items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('many-'));
      expect(made.sort()).toEqual(names.sort());
    });
    expect(mostInWork).toBeGreaterThan(1);
    expect(shared).toEqual([]);
  });

  it('has counted its work under the names that dashboards know', async () => {
    await eventually(async () => {
      const text = await metrics.metrics();
      expect(text).toMatch(/controller_runtime_reconcile_total\{controller="secrets",result="success"\} [1-9]/);
      expect(text).toMatch(/workqueue_depth\{name="secrets",controller="secrets",priority="0"\} 0/);
      expect(text).toMatch(/controller_runtime_active_workers\{controller="secrets"\} 0/);
    });
  });
});
