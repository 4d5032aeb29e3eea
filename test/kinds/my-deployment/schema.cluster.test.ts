// The CRD on a real API server, used as people use it: applied, explained, listed, scaled, applied over and over by
// kubectl and server-side. And the promise behind it: no field of a Deployment is lost on the way.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { APPS_V1, type OpenApiDocument, structuralSchema } from '../../../src/generate/openapi.ts';
import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import { myDeployment } from '../../../src/kinds/my-deployment/schema.ts';
import type { MyDeployment } from '../../../src/kinds/my-deployment/types.gen.ts';
import type { Manifest } from '../../../src/runtime/object.ts';
import { useSharedCluster } from '../../support/cluster.ts';
import { installCrds } from '../../support/crds.ts';
import { eventually } from '../../support/eventually.ts';
import { everyField, nodesOf, OMIT } from '../../support/schema-paths.ts';

const cluster = await useSharedCluster();
let namespace: string;

beforeAll(async () => {
  await installCrds(cluster);
  namespace = await cluster.namespace();
  await eventually(async () => expect((await kubectl('get', 'md')).code).toBe(0));
});

function kubectl(...args: readonly string[]): ReturnType<typeof cluster.kubectl> {
  return cluster.kubectl(['-n', namespace, ...args]);
}

const containers = [
  { name: 'web', image: 'nginx:1.27' },
  { name: 'sidecar', image: 'envoy:1.31' },
];

function manifest(name: string, more: object = {}): Manifest<MyDeployment> {
  return {
    apiVersion: 'kubebuilder.zq.com/v1beta1',
    kind: 'MyDeployment',
    metadata: { namespace, name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers } },
      ...more,
    },
  };
}

const create = (name: string, more?: object): Promise<MyDeployment> =>
  cluster.client.create(myDeployments, manifest(name, more));

describe('kubectl', () => {
  it('applies crds/ client-side, without a warning, and finds nothing to change the second time', async () => {
    const again = await installCrds(cluster);
    expect(again.stderr).toBe('');
    expect(again.stdout).toContain('mydeployments.kubebuilder.zq.com unchanged');
  });

  it.each([
    { field: 'md', text: 'A Deployment that owns its pods' },
    { field: 'md.spec.strategy.rollingUpdate', text: 'a percentage of replicas rounded down' },
    { field: 'md.spec.template.metadata', text: 'Labels of every pod. They must satisfy the selector.' },
    { field: 'md.spec.template.spec.containers.ports', text: 'containerPort\t<integer> -required-' },
    { field: 'md.status', text: 'How many pods have been ready for minReadySeconds.' },
  ])('explains $field', async ({ field, text }) => {
    const { stdout } = await eventually(async () => {
      const explained = await kubectl('explain', field);
      expect(explained).toMatchObject({ code: 0, stderr: '' });
      return explained;
    });
    expect(stdout.replaceAll(/\n\s+/g, ' ')).toContain(text);
  });

  it('lists what is there before the operator has looked, and everything with -o wide', async () => {
    await create('fresh', { replicas: 3 });
    const [header, row] = (await kubectl('get', 'md', 'fresh')).stdout
      .split('\n')
      .map((line) => line.trim().split(/\s+/));
    expect(header).toEqual(['NAME', 'AVAILABLE', 'EXPECTED', 'AGE']);
    expect(row?.slice(0, 3)).toEqual(['fresh', '0', '3']);
    const status = {
      replicas: 3,
      readyReplicas: 2,
      updatedReplicas: 1,
      unavailableReplicas: 1,
      updateRevision: 'fresh-5d4f',
      selector: 'app=fresh',
    };
    await cluster.client.patch(
      myDeployments,
      { namespace, name: 'fresh' },
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    );
    const wide = (await kubectl('get', 'md', 'fresh', '-o', 'wide')).stdout
      .split('\n')
      .map((line) => line.trim().split(/\s+/));
    expect(wide[0]).toEqual([
      'NAME',
      'AVAILABLE',
      'EXPECTED',
      'AGE',
      'UPDATED',
      'UNAVAILABLE',
      'REVISION',
      'IMAGE',
      'SELECTOR',
    ]);
    expect(wide[1]?.toSpliced(3, 1)).toEqual(['fresh', '2', '3', '1', '1', 'fresh-5d4f', 'nginx:1.27', 'app=fresh']);
    expect((await kubectl('get', 'all')).stdout).toContain('mydeployment.kubebuilder.zq.com/fresh');
  });

  it('scales it, and finds the selector that an autoscaler asks for', async () => {
    await create('scaled');
    const ref = { namespace, name: 'scaled' };
    const status = { replicas: 2, selector: 'app=scaled' };
    await cluster.client.patch(myDeployments, ref, { type: 'merge', body: { status } }, { subresource: 'status' });
    expect(await kubectl('scale', 'md', 'scaled', '--replicas=5')).toMatchObject({ code: 0, stderr: '' });
    expect((await cluster.client.get(myDeployments, ref)).spec.replicas).toBe(5);
    expect(await cluster.client.get(myDeployments, ref, { subresource: 'scale' })).toMatchObject({
      kind: 'Scale',
      spec: { replicas: 5 },
      status: { replicas: 2, selector: 'app=scaled' },
    });
  });
});

