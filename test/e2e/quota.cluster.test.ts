// A quota on PodTemplates, of which none is ever stored: it forbids the dry run that judges a template and returns its
// defaults. The API server asks quotas last, so a template that gets that far is sound: objects are admitted as the user
// wrote them, with a warning that names the quota.

import { describe, expect, it } from '@jest/globals';
import { modelBoxes } from '../../src/kinds/model-box/names.ts';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import { apiVersionOf, type Resource } from '../../src/runtime/resource.ts';
import { eventually } from '../support/eventually.ts';
import { minimalSpec, type Scene } from './scene.ts';
import { useStage } from './stage.ts';

const { scene } = await useStage({ name: 'quota', operator: { flags: ['--kinds=mydeployment,modelbox'] } });

const WARNING =
  /^Warning: spec.template is stored without defaults: exceeded quota: none, requested: count\/podtemplates=1/;

/** Allows no PodTemplate, and waits until that is in force. */
async function allowNone(web: Scene): Promise<void> {
  await web.kubectl('create', 'quota', 'none', '--hard=count/podtemplates=0');
  await eventually(async () => expect(await web.kubectl('get', 'quota', 'none', '-o', 'yaml')).toContain('used:'));
}

function apply(web: Scene, resource: Resource, spec: object) {
  const { kind } = resource;
  const manifest = { apiVersion: apiVersionOf(resource), kind, metadata: { name: 'web' }, spec };
  return web.tryKubectl(['apply', '-f', '-'], JSON.stringify(manifest));
}

describe('where a quota allows no PodTemplate', () => {
  it.concurrent(
    'a MyDeployment is admitted with a warning, and works',
    scene(async (web) => {
      await allowNone(web);
      const { code, stderr } = await apply(web, myDeployments, { ...minimalSpec(), replicas: 2 });
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(WARNING) });
      await web.complete();
    }),
  );

  it.concurrent(
    'a MyDeployment that our own rules refuse is still refused',
    scene(async (web) => {
      await allowNone(web);
      const strategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } };
      const { code, stderr } = await apply(web, myDeployments, { ...minimalSpec(), strategy });
      expect(code).toBe(1);
      expect(stderr).toContain('may not be 0 when `maxSurge` is 0');
    }),
  );

  it.concurrent(
    'a template that is wrong is refused as ever',
    scene(async (web) => {
      await allowNone(web);
      const spec = { containers: [{ name: 'Web!', image: 'web:v1' }] };
      const template = { ...(minimalSpec().template as object), spec };
      const { code, stderr } = await apply(web, myDeployments, { ...minimalSpec(), template });
      expect(code).toBe(1);
      expect(stderr).toContain('spec.template.spec.containers[0].name: Invalid value: "Web!"');
    }),
  );

  it.concurrent(
    'a ModelBox is admitted, and works',
    scene(async (web) => {
      await allowNone(web);
      const { code, stderr } = await apply(web, modelBoxes, {
        image: 'web:1',
        ports: [{ port: 80 }],
        minReadySeconds: 0,
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      await web.kubectl('wait', 'modelbox/web', '--for=condition=Ready', '--timeout=60s');
    }),
  );
});
