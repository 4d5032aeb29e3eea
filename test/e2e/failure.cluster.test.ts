// When the API server refuses what a MyDeployment needs: the status says why in the server's words, nothing is flooded,
// and work goes on by itself once the cause is gone. Our webhooks are switched off here, as with ENABLE_WEBHOOKS=false, so
// that templates get as far as the pods that cannot be made from them.

import { describe, expect, it } from '@jest/globals';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import type { KubeObject } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { eventually } from '../support/eventually.ts';
import { conditionOf, only, pods, type Scene, version } from './scene.ts';
import { useStage } from './stage.ts';

const { scene } = await useStage({ name: 'failure', operator: { webhooks: false } });

interface Quota extends KubeObject {
  readonly spec: { readonly hard: Readonly<Record<string, string>> };
  readonly status?: { readonly hard?: Readonly<Record<string, string>> };
}

interface LimitRange extends KubeObject {
  readonly spec: { readonly limits: readonly object[] };
}

interface WebhookConfiguration extends KubeObject {
  readonly webhooks: readonly object[];
}

const core = { group: '', version: 'v1', namespaced: true } as const;
const quotas: Resource<Quota> = { ...core, kind: 'ResourceQuota', plural: 'resourcequotas' };
const limitRanges: Resource<LimitRange> = { ...core, kind: 'LimitRange', plural: 'limitranges' };
const namespaces: Resource = { ...core, kind: 'Namespace', plural: 'namespaces', namespaced: false };
const webhooks: Resource<WebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};

const ONE_CPU = { resources: { requests: { cpu: '1' }, limits: { cpu: '1' } } };

/** Sets a quota, and waits until it is in force. */
async function limit(web: Scene, name: string, hard: Readonly<Record<string, string>>): Promise<void> {
  await web.client.create(quotas, { metadata: web.ref(name), spec: { hard } });
  await eventually(async () => {
    const { status } = await web.client.get(quotas, web.ref(name));
    expect(status?.hard).toEqual(hard);
  });
}

/** Waits until the API server heeds what was set up to refuse pods with such a container. */
async function refusesPods(web: Scene, container: object): Promise<void> {
  const spec = { containers: [{ name: 'web', image: 'web:v1', ...container }] };
  const probe = () => web.client.create(pods, { metadata: web.ref('probe'), spec }, { dryRun: true });
  await eventually(() => expect(probe()).rejects.toThrow());
}

/** Waits until the status says that pods could not be made or removed, and why; returns the words. */
async function failure(web: Scene, reason: string): Promise<string> {
  const object = await web.condition('ReplicaFailure', 'True', reason);
  return conditionOf(object, 'ReplicaFailure')?.message as string;
}

/** Waits until everything is there and no failure is reported any more. */
async function recovered(web: Scene): Promise<void> {
  await web.complete();
  await eventually(async () => expect(conditionOf(await web.get(), 'ReplicaFailure')).toBeUndefined());
}

