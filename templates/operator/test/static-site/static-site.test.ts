// StaticSite on a real control plane, with the operator as setup.ts has started it.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { configMaps, deployments } from 'mydeployment/runtime';
import { eventually, sharedCluster } from 'mydeployment/testing';
import { staticSites } from '../../src/kinds/static-site/schema.ts';

const cluster = await sharedCluster();
after(() => cluster.close());

describe('a StaticSite', () => {
  let ref: { readonly namespace: string; readonly name: string };

  before(async () => {
    ref = { namespace: await cluster.namespace(), name: 'site' };
    await cluster.client.create(staticSites, { metadata: ref, spec: { text: 'Hello', replicas: 2 } });
  });

  it('becomes ready', async () => {
    await eventually(async () => {
      const { status } = await cluster.client.get(staticSites, ref);
      assert.equal(status?.readyReplicas, 2);
      assert.equal(status?.conditions?.find(({ type }) => type === 'Ready')?.status, 'True');
    });
  });

  it('follows a change of its spec', async () => {
    await cluster.client.patch(staticSites, ref, {
      type: 'merge',
      body: { spec: { text: 'Hello again', replicas: 1 } },
    });
    await eventually(async () => {
      assert.deepEqual((await cluster.client.get(configMaps, ref)).data, { 'index.html': 'Hello again' });
      assert.equal((await cluster.client.get(deployments, ref)).spec?.replicas, 1);
    });
  });

  it('puts back what a user changes', async () => {
    await cluster.client.patch(configMaps, ref, { type: 'merge', body: { data: { 'index.html': 'mine' } } });
    await eventually(async () => {
      assert.deepEqual((await cluster.client.get(configMaps, ref)).data, { 'index.html': 'Hello again' });
    });
  });

  it('is refused without a text', async () => {
    const manifest = {
      apiVersion: 'acme.example.com/v1alpha1',
      kind: 'StaticSite',
      metadata: { name: 'empty' },
      spec: {},
    };
    const { code, stderr } = await cluster.kubectl(['-n', ref.namespace, 'apply', '-f', '-'], {
      input: JSON.stringify(manifest),
    });
    assert.equal(code, 1);
    assert.match(stderr, /spec\.text: Required value/);
  });
});
