// ModelBoxes on a real cluster: the operator runs as it is installed, with the rights of the shipped manifests and its
// webhooks called by the API server, while we and another client change what we like.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { SIZES } from '../../../src/kinds/model-box/sizes.ts';
import { isApiError } from '../../../src/runtime/errors.ts';
import { controllerOf } from '../../../src/runtime/object.ts';
import { useStage } from '../../e2e/stage.ts';
import { eventually } from '../../support/eventually.ts';
import { Box } from './box.ts';

const stage = await useStage({
  name: 'model-box',
  // An autoscaler looks every 15 seconds; tests would rather not wait for that.
  flags: { 'kube-controller-manager': ['--horizontal-pod-autoscaler-sync-period=1s'] },
  operator: { flags: ['--kinds=modelbox'] },
});

const template = (part: object): object => ({ spec: { template: { spec: part } } });
const container = (part: object): object => template({ containers: [part] });

describe('a ModelBox', () => {
  it.concurrent('becomes a Deployment and a Service that it owns, and says so', async () => {
    const { spec, metadata } = parse(readFileSync('samples/modelbox.yaml', 'utf8'));
    const box = await Box.create(stage, { ...spec, minReadySeconds: 0 }, metadata.name);
    const { metadata: owner, status } = await box.ready();
    const [deployment, service] = [await box.deployment(), await box.service()];
    for (const child of [deployment, service]) expect(controllerOf(child)?.uid).toBe(owner.uid);
    expect(deployment).toMatchObject({
      spec: {
        replicas: 4,
        selector: { matchLabels: { modelbox: 'modelbox-sample' } },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '30%', maxUnavailable: '30%' } },
      },
    });
    expect(deployment).toMatchObject(
      container({
        name: 'modelbox-sample',
        image: 'nginx:1.27',
        env: [{ name: 'GREETING', value: 'hello' }],
        resources: SIZES.small,
        livenessProbe: { tcpSocket: { port: 80 } },
        readinessProbe: { tcpSocket: { port: 80 } },
      }),
    );
    expect(service).toMatchObject({ spec: { type: 'NodePort', selector: { modelbox: 'modelbox-sample' } } });
    expect(status).toMatchObject({
      ready: '4/4',
      replicas: 4,
      endpoints: [{ address: `${service.spec.clusterIP}:80`, nodePort: 30010, protocol: 'TCP' }],
    });
    const { stdout } = await stage.kubectl(['-n', box.ref.namespace, 'get', 'modelbox', '-o', 'wide']);
    expect(stdout).toMatch(/NAME +READY +UP-TO-DATE +AVAILABLE +AGE +SERVICE +IMAGE +SIZE +ENDPOINT +NODE-PORT/);
    expect(stdout).toMatch(/modelbox-sample +4\/4 +4 +4 +\d+s +nginx +nginx:1.27 +small +[\d.]+:80 +30010/);
  });

  it.concurrent('follows every change of its spec', async () => {
    const box = await Box.create(stage);
    const probe = { httpGet: { path: '/healthz', port: 8080 }, timeoutSeconds: 2 };
    const changes: readonly (readonly [spec: object, becomes: { Deployment?: object; Service?: object }])[] = [
      [{ name: 'shop' }, {}],
      [{ image: 'web:2' }, { Deployment: container({ image: 'web:2' }) }],
      [{ replicas: 3 }, { Deployment: { spec: { replicas: 3 } } }],
      [{ rollingUpdate: '100%' }, { Deployment: { spec: { strategy: { rollingUpdate: { maxSurge: '100%' } } } } }],
      [{ minReadySeconds: 1 }, { Deployment: { spec: { minReadySeconds: 1 } } }],
      [{ envs: [{ name: 'A', value: '1' }] }, { Deployment: container({ env: [{ name: 'A', value: '1' }] }) }],
      [{ envs: [{ name: 'B', value: '' }] }, { Deployment: container({ env: [{ name: 'B' }] }) }],
      [{ size: 'large' }, { Deployment: container({ resources: SIZES.large }) }],
      [
        { size: 'custom', resources: { limits: { cpu: '0.5' } } },
        { Deployment: container({ resources: { limits: { cpu: '500m' } } }) },
      ],
      [{ livenessProbe: probe }, { Deployment: container({ livenessProbe: probe }) }],
      [
        { readinessProbe: { exec: { command: ['true'] } } },
        { Deployment: container({ readinessProbe: { exec: { command: ['true'] } } }) },
      ],
      [
        { initContainers: [{ name: 'init', image: 'init:1' }] },
        { Deployment: template({ initContainers: [{ name: 'init' }] }) },
      ],
      [
        { containers: [{ name: 'side', image: 'side:1' }] },
        { Deployment: template({ containers: [{ name: 'web' }, { name: 'side' }] }) },
      ],
      [{ serviceType: 'NodePort' }, { Service: { spec: { type: 'NodePort' } } }],
      [
        { ports: [{ port: 90, targetPort: 'http', appProtocol: 'http' }], containers: null, serviceType: null },
        {
          Deployment: container({ ports: [{ name: 'http', containerPort: 90 }] }),
          Service: { spec: { type: 'ClusterIP', ports: [{ port: 90, targetPort: 'http', appProtocol: 'http' }] } },
        },
      ],
    ];
    for (const [spec, { Deployment = {}, Service = {} }] of changes) {
      await box.change(spec);
      await box.deploymentBecomes(Deployment);
      await box.serviceBecomes(Service);
    }
    // What is taken back is gone again, defaults included.
    const nothing = { livenessProbe: null, readinessProbe: null, initContainers: null, envs: null, resources: null };
    await box.change({ ...nothing, size: null, defaultProbes: false });
    await box.ready();
    const { containers, initContainers } = (await box.deployment()).spec.template.spec ?? {};
    expect(initContainers).toBeUndefined();
    expect(containers).toMatchObject([{ name: 'web', resources: {} }]);
    for (const gone of ['livenessProbe', 'readinessProbe', 'env']) expect(containers?.[0]).not.toHaveProperty(gone);
  });

  it.concurrent('can be scaled like a Deployment', async () => {
    const box = await Box.create(stage);
    await box.ready();
    const { code, stderr } = await stage.kubectl(['-n', box.ref.namespace, 'scale', 'modelbox/web', '--replicas=5']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await eventually(async () => expect((await box.get()).status).toMatchObject({ ready: '5/5', replicas: 5 }));
  });
});

