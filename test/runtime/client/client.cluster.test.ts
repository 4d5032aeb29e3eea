import { beforeEach, describe, expect, it } from '@jest/globals';
import { controllerRevisions, podDisruptionBudgets } from '../../../src/runtime/built-in.ts';
import type { WatchEvent } from '../../../src/runtime/client/options.ts';
import { useSharedCluster } from '../../support/cluster.ts';
import { eventually } from '../../support/eventually.ts';
import { type ConfigMap, configMaps, deployments, pods } from './fixtures.ts';

const cluster = await useSharedCluster();
const { client } = cluster;

let namespace: string;
beforeEach(async () => {
  namespace = await cluster.namespace();
});

const configMap = (name: string, value = 'one') => ({
  metadata: { name, namespace, labels: { app: name } },
  data: { value },
});

const pod = (name: string) => ({
  metadata: { name, namespace, labels: { app: 'web' } },
  spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'app', image: 'app' }] },
});

describe('writes', () => {
  it('create, and refuse to create twice', async () => {
    const created = await client.create(configMaps, configMap('a'));
    expect(created).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'a', namespace }, data: { value: 'one' } });
    await expect(client.create(configMaps, configMap('a'))).rejects.toMatchObject({
      reason: 'AlreadyExists',
      message: `create configmaps ${namespace}/a: AlreadyExists 409: configmaps "a" already exists`,
    });
  });

  it('update only what nobody else has changed', async () => {
    const first = await client.create(configMaps, configMap('a'));
    const second = await client.update(configMaps, { ...first, data: { value: 'two' } });
    expect(second.data).toEqual({ value: 'two' });
    await expect(client.update(configMaps, first)).rejects.toMatchObject({ reason: 'Conflict' });
  });

  it.each([
    { type: 'merge', body: { data: { value: null, other: 'x' } } },
    { type: 'strategic', body: { data: { value: null, other: 'x' } } },
    { type: 'json', body: [{ op: 'replace', path: '/data', value: { other: 'x' } }] },
    { type: 'apply', body: { data: { other: 'x' } }, fieldManager: 'test', force: true },
  ] as const)('patch ($type)', async (patch) => {
    const ref = { namespace, name: 'a' };
    const body = { ...configMap('a'), data: patch.type === 'apply' ? {} : { value: 'one' } };
    await client.create(configMaps, body);
    expect((await client.patch(configMaps, ref, patch)).data).toEqual({ other: 'x' });
  });

  it('patch an object whose immutable data has characters that Go escapes', async () => {
    const data = { command: 'a <b >c && d' };
    await client.create(controllerRevisions, { metadata: { name: 'a', namespace }, revision: 1, data });
    const patch = { type: 'merge', body: { revision: 2 } } as const;
    expect(await client.patch(controllerRevisions, { namespace, name: 'a' }, patch)).toMatchObject({
      revision: 2,
      data,
    });
  });

  it('try without storing anything, and name the fields that are wrong', async () => {
    await client.create(configMaps, configMap('a'), { dryRun: true });
    await expect(client.get(configMaps, { namespace, name: 'a' })).rejects.toMatchObject({ reason: 'NotFound' });
    const unknown = { ...configMap('a'), future: 1 };
    await expect(client.create(configMaps, unknown, { fieldValidation: 'Strict' })).rejects.toThrow(
      'unknown field "future"',
    );
    const invalid = { ...pod('a'), spec: { containers: [] } };
    await expect(client.create(pods, invalid)).rejects.toMatchObject({
      reason: 'Invalid',
      causes: [expect.objectContaining({ field: 'spec.containers' })],
    });
  });

  it('delete the very object they mean', async () => {
    const { metadata } = await client.create(configMaps, configMap('a'));
    const ref = { namespace, name: 'a' };
    await expect(client.delete(configMaps, ref, { uid: 'another' })).rejects.toMatchObject({ reason: 'Conflict' });
    expect(await client.delete(configMaps, ref, { uid: metadata.uid })).toBeUndefined();
    await expect(client.delete(configMaps, ref)).rejects.toMatchObject({ reason: 'NotFound' });
  });

  it('delete what a selector selects', async () => {
    for (const name of ['a', 'b']) await client.create(configMaps, configMap(name));
    await client.deleteCollection(configMaps, { namespace, labelSelector: 'app=a' });
    const left = await client.list(configMaps, { namespace, labelSelector: 'app' });
    expect(left.items.map(({ metadata }) => metadata.name)).toEqual(['b']);
  });
});

