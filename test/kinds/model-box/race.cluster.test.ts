// Another client writes between a plan and its writes. The cache has shown the plan an older state, and the API server
// decides: an object that another client has made under the ModelBox's name in the meantime stays exactly as it is.

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Deployment, Service } from '../../../src/kinds/model-box/children.ts';
import { plan } from '../../../src/kinds/model-box/plan.ts';
import { wantedBy } from '../../../src/kinds/model-box/wanted.ts';
import { carryOut, type Outcome } from '../../../src/kinds/model-box/writes.ts';
import type { KubeObject, Manifest } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { useSharedCluster } from '../../support/cluster.ts';
import { installCrds } from '../../support/crds.ts';
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
  const service = { selector: { app: 'theirs' }, ports: [{ name: 'theirs', port: 99 }] };
  return { metadata, spec: kind === 'Deployment' ? deployment : service };
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
  async settle(): Promise<{ readonly deployment: Deployment; readonly service: Service }> {
    await this.write({});
    return { deployment: await this.deployment(), service: await this.service() };
  }

  /** Plans about the children that the cache shows, and carries that out on what there really is. */
  async write(shown: { deployment?: Deployment; service?: Service }, spec: object = {}): Promise<readonly Outcome[]> {
    const found = await this.get();
    const object = { ...found, spec: { ...found.spec, ...spec } };
    const deployment = { live: shown.deployment, answer: undefined };
    const { actions } = plan({ object, deployment, service: { live: shown.service, answer: undefined } }, Date.now());
    const context = { object, client: this.client, signal: new AbortController().signal };
    return Promise.all(actions.map((action) => carryOut(context, action)));
  }
}

const cameTo = (outcomes: readonly Outcome[], kind: ChildKind): string | undefined =>
  outcomes.find(({ action }) => action.kind === kind)?.came;

describe.each(KINDS)('a %s that another client makes under the name of a ModelBox', (kind) => {
  it.concurrent('stays as it is when the plan saw nothing there', async () => {
    const race = await Race.begin();
    const before = await race.createForeign(kind);
    const outcomes = await race.write({});
    expect(await race.child(kind)).toEqual(before);
    expect(KINDS.map((each) => cameTo(outcomes, each))).toEqual(KINDS.map((each) => (each === kind ? 'late' : 'done')));
  });

  it.concurrent('stays as it is when the plan saw one of ours there', async () => {
    const race = await Race.begin();
    const shown = await race.settle();
    await race.remove(kind);
    const before = await race.createForeign(kind);
    const outcomes = await race.write(shown, { image: 'web:2', ports: [{ port: 80 }, { name: 'more', port: 81 }] });
    expect(await race.child(kind)).toEqual(before);
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

it('what is created keeps nothing that a later spec no longer has', async () => {
  const race = await Race.begin();
  const { spec } = await race.change({ envs: [{ name: 'A', value: '1' }], serviceType: 'NodePort' });
  await race.write(await race.settle(), { envs: [], serviceType: undefined, replicas: undefined });
  const [deployment, service] = [await race.deployment(), await race.service()];
  expect(deployment.spec.template.spec?.containers[0]).not.toHaveProperty('env');
  expect(deployment.spec.replicas).toBe(spec.replicas);
  expect(service.spec.type).toBe('ClusterIP');
  const wanted = wantedBy({ ...(await race.get()), spec });
  expect(deployment.metadata.labels).toEqual(wanted.deployment.metadata.labels);
});