describe('what another client does', () => {
  const byHand = { httpGet: { path: '/', port: 81 } };

  it.concurrent.each<{ name: string; edit: object; restored: object }>([
    {
      name: 'another image',
      edit: container({ name: 'web', image: 'evil:1' }),
      restored: container({ image: 'web:1' }),
    },
    { name: 'scaled', edit: { spec: { replicas: 9 } }, restored: { spec: { replicas: 2 } } },
    {
      name: 'no labels',
      edit: { metadata: { labels: null } },
      restored: { metadata: { labels: { modelbox: 'web' } } },
    },
    {
      name: 'no owner',
      edit: { metadata: { ownerReferences: null } },
      restored: { metadata: { ownerReferences: [{ kind: 'ModelBox' }] } },
    },
    {
      name: 'a probe of another sort, which cannot be there together with ours',
      edit: container({ name: 'web', livenessProbe: { ...byHand, tcpSocket: null } }),
      restored: container({ livenessProbe: { tcpSocket: { port: 80 } } }),
    },
    {
      name: 'a variable from elsewhere, which cannot be there together with ours',
      edit: container({
        name: 'web',
        env: [{ name: 'A', value: null, valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
      }),
      restored: container({ env: [{ name: 'A', value: '1' }] }),
    },
  ])('to its Deployment is put right: $name', async ({ edit, restored }) => {
    const box = await Box.create(stage, { envs: [{ name: 'A', value: '1' }] });
    await box.ready();
    await box.edit('Deployment', { type: 'strategic', body: edit });
    await box.deploymentBecomes(restored);
    await box.ready();
  });

  it.concurrent.each<{ name: string; edit: object; restored: object }>([
    {
      name: 'another selector',
      edit: { selector: { modelbox: 'other', more: 'labels' } },
      restored: { selector: { modelbox: 'web' } },
    },
    { name: 'another type', edit: { type: 'LoadBalancer' }, restored: { type: 'ClusterIP' } },
    {
      name: 'another target',
      edit: { ports: [{ port: 80, targetPort: 99 }] },
      restored: { ports: [{ targetPort: 8080 }] },
    },
    {
      name: 'another port without a name, which cannot be there together with ours',
      edit: { ports: [{ port: 99 }] },
      restored: { ports: [{ port: 80 }] },
    },
  ])('to its Service is put right: $name', async ({ edit, restored }) => {
    const box = await Box.create(stage, { ports: [{ port: 80, targetPort: 8080 }] });
    await box.ready();
    const { clusterIP } = (await box.service()).spec;
    await box.edit('Service', { type: 'merge', body: { spec: edit } });
    await box.serviceBecomes({ spec: { ...restored, clusterIP } });
    await box.ready();
  });

  it.concurrent('is undone when it deletes something', async () => {
    const box = await Box.create(stage);
    const { status } = await box.ready();
    await Promise.all([box.remove('Deployment'), box.remove('Service')]);
    await box.deploymentBecomes({ spec: { replicas: 2 } });
    await box.serviceBecomes({ spec: { type: 'ClusterIP' } });
    expect((await box.ready()).status?.ready).toBe(status?.ready);
  });

  it.concurrent('stays when it is none of our business', async () => {
    const box = await Box.create(stage, { envs: [{ name: 'OURS', value: '1' }] });
    await box.ready();
    const sidecar = { name: 'sidecar', image: 'envoy:1' };
    const foreign = { containers: [{ name: 'web', env: [{ name: 'THEIRS', value: '2' }] }, sidecar] };
    await box.edit('Deployment', {
      type: 'strategic',
      body: { ...template(foreign), metadata: { labels: { team: 'blue' } } },
    });
    await box.edit('Service', { type: 'merge', body: { spec: { sessionAffinity: 'ClientIP' } } });
    // Our own next changes go around it, also one that takes something of ours away.
    await box.change({ image: 'web:2', envs: null });
    await box.deploymentBecomes({ metadata: { labels: { modelbox: 'web', team: 'blue' } } });
    await eventually(async () => {
      const containers = (await box.deployment()).spec.template.spec?.containers;
      expect(containers).toContainEqual(expect.objectContaining(sidecar));
      expect(containers).toContainEqual(
        expect.objectContaining({ name: 'web', image: 'web:2', env: [{ name: 'THEIRS', value: '2' }] }),
      );
    });
    expect(await box.service()).toMatchObject({ spec: { sessionAffinity: 'ClientIP', selector: { modelbox: 'web' } } });
  });

  it.concurrent('may be to decide the number of pods, as an autoscaler does, which never falls on the way', async () => {
    const box = await Box.create(stage, { replicas: 4 });
    await box.ready();
    await box.change({ replicas: null });
    await eventually(async () => {
      const { annotations } = (await box.deployment()).metadata;
      expect(annotations).not.toHaveProperty(['model.github.com/replicas']);
    });
    expect((await box.deployment()).spec.replicas).toBe(4);
    const autoscale = ['autoscale', 'deployment', 'web', '--min=6', '--max=8'];
    expect(await stage.kubectl(['-n', box.ref.namespace, ...autoscale])).toMatchObject({ code: 0 });
    await box.deploymentBecomes({ spec: { replicas: 6 } });
    await box.change({ image: 'web:2' });
    await box.deploymentBecomes(container({ image: 'web:2' }));
    await box.ready();
    expect((await box.deployment()).spec.replicas).toBe(6);
    expect((await box.get()).status?.ready).toBe('6/6');
    await stage.kubectl(['-n', box.ref.namespace, 'delete', 'hpa', 'web']);
    await box.change({ replicas: 1 });
    await box.deploymentBecomes({ spec: { replicas: 1 } });
  });
});

describe('its Service', () => {
  it.concurrent('keeps its address and its node ports through changes of type and ports', async () => {
    const ports = [
      { name: 'http', port: 80 },
      { name: 'metrics', port: 90 },
    ];
    const box = await Box.create(stage, { ports });
    await box.ready();
    const { clusterIP } = (await box.service()).spec;
    await box.change({ serviceType: 'NodePort' });
    await box.serviceBecomes({ spec: { type: 'NodePort', clusterIP } });
    const [http, metrics] = ((await box.service()).spec.ports ?? []).map(({ nodePort }) => nodePort);
    await box.change({ ports: [{ name: 'http', port: 8080 }, ports[1], { name: 'more', port: 91 }] });
    await box.serviceBecomes({
      spec: { clusterIP, ports: [{ port: 8080, nodePort: http }, { port: 90, nodePort: metrics }, { port: 91 }] },
    });
    await box.change({ serviceType: 'ClusterIP', ports });
    await box.serviceBecomes({ spec: { type: 'ClusterIP', clusterIP, ports: [{ port: 80 }, { port: 90 }] } });
    for (const port of (await box.service()).spec.ports ?? []) expect(port).not.toHaveProperty('nodePort');
  });

  it.concurrent('is made anew to become headless, and back', async () => {
    const box = await Box.create(stage, { ports: [{ port: 80, nodePort: 30_020 }] });
    await box.ready();
    const before = (await box.service()).metadata.uid;
    await box.change({ serviceType: 'Headless', ports: [{ port: 80 }] });
    await box.serviceBecomes({ spec: { type: 'ClusterIP', clusterIP: 'None' } });
    expect((await box.service()).metadata.uid).not.toBe(before);
    expect((await box.ready()).status?.endpoints).toEqual([
      { address: `web.${box.ref.namespace}.svc:80`, protocol: 'TCP' },
    ]);
    await box.change({ serviceType: 'NodePort', ports: [{ port: 80, nodePort: 30_020 }] });
    await box.serviceBecomes({ spec: { type: 'NodePort', ports: [{ nodePort: 30_020 }] } });
    await box.ready();
  });
});

describe('when it is deleted', () => {
  const isGone = (reading: Promise<unknown>): Promise<boolean> =>
    reading.then(
      () => false,
      (error: unknown) => isApiError(error, 'NotFound'),
    );

  it.concurrent.each(['Background', 'Foreground'] as const)('everything goes with it: %s', async (policy) => {
    const box = await Box.create(stage);
    await box.ready();
    await box.delete(policy);
    await eventually(async () => {
      const gone = [isGone(box.get()), isGone(box.deployment()), isGone(box.service())];
      expect(await Promise.all(gone)).toEqual([true, true, true]);
    });
  });

  it.concurrent('or is left behind, and taken back by the next of its name', async () => {
    const box = await Box.create(stage);
    await box.ready();
    const before = (await box.deployment()).metadata.uid;
    await box.delete('Orphan');
    await eventually(async () => expect(await isGone(box.get())).toBe(true));
    expect((await box.deployment()).metadata.ownerReferences).toBeUndefined();
    expect((await box.service()).metadata.ownerReferences).toBeUndefined();
    const { metadata } = await box.make({ replicas: 3 });
    await box.ready();
    const deployment = await box.deployment();
    expect(deployment.metadata.uid).toBe(before);
    expect(controllerOf(deployment)?.uid).toBe(metadata.uid);
    expect(deployment.spec.replicas).toBe(3);
  });
});

describe('what is not its own', () => {
  it.concurrent('is left alone, and named as the obstacle until it is gone', async () => {
    const namespace = await stage.namespace();
    const run = (...args: string[]) => stage.kubectl(['-n', namespace, ...args]);
    await run('create', 'deployment', 'web', '--image=theirs:1');
    const box = new Box(stage.client, { namespace, name: 'web' });
    await box.make();
    await eventually(async () => {
      const condition = (await box.get()).status?.conditions?.find(({ type }) => type === 'Ready');
      expect(condition).toMatchObject({ reason: 'NameTaken', message: expect.stringContaining('Deployment "web"') });
    });
    expect(await box.deployment()).toMatchObject(container({ image: 'theirs:1' }));
    await run('delete', 'deployment', 'web');
    await box.ready();
    expect(await box.deployment()).toMatchObject(container({ image: 'web:1' }));
  });

  it.concurrent('a node port that is taken is told, and got as soon as it is free', async () => {
    const first = await Box.create(stage, { ports: [{ port: 80, nodePort: 30_030 }] });
    await first.ready();
    const second = await Box.create(stage, { ports: [{ port: 80, nodePort: 30_030 }] });
    await eventually(async () => {
      const condition = (await second.get()).status?.conditions?.find(({ type }) => type === 'Ready');
      expect(condition).toMatchObject({ reason: 'ApplyFailed', message: expect.stringContaining('already allocated') });
    });
    await second.deploymentBecomes(container({ image: 'web:1' })); // one failure does not hold up the other
    await first.change({ ports: [{ port: 80, nodePort: 30_031 }] });
    await second.ready();
  });
});

describe('a bad ModelBox is refused with the field named', () => {
  it.concurrent.each<{ name: string; spec: object; says: string }>([
    { name: 'a variable', spec: { envs: [{ name: 'A=B' }] }, says: 'spec.envs[0].name: Invalid value: "A=B"' },
    {
      name: 'resources',
      spec: { resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } },
      says: 'spec.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    },
    { name: 'a probe', spec: { livenessProbe: { periodSeconds: 5 } }, says: 'spec.livenessProbe: Required value' },
    {
      name: 'a container',
      spec: {
        containers: [
          { name: 'ok', image: 'x:1' },
          { name: 'No!', image: 'x:1' },
        ],
      },
      says: 'spec.containers[1].name: Invalid value: "No!"',
    },
    {
      name: 'its own name',
      spec: { containers: [{ name: 'web', image: 'x:1' }] },
      says: 'spec.containers[0].name: Duplicate value',
    },
    {
      name: 'an init container',
      spec: { initContainers: [{ name: 'init' }] },
      says: 'spec.initContainers[0].image: Required value',
    },
    { name: 'a rolling update', spec: { rollingUpdate: '0%' }, says: 'spec.rollingUpdate: Invalid value' },
  ])('$name: $says', async ({ spec, says }) => {
    await expect(Box.create(stage, spec)).rejects.toThrow(says);
  });

  it.concurrent('a name that no Service can bear', async () => {
    await expect(Box.create(stage, {}, 'web.example')).rejects.toThrow('metadata.name: Invalid value: "web.example"');
  });

  it.concurrent('also when it was good before', async () => {
    const box = await Box.create(stage);
    await expect(box.change({ envs: [{ name: '' }] })).rejects.toThrow('spec.envs[0].name: Required value');
  });
});

describe('when the operator is killed in the middle of its work', () => {
  it('the next one finishes it', async () => {
    const boxes = await Promise.all(Array.from({ length: 10 }, () => Box.create(stage, { replicas: 1 })));
    await stage.operator.process.kill();
    const [first, second] = boxes as [Box, Box];
    await first.remove('Service').catch(() => undefined); // it may not be there yet
    await second.delete('Background');
    await stage.startOperator();
    await Promise.all(boxes.filter((box) => box !== second).map((box) => box.ready()));
  });
});
