// The same manifest as a Deployment and as a MyDeployment, side by side: both are accepted or both refused for the same
// causes; where accepted, the pods are the same and so are the counts and conditions at rest. parity-manifests.ts has the
// manifests, and the list of differences with their reasons.

import { describe, expect, it } from '@jest/globals';
import type { V1Deployment } from '@kubernetes/client-node';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../src/kinds/my-deployment/types.gen.ts';
import { ApiError } from '../../src/runtime/errors.ts';
import { controllerOf, type KubeObject, type Raw } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { withoutDefaultSpread } from '../support/default-spread.ts';
import { eventually } from '../support/eventually.ts';
import { type Json, merged } from '../support/merge-patch.ts';
import { ACCEPTED, CHANGES, GOOD, REFUSED } from './parity-manifests.ts';
import { type Change, type FullPod, isActive, type Scene } from './scene.ts';
import { useStage } from './stage.ts';

const stage = await useStage({ name: 'parity' });

type Deployment = KubeObject & Pick<Raw<V1Deployment>, 'spec' | 'status'>;
type Either = KubeObject & Pick<Deployment | MyDeployment, 'spec' | 'status'>;

const deployments: Resource<Either> = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};
const ours = myDeployments as Resource<Either>;

/** Both live in one namespace with one selector: what each owns, the other leaves alone. */
function create(web: Scene, resource: Resource<Either>, change: Change): Promise<Either> {
  const name = resource === ours ? 'ours' : 'native';
  const manifest = { metadata: web.ref(name), spec: merged(GOOD, change) } as unknown as Either;
  return web.client.create(resource, manifest, { fieldValidation: 'Strict' });
}