describe('a refusal is told, and over when its cause is', () => {
  it.concurrent(
    'quota: should surface a failure condition on a common issue like exceeded quota; TestStatefulSetStatusWithPodFail',
    scene(async (web) => {
      await limit(web, 'few', { pods: '2' });
      await web.create({ replicas: 3 });
      expect(await failure(web, 'FailedCreate')).toMatch(/^pods "web-\w+-\w+" is forbidden: exceeded quota: few,/);
      await web.reach({ replicas: 2, readyReplicas: 2, unavailableReplicas: 1 });
      const told = expect.stringMatching(/^FailedCreate: Error creating pods: pods "web-.* exceeded quota: few/);
      await eventually(async () => expect(await web.events()).toContainEqual(told));
      const body = { spec: { hard: { pods: '3' } } };
      await web.client.patch(quotas, web.ref('few'), { type: 'merge', body });
      await recovered(web);
    }),
  );

  it.concurrent(
    'quota: scaling down to what is allowed is a way out too',
    scene(async (web) => {
      await limit(web, 'few', { pods: '2' });
      await web.create({ replicas: 5 });
      await failure(web, 'FailedCreate');
      await web.change({ replicas: 2 });
      await recovered(web);
    }),
  );

  it.concurrent(
    'quota of revisions: even history cannot be written',
    scene(async (web) => {
      await limit(web, 'none', { 'count/controllerrevisions.apps': '0' });
      await web.create();
      const stuck = await web.condition('Progressing', 'False', 'ReplicaSetCreateError');
      expect(conditionOf(stuck, 'Progressing')?.message).toContain('exceeded quota: none');
      expect(await web.allPods()).toEqual([]);
      await web.client.delete(quotas, web.ref('none'));
      await recovered(web);
      await web.condition('Progressing', 'True', 'NewReplicaSetAvailable');
    }),
  );

  it.concurrent(
    'Pod Security: a template that the namespace does not allow',
    scene(async (web) => {
      const label = async (level: string) =>
        web.kubectl('label', 'namespace', web.namespace, `pod-security.kubernetes.io/enforce=${level}`, '--overwrite');
      await label('restricted');
      await refusesPods(web, {});
      await web.create({ replicas: 2 });
      expect(await failure(web, 'FailedCreate')).toContain('violates PodSecurity "restricted:latest"');
      await label('privileged');
      await recovered(web);
    }),
  );

  it.concurrent(
    'LimitRange: more than a container may have; and its defaults roll nothing',
    scene(async (web) => {
      const limits = [{ type: 'Container', max: { cpu: '500m' }, default: { cpu: '100m' } }];
      await web.client.create(limitRanges, { metadata: web.ref('small'), spec: { limits } });
      await refusesPods(web, ONE_CPU);
      await web.create({
        replicas: 2,
        template: { spec: { containers: [{ name: 'web', image: 'web:v1', ...ONE_CPU }] } },
      });
      expect(await failure(web, 'FailedCreate')).toContain('maximum cpu usage per Container is 500m, but limit is 1');
      await web.change(version('v2'));
      await recovered(web);
      const [pod] = await web.active();
      expect(pod?.spec?.containers[0]?.resources?.limits).toEqual({ cpu: '100m' });
      expect(await web.revisions()).toHaveLength(2);
    }),
  );

  it.concurrent(
    'invalid template: what only the pods show when our webhooks are off',
    scene(async (web) => {
      await web.create({ replicas: 2, template: { spec: { dnsPolicy: 'Nonsense' } } });
      expect(await failure(web, 'FailedCreate')).toContain('spec.dnsPolicy: Unsupported value: "Nonsense"');
      expect(await web.allPods()).toEqual([]);
      await web.change({ template: { spec: { dnsPolicy: 'Default' } } });
      await recovered(web);
    }),
  );

  it.concurrent(
    'invalid template in a rollout: the old pods stay as many as have to be',
    scene(async (web) => {
      await web.create({ replicas: 4 });
      await web.complete();
      await web.change({ template: { spec: { dnsPolicy: 'Nonsense' } } });
      await failure(web, 'FailedCreate');
      await web.reach({ replicas: 3, availableReplicas: 3, updatedReplicas: 0 });
      await web.change({ template: { spec: { dnsPolicy: 'ClusterFirst' } } });
      await recovered(web);
    }),
  );

  it.concurrent(
    'admission webhook down: neither creating nor deleting works, and both go on when it is back',
    scene(async (web) => {
      await breakAdmission(web, 'CREATE');
      await web.create({ replicas: 2 });
      expect(await failure(web, 'FailedCreate')).toContain(`failed calling webhook "${web.namespace}.example.com"`);
      await mendAdmission(web);
      await recovered(web);
      await breakAdmission(web, 'DELETE');
      await web.change({ replicas: 1 });
      expect(await failure(web, 'FailedDelete')).toContain('failed calling webhook');
      await mendAdmission(web);
      await recovered(web);
    }),
  );
});

const PODS = { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const MY_DEPLOYMENTS = { apiGroups: ['kubebuilder.zq.com'], apiVersions: ['v1beta1'], resources: ['mydeployments'] };

/** From now on such requests in this namespace have to pass a webhook that no server answers. */
async function breakAdmission(web: Scene, operation: 'CREATE' | 'DELETE', what = PODS): Promise<void> {
  await web.client.create(webhooks, {
    metadata: { name: web.namespace },
    webhooks: [
      {
        name: `${web.namespace}.example.com`,
        clientConfig: { url: 'https://127.0.0.1:1/' },
        rules: [{ ...what, operations: [operation] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': web.namespace } },
        failurePolicy: 'Fail',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  if (operation === 'CREATE') return refusesPods(web, {});
  const probe = ['delete', `${what.resources}`, '--all', '--dry-run=server'];
  await eventually(async () => expect(await web.tryKubectl(probe)).toMatchObject({ code: 1 }));
}

async function mendAdmission(web: Scene): Promise<void> {
  await web.client.delete(webhooks, { name: web.namespace });
}

describe('a namespace on its way out', () => {
  it.concurrent(
    'refuses the pods that replace those it deletes, and nobody complains about that',
    scene(async (web) => {
      await web.create({ replicas: 3 });
      await web.complete();
      web.watch.disturb(...(await web.active()).map(({ metadata }) => metadata.name));
      // The namespace cannot get rid of the object yet, so that the operator sees pods missing that it may not create.
      await breakAdmission(web, 'DELETE', MY_DEPLOYMENTS);
      await web.client.delete(namespaces, { name: web.namespace });
      const { status, metadata } = await web.reach({ replicas: 0 });
      expect(metadata.deletionTimestamp).toBeUndefined();
      expect(status?.conditions?.map(({ type }) => type)).not.toContain('ReplicaFailure');
      await mendAdmission(web);
      const gone = () => expect(web.client.get(namespaces, { name: web.namespace })).rejects.toThrow('NotFound');
      await eventually(gone);
    }),
  );
});

describe('without our webhooks', () => {
  it.concurrent(
    'the rules of the schema still hold',
    scene(async (web) => {
      const wrong = { template: { metadata: { labels: { app: 'other' } } } };
      await expect(web.create(wrong)).rejects.toThrow('must equal with .spec.selector.matchlabels');
      const { items } = await web.client.list(myDeployments, { namespace: web.namespace });
      expect(items).toEqual([]);
    }),
  );

  it.concurrent(
    'a template without defaults rolls out, and is rolled by writing one out, once',
    scene(async (web) => {
      await web.create();
      await web.complete();
      expect(only(await web.revisions()).data).toEqual({
        spec: {
          template: {
            $patch: 'replace',
            metadata: { labels: { app: 'web' } },
            spec: { containers: [{ name: 'web', image: 'web:v1' }] },
          },
        },
      });
      await web.change({ template: { spec: { dnsPolicy: 'ClusterFirst' } } });
      await web.complete();
      expect(await web.revisions()).toHaveLength(2);
    }),
  );
});