describe('reads', () => {
  it('come in pages, and without managedFields when asked', async () => {
    for (const name of ['a', 'b', 'c']) await client.create(configMaps, configMap(name));
    const pages: string[][] = [];
    const options = { namespace, labelSelector: 'app', limit: 2, omitManagedFields: true };
    for await (const page of client.pages(configMaps, options)) {
      pages.push(page.items.map(({ metadata }) => metadata.name));
      for (const { metadata } of page.items) expect(metadata).not.toHaveProperty('managedFields');
    }
    expect(pages).toEqual([['a', 'b'], ['c']]);
  });

  it('stream what is there, then what happens', async () => {
    await client.create(configMaps, configMap('a'));
    const seen: string[] = [];
    const events = client.watch(configMaps, {
      namespace,
      labelSelector: 'app',
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
      omitManagedFields: true,
    });
    for await (const event of events) {
      seen.push(nameOf(event));
      if (event.type === 'BOOKMARK')
        await client.patch(
          configMaps,
          { namespace, name: 'a' },
          { type: 'merge', body: { data: { value: 'grüß 😀' } } },
        );
      if (event.type === 'MODIFIED') {
        expect(event.object.data).toEqual({ value: 'grüß 😀' });
        break;
      }
    }
    expect(seen).toEqual(['ADDED a', 'BOOKMARK', 'MODIFIED a']);
  });

  it('reach paths that are no objects', async () => {
    expect((await client.raw('GET', '/readyz')).body).toBe('ok');
    expect(JSON.parse((await client.raw('GET', '/openapi/v3')).body)).toHaveProperty('paths');
    await expect(client.raw('GET', '/nowhere')).rejects.toMatchObject({ reason: 'NotFound' });
  });
});

describe('subresources', () => {
  it('status is written apart from the object', async () => {
    await client.create(pods, pod('a'));
    const body = { status: { conditions: [{ type: 'example.com/checked', status: 'True' }] } };
    const changed = await client.patch(
      pods,
      { namespace, name: 'a' },
      { type: 'strategic', body },
      { subresource: 'status' },
    );
    expect(JSON.stringify(changed)).toContain('example.com/checked');
  });

  it('scale has a type of its own', async () => {
    interface Scale {
      readonly metadata: { readonly name: string; readonly namespace: string };
      readonly spec: { readonly replicas: number };
    }
    const template = { metadata: { labels: { app: 'web' } }, spec: pod('x').spec };
    const spec = { replicas: 1, selector: { matchLabels: { app: 'web' } }, template };
    await client.create(deployments, { metadata: { name: 'web', namespace }, spec } as never);
    const ref = { namespace, name: 'web' };
    const scale = await client.get<Scale>(deployments, ref, { subresource: 'scale' });
    expect(scale.spec.replicas).toBe(1);
    // Without a version: the Deployment's own controller writes to it at the same time.
    const patch = { type: 'merge', body: { spec: { replicas: 2 } } } as const;
    const more = await client.patch<Scale>(deployments, ref, patch, { subresource: 'scale' });
    expect(more.spec.replicas).toBe(2);
  });

  it('an eviction that a budget forbids says so', async () => {
    await client.create(pods, pod('a'));
    await client.create(podDisruptionBudgets, {
      metadata: { name: 'all', namespace },
      spec: { minAvailable: '100%', selector: { matchLabels: { app: 'web' } } },
    });
    // A pod that has not started yet may always be evicted.
    await eventually(async () => {
      expect(await client.get(pods, { namespace, name: 'a' })).toMatchObject({ status: { phase: 'Running' } });
    });
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a', namespace } };
    await expect(client.create(pods, eviction, { subresource: 'eviction' })).rejects.toMatchObject({
      reason: 'TooManyRequests',
    });
  });
});

function nameOf(event: WatchEvent<ConfigMap>): string {
  return event.type === 'BOOKMARK' ? 'BOOKMARK' : `${event.type} ${event.object.metadata.name}`;
}
