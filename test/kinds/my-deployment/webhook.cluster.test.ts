// How often a real API server is asked about a template while it admits a MyDeployment: once, however much the template
// says, because the validator recognises what the defaulter was given back. Pods are created by nobody here.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defaulter, validator } from '../../../src/kinds/my-deployment/admission/webhook.ts';
import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../../src/kinds/my-deployment/types.gen.ts';
import { type InjectionTarget, resourceOf } from '../../../src/runtime/certificates/injection.ts';
import type { Client } from '../../../src/runtime/client/client.ts';
import { isApiError } from '../../../src/runtime/errors.ts';
import { WebhookServer } from '../../../src/runtime/webhook/server.ts';
import { TemplateJudge } from '../../../src/workload/template-judge.ts';
import { ACCEPTED, GOOD } from '../../e2e/parity-manifests.ts';
import { localhostCertificate } from '../../support/certificates.ts';
import { useSharedCluster } from '../../support/cluster.ts';
import { installCrds } from '../../support/crds.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { type Json, merged } from '../../support/merge-patch.ts';

const { ca, serving } = await localhostCertificate();
const cluster = await useSharedCluster();
const { client } = cluster;
const namespace = await cluster.namespace();

let dryRuns = 0;
const counting = {
  create: (...args: Parameters<Client['create']>) => {
    dryRuns++;
    return client.create(...args);
  },
} as Client;
// Its clock stands still, so that a slow machine makes it forget nothing.
const judge = new TemplateJudge(counting, new FakeClock());

const MUTATE_PATH = '/mutate';
const VALIDATE_PATH = '/validate';

const server = new WebhookServer({
  address: { host: '127.0.0.1', port: 0 },
  certificates: {
    subscribe: (listener) => {
      listener(serving);
      return () => undefined;
    },
  },
})
  .defaulter(MUTATE_PATH, defaulter(judge))
  .validator(VALIDATE_PATH, validator(judge));

const MUTATING: InjectionTarget = { kind: 'MutatingWebhookConfiguration', name: namespace };
const VALIDATING: InjectionTarget = { kind: 'ValidatingWebhookConfiguration', name: namespace };
const stop = new AbortController();
const running = server.start(stop.signal);

/** Calls us for MyDeployments of this namespace only: other tests share the cluster. */
async function install(target: InjectionTarget, path: string): Promise<void> {
  const url = `https://127.0.0.1:${await server.ready()}${path}`;
  const { group, version, plural } = myDeployments;
  const webhook = {
    name: `${namespace}.example.com`,
    clientConfig: { url, caBundle: Buffer.from(ca).toString('base64') },
    rules: [{ apiGroups: [group], apiVersions: [version], resources: [plural], operations: ['CREATE', 'UPDATE'] }],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  await client.create(resourceOf(target), { metadata: { name: target.name }, webhooks: [webhook] } as never);
}

/** How many dry runs it takes to admit this. */
async function cost(admit: () => Promise<unknown>): Promise<number> {
  dryRuns = 0;
  await admit();
  return dryRuns;
}

function create(name: string, change: Json, dryRun = false): Promise<MyDeployment> {
  const manifest = { metadata: { namespace, name }, spec: merged(GOOD, change) } as unknown as MyDeployment;
  return client.create(myDeployments, manifest, { dryRun });
}

const patch = (body: object) => client.patch(myDeployments, { namespace, name: 'web' }, { type: 'merge', body });
const image = (name: string) => ({ spec: { template: { spec: { containers: [{ name: 'web', image: name }] } } } });

describe('an API server with our webhooks', () => {
  beforeAll(async () => {
    await installCrds(cluster);
    await Promise.all([install(MUTATING, MUTATE_PATH), install(VALIDATING, VALIDATE_PATH)]);
    // The validator shows that it is called by what only it refuses; the defaulter by what it fills in.
    await eventually(async () => {
      const wrong = create('probe', { template: { spec: { dnsPolicy: 'Nowhere' } } }, true);
      expect(isApiError(await wrong.catch((error: unknown) => error), 'Invalid')).toBe(true);
      expect((await create('probe', {}, true)).spec.template.spec.dnsPolicy).toBe('ClusterFirst');
    });
    await create('web', {});
  });

  afterAll(async () => {
    await Promise.all([MUTATING, VALIDATING].map((target) => client.delete(resourceOf(target), target)));
    stop.abort();
    await running;
  });

  it.each(ACCEPTED.map((manifest, index) => ({ ...manifest, index })))(
    'asks once about $name',
    async ({ change, index }) => {
      // Another label each, so that no template was seen before.
      const labels = { template: { metadata: { labels: { number: `${index}` } } } };
      expect(await cost(() => create(`sample-${index}`, merged(change, labels)))).toBe(1);
    },
  );

  it('asks once about another image', async () => {
    expect(await cost(() => patch(image('web:v2')))).toBe(1);
  });

  it.each<{ name: string; change: object }>([
    { name: 'another number of pods', change: { spec: { replicas: 7 } } },
    { name: 'a pause', change: { spec: { paused: true } } },
    { name: 'another pace', change: { spec: { strategy: { rollingUpdate: { maxSurge: 1 } } } } },
    { name: 'a label of the object', change: { metadata: { labels: { team: 'a' } } } },
  ])('does not ask about $name', async ({ change }) => {
    expect(await cost(() => patch(change))).toBe(0);
  });
});
