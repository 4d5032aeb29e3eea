import { describe, expect, it } from '@jest/globals';
import type { Deployment, Service } from '../../../src/kinds/model-box/children.ts';
import { overwritingOwned } from '../../../src/kinds/model-box/overwrite-owned.ts';
import { wantedBy } from '../../../src/kinds/model-box/wanted.ts';
import { modelBox, stored } from './fixture.ts';

const init = { name: 'init', image: 'init:1' };
const wanted = wantedBy(modelBox({ initContainers: [init] }));
const atVersion7 = { op: 'replace', path: '/metadata/resourceVersion', value: '7' };

describe('when the additions of others contradict ours', () => {
  it('the ports of a Service are put back as a whole', () => {
    const live = stored<Service>({ ...wanted.service, spec: { ports: [{ port: 99 }] } });
    expect(overwritingOwned(live, wanted.service)).toEqual([
      atVersion7,
      { op: 'replace', path: '/spec/ports', value: [{ port: 80, protocol: 'TCP' }] },
    ]);
  });

  it('our containers of a Deployment are put back where they are, and those of others stay', () => {
    const live = stored<Deployment>(wanted.deployment);
    const injected = {
      ...live,
      spec: {
        ...live.spec,
        template: {
          spec: {
            containers: [{ name: 'sidecar' }, { name: 'web' }],
            initContainers: [{ name: 'init' }, { name: 'x' }],
          },
        },
      },
    };
    const [main] = wanted.deployment.spec.template.spec?.containers ?? [];
    expect(overwritingOwned(injected, wanted.deployment)).toEqual([
      atVersion7,
      { op: 'replace', path: '/spec/template/spec/containers/1', value: main },
      { op: 'replace', path: '/spec/template/spec/initContainers/0', value: init },
    ]);
  });

  it('there is nothing to put back when nothing of ours is there', () => {
    const live = stored<Deployment>({ ...wanted.deployment, spec: { ...wanted.deployment.spec, template: {} } });
    expect(overwritingOwned(live, wanted.deployment)).toEqual([]);
  });
});