describe('the API server', () => {
  it('fills in the defaults of a Deployment that do not depend on one another', async () => {
    const { spec, status } = await create('defaults');
    expect(spec).toEqual({
      ...manifest('defaults').spec,
      replicas: 1,
      strategy: { type: 'RollingUpdate' },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    });
    expect(status).toEqual({ observedGeneration: -1, replicas: 0, readyReplicas: 0 });
  });

  // A Deployment stores its default rollingUpdate, and then refuses the change from nothing when applied server-side.
  const rolling = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } };
  it.each([
    { side: 'client', start: 'nothing', from: undefined },
    { side: 'client', start: 'numbers', from: rolling },
    { side: 'server', start: 'nothing', from: undefined },
    { side: 'server', start: 'numbers', from: rolling },
  ])('lets the strategy become Recreate and go back, applied $side-side from $start', async ({ side, start, from }) => {
    const name = `${side}-${start}`;
    for (const strategy of [from, { type: 'Recreate' }, rolling, { type: 'Recreate' }, undefined]) {
      const input = JSON.stringify(manifest(name, strategy && { strategy }));
      const { stderr } = await cluster.kubectl(['apply', `--server-side=${side === 'server'}`, '-f', '-'], { input });
      expect({ strategy, stderr }).toEqual({ strategy, stderr: '' });
    }
  });

  it('merges what several appliers say about one container, as in a Deployment', async () => {
    const say = (fieldManager: string, port: number, variable: string): Promise<unknown> => {
      const container = { name: 'web', ports: [{ containerPort: port }], env: [{ name: variable, value: 'x' }] };
      const { selector } = manifest('merged').spec;
      const body = { ...manifest('merged'), spec: { selector, template: { spec: { containers: [container] } } } };
      return cluster.client.patch(myDeployments, { namespace, name: 'merged' }, { type: 'apply', body, fieldManager });
    };
    await create('merged');
    await say('one', 80, 'A');
    await say('two', 81, 'B');
    const { spec } = await cluster.client.get(myDeployments, { namespace, name: 'merged' });
    expect(spec.template.spec.containers).toEqual([
      {
        name: 'web',
        image: 'nginx:1.27',
        ports: [
          { containerPort: 80, protocol: 'TCP' },
          { containerPort: 81, protocol: 'TCP' },
        ],
        env: [
          { name: 'A', value: 'x' },
          { name: 'B', value: 'x' },
        ],
      },
      containers[1],
    ]);
  });
});

describe('no field of a Deployment is lost', () => {
  const native = async (): Promise<ReturnType<typeof structuralSchema>> => {
    const { body } = await cluster.client.raw('GET', APPS_V1);
    return structuralSchema(JSON.parse(body) as OpenApiDocument, 'io.k8s.api.apps.v1.DeploymentSpec');
  };

  it('by the schema, compared with what this API server says a Deployment has', async () => {
    const ours = new Set([...nodesOf(myDeployment.spec)].map(([path]) => path));
    const missing = [...nodesOf(await native())].map(([path]) => path).filter((path) => !ours.has(path));
    expect(missing).toEqual([]);
  });

  it('by storing it: an object that uses every one of them comes back as it was sent', async () => {
    const values: Readonly<Record<string, unknown>> = {
      'selector.matchLabels': { key: 'text' },
      'selector.matchExpressions[].key': 'key',
      'selector.matchExpressions[].operator': 'In',
      'strategy.type': 'RollingUpdate',
      'strategy.rollingUpdate.maxSurge': '25%',
      'strategy.rollingUpdate.maxUnavailable': 1,
      progressDeadlineSeconds: 600,
      'template.spec.restartPolicy': 'Always',
      // The one field that neither kind accepts.
      'template.spec.activeDeadlineSeconds': OMIT,
    };
    const spec = everyField(await native(), (path) => values[path]);
    const object = { ...manifest('every-field'), spec } as Manifest<MyDeployment>;
    await cluster.client.create(myDeployments, object, { fieldValidation: 'Strict' });
    const stored = await cluster.client.get(myDeployments, { namespace, name: 'every-field' });
    expect(stored.spec).toEqual(spec);
  });
});