/** `field: message` of every cause, in order. The API server's remark that it did not look further is none. */
async function refusalOf(attempt: Promise<unknown>): Promise<string[]> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected a refusal, got ${error ?? 'acceptance'}`);
  return error.causes
    .filter(({ field }) => field !== '<nil>')
    .map(({ field, message }) => `${field}: ${message}`.replaceAll('MyDeployment', 'Deployment'))
    .sort();
}

describe('both refuse', () => {
  it.concurrent(
    'another selector',
    stage.scene(async (web) => {
      const moved = {
        selector: { matchLabels: { app: 'web', tier: 'front' } },
        template: { metadata: { labels: { tier: 'front' } } },
      };
      for (const resource of [deployments, ours]) await create(web, resource, {});
      const change = (resource: Resource<Either>, name: string) =>
        refusalOf(web.client.patch(resource, web.ref(name), { type: 'merge', body: { spec: moved } }));
      expect(await change(deployments, 'native')).toEqual([
        'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"front"}}: field is immutable',
      ]);
      // The same cause; a rule of the schema shows the labels, native shows the whole selector.
      expect(await change(ours, 'ours')).toEqual([
        'spec.selector: Invalid value: {"app":"web", "tier":"front"}: field is immutable',
      ]);
    }),
  );

  it.concurrent.each(REFUSED)('$name', ({ change, differs }) =>
    stage.scene(async (web) => {
      const native = await refusalOf(create(web, deployments, change));
      const refusal = await refusalOf(create(web, ours, change));
      expect(native).not.toEqual([]);
      if (differs === undefined) expect(refusal).toEqual(native);
      else {
        expect(refusal).toEqual(differs.ours.map((text) => text.replaceAll('MyDeployment', 'Deployment')));
        expect(refusal).not.toEqual(native); // else it has no place in the list of differences
      }
    })(),
  );
});

describe('both accept', () => {
  it.concurrent.each(ACCEPTED)('$name', ({ change }) =>
    stage.scene(async (web) => {
      for (const resource of [deployments, ours]) await create(web, resource, change);
      await eventually(async () => {
        const [native, own] = [await atRest(web, deployments), await atRest(web, ours)];
        expect(own).toEqual(native);
      });
    })(),
  );

  it.concurrent.each(CHANGES)('a change: $name', ({ change, rolls }) =>
    stage.scene(async (web) => {
      const names = { native: deployments, ours };
      for (const resource of Object.values(names)) await create(web, resource, {});
      for (const resource of Object.values(names)) await eventually(() => atRest(web, resource));
      const before = await web.allPods();
      for (const [name, resource] of Object.entries(names)) {
        await web.client.patch(resource, web.ref(name), { type: 'merge', body: { spec: change } });
      }
      await eventually(async () => expect(await atRest(web, ours)).toEqual(await atRest(web, deployments)));
      const kept = (await web.allPods()).filter((pod) =>
        before.some(({ metadata }) => metadata.uid === pod.metadata.uid),
      );
      expect(kept.filter(isActive)).toHaveLength(rolls ? 0 : before.length);
    })(),
  );

  it('is not asked of too few', () => {
    expect(REFUSED.length + ACCEPTED.length).toBeGreaterThanOrEqual(30);
  });
});

/** Everything that should be the same once nothing moves any more; throws while something does. */
async function atRest(web: Scene, resource: Resource<Either>): Promise<object> {
  const object = await web.client.get(resource, web.ref(resource === ours ? 'ours' : 'native'));
  const { paused, replicas } = object.spec as { paused?: boolean; replicas: number };
  const pods = (await podsOf(web, object)).filter(isActive);
  const expected = paused ? 0 : replicas;
  expect(object.status?.observedGeneration).toBe(object.metadata.generation);
  expect(pods).toHaveLength(expected);
  expect(countsOf(object)).toMatchObject({ replicas: expected, availableReplicas: expected });
  // The stored template too: our webhook has filled in the same defaults.
  const { template, selector } = object.spec as MyDeployment['spec'];
  return {
    template: withoutNulls(template),
    counts: countsOf(object),
    conditions: conditionsOf(object),
    pods: pods.map((pod) => essence(resource === ours ? withoutDefaultSpread(pod, selector) : pod)),
  };
}

/** A native kind stores null where it has nothing to say, such as the secret that a ScaleIO volume does without. */
function withoutNulls(value: object): object {
  return JSON.parse(JSON.stringify(value, (_, member) => (member === null ? undefined : member)));
}

/** Native pods have a ReplicaSet in between. */
async function podsOf(web: Scene, { metadata }: KubeObject): Promise<readonly FullPod[]> {
  return (await web.allPods()).filter((pod) => controllerOf(pod)?.name.replace(/^(native)-.*/, '$1') === metadata.name);
}

const COUNTS = ['replicas', 'readyReplicas', 'availableReplicas', 'updatedReplicas', 'terminatingReplicas'] as const;

function countsOf({ status }: Either): object {
  return Object.fromEntries(COUNTS.map((name) => [name, status?.[name] ?? 0]));
}

/** Those that native has: Reconciling and Stalled say the same to tools that do not know the kind. */
function conditionsOf({ status }: Either): string[] {
  const native = (status?.conditions ?? []).filter(({ type }) => !['Reconciling', 'Stalled'].includes(type));
  return native.map(({ type, status: state, reason }) => `${type}=${state} ${reason}`).sort();
}

/** A pod without what must differ: its name, its hashes and owner, where it runs, and the names of generated volumes. */
function essence({ metadata, spec }: FullPod): Json {
  const { 'controller-revision-hash': _, 'pod-template-hash': hash, ...labels } = metadata.labels ?? {};
  const { nodeName: __, ...rest } = spec ?? {};
  const { annotations = {}, finalizers = [] } = metadata;
  const facts = { labels: { ...labels, hashed: hash !== undefined }, annotations, finalizers, spec: rest };
  const text = JSON.stringify(facts).replaceAll(/kube-api-access-\w+/g, 'kube-api-access');
  return JSON.parse(text.replaceAll(hash ?? '', 'hash'));
}
