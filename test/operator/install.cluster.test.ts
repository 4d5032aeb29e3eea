// Installs the operator the way people do, on a cluster of its own. No operator process runs here: what is looked at is
// what the API server makes of the manifests.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { App } from 'cdk8s';
import { OperatorChart } from '../../src/operator/chart.ts';
import type { OperatorProps } from '../../src/operator/props.ts';
import type { KubectlResult } from '../../src/testing/index.ts';
import { useOwnCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';

const cluster = await useOwnCluster({ name: 'operator-install' });

const INSTALL = ['apply', '-f', 'crds', '-f', 'manifests', '--validate=strict'];
const NAMESPACE = 'mydeployment-system';
const OPERATOR = `system:serviceaccount:${NAMESPACE}:mydeployment-controller-manager`;

/** What kubectl says; anything on standard error, a warning too, fails the test. */
async function kubectl(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cluster.kubectl(args);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
  return stdout;
}

async function create(object: object): Promise<KubectlResult> {
  return cluster.kubectl(['create', '-f', '-'], { input: JSON.stringify(object) });
}

async function mayI(as: string, ...request: readonly string[]): Promise<string> {
  const { stdout } = await cluster.kubectl(['auth', 'can-i', '--as', as, ...request]);
  return stdout.trim();
}

function myDeployment(name: string): object {
  return {
    apiVersion: 'kubebuilder.zq.com/v1beta1',
    kind: 'MyDeployment',
    metadata: { name, namespace: 'default', finalizers: ['example.com/kept'] },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
    },
  };
}

