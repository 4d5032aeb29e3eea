// Another client writes between a plan and its writes. The cache has shown the plan an older state, and the API server
// decides: an object that another client has made under the ModelBox's name in the meantime stays exactly as it is.

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Deployment, Service } from '../../../src/kinds/model-box/children.ts';
import { plan } from '../../../src/kinds/model-box/plan.ts';
import { execute, type WriteResult } from '../../../src/kinds/model-box/writes.ts';
import type { KubeObject, Manifest } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { useSharedCluster } from '../../support/cluster.ts';
import { installCrds } from '../../support/crds.ts';
import { eventually } from '../../support/eventually.ts';
import { Box, CHILDREN, type ChildKind } from './box.ts';

const cluster = await useSharedCluster();
beforeAll(() => installCrds(cluster));

const KINDS: readonly ChildKind[] = ['Deployment', 'Service'];

/** Made by another client. Whatever a ModelBox wants can be merged into it. */
function foreign(kind: ChildKind, metadata: Box['ref']): object {
  const labels = { modelbox: metadata.name };
  const containers = [{ name: 'theirs', image: 'theirs:1' }];
  const template = { metadata: { labels }, spec: { containers } };
  const deployment = { selector: { matchLabels: labels }, replicas: 0, template };
  const service = { selector: { app: 'theirs' }, ports: [{ port: 80, targetPort: 99 }] };
  return { metadata, spec: kind === 'Deployment' ? deployment : service };
}

interface Children {
  readonly deployment: Deployment;
  readonly service: Service;
}

/** What only the writers of an object decide; the controllers of Kubernetes change its status and their annotations. */
function decided(object: KubeObject): object {
  const { uid, generation, labels, annotations = {}, ownerReferences } = object.metadata;
  const { spec } = object as KubeObject & { readonly spec: object };
  const told = Object.keys(annotations).filter((key) => !key.startsWith('deployment.kubernetes.io/'));
  return { uid, generation, labels, told, ownerReferences, spec };
}

class Race extends Box {
  static async begin(): Promise<Race> {
    const race = new Race(cluster.client, { namespace: await cluster.namespace(), name: 'web' });
    await race.make({ replicas: 0 });
    return race;
  }

  child(kind: ChildKind): Promise<KubeObject> {
    return this.client.get(CHILDREN[kind] as Resource, this.ref);
  }

  createForeign(kind: ChildKind): Promise<KubeObject> {
    return this.client.create(CHILDREN[kind] as Resource, foreign(kind, this.ref) as Manifest<KubeObject>);
  }

  /** Has both children created as the operator does. */
  async settle(): Promise<Children> {
    await this.write({});
    return this.children();
  }

  async children(): Promise<Children> {
    return { deployment: await this.deployment(), service: await this.service() };
  }

  /** Plans about the children that the cache shows, and carries that out on what there really is. */
  async write(shown: Partial<Children>, spec: object = {}): Promise<readonly WriteResult[]> {
    const found = await this.get();
    const object = { ...found, spec: { ...found.spec, ...spec } };
    const deployment = { live: shown.deployment, answer: undefined };
    const { actions } = plan({ object, deployment, service: { live: shown.service, answer: undefined } }, Date.now());
    const context = { object, client: this.client, signal: new AbortController().signal };
    return Promise.all(actions.map((action) => execute(context, action)));
  }
}

const cameTo = (outcomes: readonly WriteResult[], kind: ChildKind): string | undefined =>
  outcomes.find(({ action }) => action.kind === kind)?.came;

describe.each(KINDS)('a %s that another client makes under the name of a ModelBox', (kind) => {
  it.concurrent('stays as it is when the plan saw nothing there', async () => {
    const race = await Race.begin();
    const before = await race.createForeign(kind);
    const outcomes = await race.write({});
    expect(decided(await race.child(kind))).toEqual(decided(before));
    expect(KINDS.map((each) => cameTo(outcomes, each))).toEqual(KINDS.map((each) => (each === kind ? 'late' : 'done')));
  });

  it.concurrent('stays as it is when the plan saw one of ours there', async () => {
    const race = await Race.begin();
    const shown = await race.settle();
    await race.remove(kind);
    const before = await race.createForeign(kind);
    const outcomes = await race.write(shown, { image: 'web:2', ports: [{ port: 80 }, { name: 'more', port: 81 }] });
    expect(decided(await race.child(kind))).toEqual(decided(before));
    expect(cameTo(outcomes, kind)).toBe('late');
  });
});

it.each(KINDS)('a %s of ours that is deleted after the plan is not brought back by a change of it', async (kind) => {
  const race = await Race.begin();
  const shown = await race.settle();
  await race.remove(kind);
  const outcomes = await race.write(shown, { image: 'web:2', serviceType: 'NodePort' });
  expect(cameTo(outcomes, kind)).toBe('late');
  await expect(race.child(kind)).rejects.toMatchObject({ reason: 'NotFound' });
});

it('what is created keeps nothing that a later spec no longer has, but the number of pods', async () => {
  const race = await Race.begin();
  await race.change({ envs: [{ name: 'A', value: '1' }], replicas: 2, serviceType: 'NodePort' });
  await race.settle();
  const later = { envs: [], replicas: undefined, serviceType: undefined };
  await eventually(async () => {
    const outcomes = await race.write(await race.children(), later);
    expect(outcomes).toEqual([]); // each write was carried out, and has left nothing to do
  });
  const { deployment, service } = await race.children();
  expect(deployment.spec.template.spec?.containers[0]).not.toHaveProperty('env');
  expect(deployment.spec.replicas).toBe(2);
  expect(service.spec.type).toBe('ClusterIP');
});

it('a number of pods that the ModelBox does not decide stays when something else is applied', async () => {
  const race = await Race.begin();
  await race.change({ replicas: null });
  await race.settle();
  const { namespace, name } = race.ref;
  expect(await cluster.kubectl(['-n', namespace, 'scale', 'deployment', name, '--replicas=3'])).toMatchObject({
    code: 0,
  });
  await eventually(async () => {
    expect(await race.write(await race.children(), { image: 'web:2' })).toEqual([]);
  });
  const { spec } = await race.deployment();
  expect([spec.replicas, spec.template.spec?.containers[0]?.image]).toEqual([3, 'web:2']);
});
