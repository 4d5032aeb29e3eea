// Objects that a controller keeps by server-side apply, as a real API server merges them.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ConfigMap, configMaps, type Deployment, deployments } from '../../src/runtime/built-in.ts';
import { Cache } from '../../src/runtime/cache/cache.ts';
import type { KubeObject } from '../../src/runtime/object.ts';
import { OwnedObjects, type Wanted } from '../../src/runtime/owned-objects.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { useSharedCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';

const { client, namespace: newNamespace } = await useSharedCluster();

/** Counts what is sent. */
let sent: string[] = [];
const counting = new Proxy(client, {
  get(target, name) {
    const value = Reflect.get(target, name, target);
    if (typeof value !== 'function') return value;
    return (...args: readonly unknown[]) => {
      if (name === 'patch' || name === 'delete') sent.push(String(name));
      return value.apply(target, args);
    };
  },
});

describe('OwnedObjects', () => {
  let namespace: string;
  let owner: ConfigMap;
  let owned: OwnedObjects<Deployment>;
  let maps: OwnedObjects<ConfigMap>;
  let running: AbortController;

  beforeEach(async () => {
    namespace = await newNamespace();
    owner = await client.create(configMaps, { metadata: { namespace, name: 'owner' } });
    const cache = new Cache(client, { namespaces: [namespace] });
    const operator = { cache, client: counting, name: 'test-operator' };
    owned = new OwnedObjects(operator, configMaps, deployments);
    maps = new OwnedObjects(operator, configMaps, configMaps);
    running = new AbortController();
    void cache.start(running.signal);
    await cache.waitForSync(running.signal);
    sent = [];
  });
  afterEach(() => running.abort());

  const labels = { app: 'web' };
  const wanted = (env: Readonly<Record<string, string>> = {}, more: object = {}): Wanted<Deployment> => ({
    metadata: { name: 'web', labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            { name: 'main', image: 'main:1', env: Object.entries(env).map(([name, value]) => ({ name, value })) },
          ],
        },
      },
      ...more,
    },
  });
  const ref = () => ({ namespace, name: 'web' });
  const read = () => client.get(deployments, ref());
  /** The cache shows what the API server has. */
  const caughtUp = <T extends KubeObject>(objects: OwnedObjects<T>) => objects.informer.catchUp();
  const ensure = async (each: Wanted<Deployment>): Promise<void> => {
    await owned.ensure(owner, each);
    await caughtUp(owned);
  };
  const edit = async <T extends KubeObject>(resource: Resource<T>, body: object): Promise<void> => {
    await client.patch(resource, ref(), { type: 'merge', body });
    await caughtUp(owned);
  };

  it('creates an object in the namespace of its owner, controlled by it', async () => {
    await ensure(wanted());
    expect((await read()).metadata.ownerReferences).toMatchObject([
      { name: 'owner', uid: owner.metadata.uid, controller: true },
    ]);
    expect(owned.of(owner).map(({ metadata }) => metadata.name)).toEqual(['web']);
  });

  it('sends nothing while what is wanted is there, whatever its status does', async () => {
    await ensure(wanted());
    await eventually(async () => expect((await read()).status?.observedGeneration).toBe(1));
    await caughtUp(owned);
    for (let again = 0; again < 3; again++) await ensure(wanted());
    expect(sent).toEqual(['patch']);
  });

  it('puts back what a user changes, and leaves alone what it does not name', async () => {
    await ensure(wanted({}, { minReadySeconds: 1 }));
    await edit(deployments, { metadata: { labels: { team: 'blue' } }, spec: { minReadySeconds: 5, replicas: 3 } });
    await ensure(wanted({}, { minReadySeconds: 1 }));
    const { metadata, spec } = await read();
    expect(spec).toMatchObject({ minReadySeconds: 1, replicas: 3 });
    expect(metadata.labels).toEqual({ ...labels, team: 'blue' });
  });

  it('removes what is no longer wanted', async () => {
    await ensure(wanted({ A: '1', B: '2' }, { minReadySeconds: 1 }));
    await ensure(wanted({ A: '1' }));
    const { spec } = await read();
    expect(spec?.template.spec?.containers[0]?.env).toEqual([{ name: 'A', value: '1' }]);
    expect(spec?.minReadySeconds).toBeUndefined();
  });

  it('makes a deleted object again', async () => {
    await maps.ensure(owner, { metadata: { name: 'settings' }, data: { a: '1' } });
    await client.delete(configMaps, { namespace, name: 'settings' });
    await caughtUp(maps);
    await maps.ensure(owner, { metadata: { name: 'settings' }, data: { a: '1' } });
    expect((await client.get(configMaps, { namespace, name: 'settings' })).data).toEqual({ a: '1' });
  });

  it('takes no object from anybody, even one that the cache does not show yet', async () => {
    await client.create(configMaps, { metadata: { namespace, name: 'theirs' }, data: { mine: 'yes' } });
    const take = () => maps.ensure(owner, { metadata: { name: 'theirs' }, data: { mine: 'no' } });
    await expect(take()).rejects.toThrow(
      `ConfigMap "${namespace}/theirs" exists and was not made for ConfigMap "${namespace}/owner"`,
    );
    await caughtUp(maps);
    await expect(take()).rejects.toMatchObject({ name: 'NotOwnedError' });

    const second = await client.create(configMaps, { metadata: { namespace, name: 'second' } });
    await maps.ensure(second, { metadata: { name: 'seconds' } });
    await expect(maps.ensure(owner, { metadata: { name: 'seconds' } })).rejects.toMatchObject({
      name: 'AlreadyOwnedError',
    });
    expect((await client.get(configMaps, { namespace, name: 'theirs' })).data).toEqual({ mine: 'yes' });
  });

  it('deletes what is no longer wanted as a whole, and nothing of others', async () => {
    const second = await client.create(configMaps, { metadata: { namespace, name: 'second' } });
    for (const name of ['a', 'b']) await maps.ensure(owner, { metadata: { name } });
    await maps.ensure(second, { metadata: { name: 'c' } });
    await caughtUp(maps);
    await maps.keepOnly(owner, ['b']);
    await caughtUp(maps);
    expect(maps.of(owner).map(({ metadata }) => metadata.name)).toEqual(['b']);
    expect(maps.of(second)).toHaveLength(1);
  });
});
