// Storage version migration on a real API server: what is stored in a version that is no longer stored, and what can be read once that
// version has gone from the CRD.

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CustomResource } from '../../src/runtime/custom-resource.ts';
import { silentLogger } from '../../src/runtime/log.ts';
import type { KubeObject } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { customResourceDefinitions, migrateStorage } from '../../src/runtime/storage-migration.ts';
import { useSharedCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';

const { client, namespace: newNamespace } = await useSharedCluster();
const { signal } = new AbortController();

/** The CRD of a group of its own, with these versions; the first is stored. */
async function apply(group: string, versions: readonly string[]): Promise<void> {
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { n: { type: 'integer' } } } },
    },
  };
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing' },
      versions: versions.map((name, index) => ({ name, served: true, storage: index === 0, schema })),
    },
  };
  const patch = { type: 'apply', body, fieldManager: 'test', force: true } as const;
  await client.patch(customResourceDefinitions, { name: `things.${group}` }, patch);
}

describe('migrateStorage', () => {
  let namespace: string;
  beforeAll(async () => {
    namespace = await newNamespace();
  });

  const storedVersions = async (group: string) =>
    (await client.get(customResourceDefinitions, { name: `things.${group}` })).status?.storedVersions;
  const thingsOf = (group: string, version: string): Resource<KubeObject & { spec?: { n: number } }> => {
    return { group, version, kind: 'Thing', plural: 'things', namespaced: true };
  };
  const definitionOf = (group: string, version: string) => ({ resource: thingsOf(group, version) }) as CustomResource;

  /** Objects stored as v1, and a CRD by which v2 is stored from now on. */
  async function storeOld(group: string, count: number): Promise<void> {
    await apply(group, ['v1']);
    const old = thingsOf(group, 'v1');
    for (let n = 0; n < count; n++) {
      await eventually(() => client.create(old, { metadata: { namespace, name: `thing-${n}` }, spec: { n } }));
    }
    await apply(group, ['v2', 'v1']);
    await eventually(() => client.list(thingsOf(group, 'v2'), { namespace }));
    expect(await storedVersions(group)).toEqual(['v1', 'v2']);
  }

  it('rewrites every object, so that the old version can go', async () => {
    const group = 'migrated.test.io';
    await storeOld(group, 3);
    const deps = { log: silentLogger, signal };
    expect(await migrateStorage(client, definitionOf(group, 'v2'), deps)).toBe(3);
    expect(await storedVersions(group)).toEqual(['v2']);
    expect(await migrateStorage(client, definitionOf(group, 'v2'), deps)).toBe(0);

    await apply(group, ['v2']);
    await eventually(async () => {
      const { items } = await client.list(thingsOf(group, 'v2'), { namespace });
      expect(items.map(({ spec }) => spec?.n)).toEqual([0, 1, 2]);
    });
    expect((await client.get(thingsOf(group, 'v2'), { namespace, name: 'thing-1' })).metadata.generation).toBe(1);
  });

  it('is what keeps the API server from refusing that', async () => {
    const group = 'unmigrated.test.io';
    await storeOld(group, 1);
    await expect(apply(group, ['v2'])).rejects.toMatchObject({
      reason: 'Invalid',
      message: expect.stringContaining('status.storedVersions'),
    });
  });
});
