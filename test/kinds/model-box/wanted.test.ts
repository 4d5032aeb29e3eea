import { describe, expect, it } from '@jest/globals';
import type { ModelBoxSpec } from '../../../src/kinds/model-box/types.gen.ts';
import { wantedBy } from '../../../src/kinds/model-box/wanted.ts';
import { modelBox } from './fixture.ts';

const APPLIED = 'model.github.com/applied';

function hashes(spec: Partial<ModelBoxSpec>): (string | undefined)[] {
  const { deployment, service } = wantedBy(modelBox(spec));
  return [deployment, service].map(({ metadata }) => metadata.annotations?.[APPLIED]);
}

describe('what a ModelBox wants', () => {
  const owner = {
    apiVersion: 'model.github.com/v1',
    kind: 'ModelBox',
    name: 'web',
    uid: 'web-uid',
    controller: true,
    blockOwnerDeletion: true,
  };

  it('is a Deployment of its name, rolled out by its percentage', () => {
    const init = { name: 'init', image: 'init:1' };
    const side = { name: 'side', image: 'side:1' };
    const { deployment } = wantedBy(modelBox({ rollingUpdate: '30%', containers: [side], initContainers: [init] }));
    expect(deployment).toEqual({
      metadata: {
        name: 'web',
        namespace: 'default',
        labels: { modelbox: 'web' },
        annotations: { [APPLIED]: expect.stringMatching(/^[0-9a-f]+$/), 'model.github.com/replicas': 'decided' },
        ownerReferences: [owner],
      },
      spec: {
        replicas: 2,
        minReadySeconds: 3,
        selector: { matchLabels: { modelbox: 'web' } },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '30%', maxUnavailable: '30%' } },
        template: {
          metadata: { labels: { modelbox: 'web' } },
          spec: { containers: [expect.objectContaining({ name: 'web' }), side], initContainers: [init] },
        },
      },
    });
  });

  it('says nothing of init containers that it does not have', () => {
    expect(wantedBy(modelBox()).deployment.spec.template.spec).not.toHaveProperty('initContainers');
  });

  it('is signed alike in every version of the operator: another signature would have everything applied anew', () => {
    expect(hashes({})).toEqual(['4fffe7de', '449a2e75']);
  });

  it('says nothing of replicas when it does not decide them', () => {
    const { replicas: _, ...spec } = modelBox().spec;
    const { deployment } = wantedBy({ ...modelBox(), spec });
    expect(deployment.spec).not.toHaveProperty('replicas');
    expect(deployment.metadata.annotations).not.toHaveProperty(['model.github.com/replicas']);
    expect(deployment.spec.strategy?.rollingUpdate).toEqual({ maxSurge: '25%', maxUnavailable: '25%' });
  });

  const ports = [{ port: 80, protocol: 'TCP' as const }];
  const nodePorts = [{ port: 80, nodePort: 30010 }];

  it.each<{ spec: Partial<ModelBoxSpec>; service: object }>([
    { spec: { ports }, service: { type: 'ClusterIP', ports } },
    { spec: { ports: nodePorts }, service: { type: 'NodePort', ports: nodePorts } },
    { spec: { ports: [...ports, ...nodePorts] }, service: { type: 'NodePort', ports: [...ports, ...nodePorts] } },
    { spec: { ports, serviceType: 'NodePort' }, service: { type: 'NodePort', ports } },
    { spec: { ports, serviceType: 'Headless' }, service: { type: 'ClusterIP', clusterIP: 'None', ports } },
  ])('is a Service as $spec says', ({ spec, service }) => {
    expect(wantedBy(modelBox(spec)).service.spec).toEqual({ selector: { modelbox: 'web' }, ...service });
  });

  it.each<{ name: string; spec: Partial<ModelBoxSpec>; deployment: boolean; service: boolean }>([
    { name: 'nothing', spec: {}, deployment: false, service: false },
    { name: 'only what people call it', spec: { name: 'shop' }, deployment: false, service: false },
    { name: 'an empty list', spec: { envs: [] }, deployment: false, service: false },
    { name: 'the image', spec: { image: 'web:2' }, deployment: true, service: false },
    { name: 'the type', spec: { serviceType: 'NodePort' }, deployment: false, service: true },
    { name: 'the ports', spec: { ports: [{ port: 81 }] }, deployment: true, service: true },
  ])('is signed differently when $name changed', ({ spec, deployment, service }) => {
    const before = hashes({});
    const after = hashes(spec);
    expect([after[0] !== before[0], after[1] !== before[1]]).toEqual([deployment, service]);
  });
});