describe('the manifests', () => {
  beforeAll(async () => {
    await kubectl('apply', '-f', 'crds');
    for (const name of ['before', 'leaving']) {
      await eventually(async () => expect(await create(myDeployment(name))).toMatchObject({ code: 0 }));
    }
  });

  it('apply without a warning, and again without a change', async () => {
    expect(await kubectl(...INSTALL)).toContain('deployment.apps/mydeployment-controller-manager created');
    const again = (await kubectl(...INSTALL)).trim().split('\n');
    expect(again.length).toBeGreaterThan(20);
    // kubectl sends a budget's selector anew each time, and calls that a change; there is none.
    expect(again.filter((line) => !line.endsWith(' unchanged'))).toEqual([
      'poddisruptionbudget.policy/mydeployment-controller-manager configured',
    ]);
  });

  it('run two pods that Pod Security admits as restricted, on two nodes', async () => {
    const pods = await eventually(async () => {
      const { items } = JSON.parse(await kubectl('get', 'pods', '-n', NAMESPACE, '-o', 'json'));
      const ready = (items as Pod[]).filter(({ status }) => status.conditions?.some(isReady));
      expect(ready).toHaveLength(2);
      return ready;
    });
    expect(new Set(pods.map(({ spec }) => spec.nodeName)).size).toBe(2);
    const privileged = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'privileged', namespace: NAMESPACE },
      spec: { containers: [{ name: 'it', image: 'busybox', securityContext: { privileged: true } }] },
    };
    expect(await create(privileged)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('PodSecurity "restricted'),
    });
  });

  it.each([
    { request: ['create', 'pods', '-n', 'default'], answer: 'yes' },
    { request: ['patch', 'mydeployments/status', '-n', 'default'], answer: 'yes' },
    { request: ['get', 'secret/mydeployment-webhook-certificates', '-n', NAMESPACE], answer: 'yes' },
    { request: ['get', 'secret/another', '-n', NAMESPACE], answer: 'no' },
    { request: ['get', 'secret/mydeployment-webhook-certificates', '-n', 'default'], answer: 'no' },
    { request: ['update', 'lease/mydeployment-controller-manager', '-n', NAMESPACE], answer: 'yes' },
    { request: ['update', 'lease/another', '-n', NAMESPACE], answer: 'no' },
    {
      request: ['patch', 'mutatingwebhookconfiguration/mydeployment-mutating-webhook-configuration'],
      answer: 'yes',
    },
    { request: ['patch', 'mutatingwebhookconfiguration/another'], answer: 'no' },
    { request: ['delete', 'mydeployments', '-n', 'default'], answer: 'no' },
    { request: ['create', 'statefulsets', '-n', 'default'], answer: 'no' },
  ])('answer $answer when the operator asks whether it may $request', async ({ request, answer }) => {
    expect(await mayI(OPERATOR, ...request)).toBe(answer);
  });

  it('let people with the roles view and edit do with MyDeployments what they may do with Deployments', async () => {
    for (const [user, role] of Object.entries({ viewer: 'view', editor: 'edit' })) {
      await kubectl('create', 'rolebinding', user, '-n', 'default', `--clusterrole=${role}`, `--user=${user}`);
    }
    await eventually(async () => expect(await mayI('viewer', 'list', 'mydeployments', '-n', 'default')).toBe('yes'));
    await eventually(async () =>
      expect(await mayI('editor', 'update', 'mydeployments/scale', '-n', 'default')).toBe('yes'),
    );
    expect(await mayI('viewer', 'update', 'mydeployments', '-n', 'default')).toBe('no');
  });

  it('admit nothing while no operator answers, but let what is being deleted go', async () => {
    await leadWebhooksNowhere();
    await eventually(async () => {
      const refused = await create(myDeployment('after'));
      expect(refused.stderr).toContain('failed calling webhook "mutate.mydeployments.kubebuilder.zq.com"');
    });
    await kubectl('delete', 'md', 'leaving', '-n', 'default', '--wait=false');
    await kubectl('patch', 'md', 'leaving', '-n', 'default', '--type=merge', '-p', '{"metadata":{"finalizers":null}}');
    expect(await kubectl('get', 'md', '-n', 'default', '-o', 'name')).toBe('mydeployment.kubebuilder.zq.com/before\n');
  });

  it('leave nothing behind when they are deleted, except people’s objects', async () => {
    await kubectl('delete', '-f', 'manifests');
    expect(await kubectl('get', '-f', 'manifests', '--ignore-not-found', '-o', 'name')).toBe('');
    expect(await kubectl('get', 'md', '-n', 'default', '-o', 'name')).toBe('mydeployment.kubebuilder.zq.com/before\n');
  });

  it('come in one file, too', async () => {
    const applied = await cluster.kubectl(['apply', '--validate=strict', '-f', '-'], {
      input: oneFile({ includeCrds: true }),
    });
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    await kubectl('wait', '--for=condition=Available', '--timeout=60s', '-n', NAMESPACE, 'deployment', '--all');
  });

  it.each([
    { props: { webhooks: false } },
    { props: { namespaces: ['default', 'kube-public'] } },
    { props: { replicas: 1, priorityClass: 'system-node-critical' } },
  ])('are valid with $props', async ({ props }) => {
    const input = oneFile(props);
    const applied = await cluster.kubectl(['apply', '--validate=strict', '--dry-run=server', '-f', '-'], { input });
    expect(applied).toMatchObject({ code: 0, stderr: '' });
  });
});

/** There is no kube-proxy: the API server would look for the Service outside of this machine. */
async function leadWebhooksNowhere(): Promise<void> {
  const spec = { type: 'ExternalName', externalName: 'localhost', clusterIP: null, clusterIPs: null, selector: null };
  const service = ['service', 'mydeployment-webhook-service', '-n', NAMESPACE];
  await kubectl('patch', ...service, '--type=merge', '-p', JSON.stringify({ spec }));
  const port = [{ op: 'replace', path: '/webhooks/0/clientConfig/service/port', value: 1 }];
  for (const kind of ['mutating', 'validating']) {
    const configuration = [`${kind}webhookconfiguration`, `mydeployment-${kind}-webhook-configuration`];
    await kubectl('patch', ...configuration, '--type=json', '-p', JSON.stringify(port));
  }
}

function oneFile(props: Partial<OperatorProps>): string {
  const app = new App();
  new OperatorChart(app, 'operator', { image: 'operator:test', ...props });
  return app.synthYaml();
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

interface Pod {
  readonly spec: { readonly nodeName?: string };
  readonly status: { readonly conditions?: readonly Condition[] };
}

function isReady({ type, status }: Condition): boolean {
  return type === 'Ready' && status === 'True';
}
