// StaticSite v1alpha1 beside the version that is stored.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Resource } from 'mydeployment/runtime';
import { assertRoundTrips, sharedCluster } from 'mydeployment/testing';
import { staticSiteDefinition, staticSites } from '../../src/kinds/static-site/schema.ts';
import type { StaticSiteV1Alpha1 } from '../../src/kinds/static-site/v1alpha1.gen.ts';
import { conversion } from '../../src/kinds/static-site/v1alpha1.ts';

const cluster = await sharedCluster();
after(() => cluster.close());

describe('StaticSite v1alpha1', () => {
  it('loses nothing on the way to the stored version and back', () => {
    assertRoundTrips(staticSiteDefinition);
  });

  it('is converted by the API server', async () => {
    const old: Resource<StaticSiteV1Alpha1> = { ...staticSites, version: 'v1alpha1', objectType: undefined as never };
    const metadata = { namespace: await cluster.namespace(), name: 'old' };
    const created = await cluster.client.create(old, { metadata, spec: { text: 'Hello' } });
    const stored = await cluster.client.get(staticSites, metadata);
    assert.deepEqual(stored.spec, conversion.toStored(created).spec);
    assert.deepEqual((await cluster.client.get(old, metadata)).spec, created.spec);
  });
});
