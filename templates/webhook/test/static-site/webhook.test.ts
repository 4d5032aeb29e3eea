import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { isApiError } from 'mydeployment/runtime';
import { sharedCluster } from 'mydeployment/testing';
import { staticSites } from '../../src/kinds/static-site/schema.ts';
import { withDefaults } from '../../src/kinds/static-site/webhook.ts';

const cluster = await sharedCluster();
after(() => cluster.close());

describe('the webhooks of StaticSite', () => {
  it('change nothing that has its defaults', () => {
    const metadata = { name: 'site', uid: 'u', resourceVersion: '1' };
    const once = withDefaults({ metadata, spec: { text: 'Hello\r\nagain' } });
    assert.equal(once.spec.text, 'Hello\nagain');
    assert.equal(withDefaults(once), once);
  });

  it('are called by the API server', async () => {
    const metadata = { namespace: await cluster.namespace(), name: 'site' };
    const stored = await cluster.client.create(staticSites, { metadata, spec: { text: 'Hello\r\n' } });
    assert.equal(stored.spec.text, 'Hello\n');
    const wrong = cluster.client.create(staticSites, {
      metadata: { ...metadata, name: 'wrong' },
      spec: { text: 'a\0b' },
    });
    await assert.rejects(wrong, (error) => isApiError(error, 'Invalid') && error.causes[0]?.field === 'spec.text');
  });
});
