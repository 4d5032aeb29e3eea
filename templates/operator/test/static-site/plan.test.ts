import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Deployment } from 'mydeployment/runtime';
import { plan } from '../../src/kinds/static-site/plan.ts';
import type { StaticSite } from '../../src/kinds/static-site/types.gen.ts';

const object: StaticSite = {
  metadata: { namespace: 'default', name: 'site', uid: 'u', resourceVersion: '1', generation: 3 },
  spec: { text: 'Hello', replicas: 2 },
};
const deployment = (readyReplicas: number) => ({ status: { readyReplicas } }) as Deployment;

describe('the plan of a StaticSite', () => {
  it('wants a ConfigMap with the text, and a Deployment that serves it', () => {
    const { configMap, deployment } = plan(object, undefined, 0);
    assert.deepEqual(configMap.data, { 'index.html': 'Hello' });
    assert.equal(deployment.spec?.replicas, 2);
    assert.deepEqual(deployment.spec?.template.spec?.volumes, [{ name: 'pages', configMap: { name: 'site' } }]);
  });

  for (const { readyReplicas, status } of [
    { readyReplicas: 1, status: 'False' },
    { readyReplicas: 2, status: 'True' },
  ]) {
    it(`is ready: ${status}, with ${readyReplicas} of 2 pods`, () => {
      const [ready] = plan(object, deployment(readyReplicas), 0).status.conditions ?? [];
      assert.equal(ready?.status, status);
      assert.equal(ready?.observedGeneration, 3);
    });
  }
});
