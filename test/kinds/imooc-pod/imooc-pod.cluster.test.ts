// ImoocPods on a real control plane, with the operator installed from the manifests: what its pods look like, how it
// keeps them, how it goes, and what it refuses.

import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { imoocPods } from '../../../src/kinds/imooc-pod/schema.ts';
import type { ImoocPod } from '../../../src/kinds/imooc-pod/types.gen.ts';
import { controllerOf } from '../../../src/runtime/object.ts';
import { TERMINATE_AFTER } from '../../../src/testing/index.ts';
import { isActive } from '../../../src/workload/pod.ts';
import { useStage } from '../../e2e/stage.ts';
import { eventually } from '../../support/eventually.ts';
import { PodWatch } from '../../support/pod-watch.ts';
import { labelOf, protectPods, stripPods } from '../../support/policies.ts';
import { KindScene, nth, refusalOf, uidsOf } from '../kind-scene.ts';

const stage = await useStage({ name: 'imooc-pod', operator: { flags: ['--kinds=imoocpod'] } });

let nap: KindScene<ImoocPod>;

beforeEach(async () => {
  nap = await KindScene.set(stage, imoocPods);
});

/** Waits until all its pods are ready, and returns it with them. */
async function ready(name: string, replicas: number) {
  const object = await nap.reach(name, { replicas, readyReplicas: replicas });
  return { object, pods: await nap.podsOf(object) };
}

describe('its pods', () => {
  it('are as many as it asks for, asleep, named and labelled after it, and listed in its status', async () => {
    await nap.create('nap', { replicas: 3 });
    const { object, pods } = await ready('nap', 3);
    expect(object.metadata.finalizers).toEqual(['batch.tutorial.kubebuilder.io/pods']);
    expect(object.status).toMatchObject({
      podNames: pods.map(({ metadata }) => metadata.name).sort(),
      selector: 'app=nap',
      conditions: [{ type: 'Ready', status: 'True', reason: 'AllPodsReady' }],
    });
    for (const pod of pods) {
      expect(pod.metadata.name).toMatch(/^nap-pod-[a-z0-9]{5}$/);
      expect(pod.metadata.labels).toEqual({ app: 'nap' });
      expect(controllerOf(pod)).toMatchObject({ kind: 'ImoocPod', uid: object.metadata.uid, blockOwnerDeletion: true });
      expect(pod.spec?.containers).toMatchObject([{ name: 'busybox', image: 'busybox', command: ['sleep', '3600'] }]);
    }
  });

  it('run in a namespace whose Pod Security is restricted', async () => {
    await nap.kubectl('label', 'namespace', nap.namespace, 'pod-security.kubernetes.io/enforce=restricted');
    await nap.create('nap', { replicas: 2 });
    await ready('nap', 2);
  });

  it('become more and fewer as kubectl scale says, and are counted by kubectl get', async () => {
    await nap.create('nap', {});
    const { pods: first } = await ready('nap', 1);
    await nap.kubectl('scale', 'imp', 'nap', '--replicas=4');
    const { pods: more } = await ready('nap', 4);
    expect(uidsOf(more)).toEqual(expect.arrayContaining(uidsOf(first)));
    await nap.change('nap', { replicas: 2 });
    const { pods: fewer } = await ready('nap', 2);
    expect(uidsOf(more)).toEqual(expect.arrayContaining(uidsOf(fewer)));
    await nap.kubectl('wait', '--for=condition=Ready', 'imp/nap', '--timeout=60s');
    const [head, row] = (await nap.kubectl('get', 'imoocpods')).split('\n').map((line) => line.split(/\s+/));
    expect(head).toEqual(['NAME', 'DESIRED', 'CURRENT', 'READY', 'AGE']);
    expect(row?.slice(0, 4)).toEqual(['nap', '2', '2', '2']);
    await nap.change('nap', { replicas: 0 });
    await ready('nap', 0);
    await eventually(async () =>
      expect(await nap.kubectl('get', 'events')).toContain('Deleted 2 pods that were too many'),
    );
  });

  it('come back, however they were lost', async () => {
    await nap.create('nap', { replicas: 6 });
    const { object, pods } = await ready('nap', 6);
    await nap.deletePod(nth(pods, 0));
    await nap.patchPod(nth(pods, 1), { labels: { app: 'elsewhere' } });
    await nap.behave(nth(pods, 2), 'complete');
    await nap.behave(nth(pods, 3), 'fail');
    await nap.patchPod(nth(pods, 4), { ownerReferences: null });
    await eventually(async () => {
      const now = uidsOf(await nap.podsOf(object));
      expect(now).toHaveLength(6);
      expect(now).toEqual(expect.arrayContaining([nth(pods, 4), nth(pods, 5)].map(({ metadata }) => metadata.uid)));
      const all = await nap.allPods();
      // Let go, not deleted: somebody wanted it out of service, not gone.
      expect(
        all.find(({ metadata }) => metadata.uid === nth(pods, 1).metadata.uid)?.metadata.ownerReferences,
      ).toBeUndefined();
      expect(all).toHaveLength(7);
    });
    await ready('nap', 6);
  });

  it('come back elsewhere when their node is lost, where nobody is left to end them', async () => {
    await nap.create('nap', { replicas: 6 });
    const { pods } = await ready('nap', 6);
    const lost = nth(pods).spec?.nodeName as string;
    const there = pods.filter(({ spec }) => spec?.nodeName === lost);
    for (const pod of there) await nap.patchPod(pod, { annotations: { [TERMINATE_AFTER]: '10m' } });
    // What the node lifecycle controller does to a node that no longer reports; its pods are then deleted.
    await stage.kubectl(['taint', 'node', lost, 'example.com/lost:NoExecute']);
    try {
      await eventually(async () => {
        const { object, pods: now } = await ready('nap', 6);
        expect(now.filter(({ spec }) => spec?.nodeName === lost)).toEqual([]);
        expect(object.status?.podNames).toEqual(now.map(({ metadata }) => metadata.name).sort());
      });
      const terminating = (await nap.allPods()).filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
      expect(uidsOf(terminating)).toEqual(uidsOf(there));
      // It goes only when they are gone, too.
      await nap.delete('nap', 'Background');
      await nap.reach('nap', { replicas: 0, conditions: [{ type: 'Ready', reason: 'Deleting' }] });
      for (const pod of there) await nap.deletePod(pod, { gracePeriodSeconds: 0 });
      await nap.gone('nap');
    } finally {
      await stage.kubectl(['taint', 'node', lost, 'example.com/lost:NoExecute-']);
    }
  });

  it('are told of when they cannot be made, and made when they can', async () => {
    await nap.kubectl('create', 'quota', 'few', '--hard=pods=2');
    await nap.create('nap', { replicas: 3 });
    await nap.reach('nap', {
      replicas: 2,
      conditions: expect.arrayContaining([
        expect.objectContaining({ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' }),
      ]),
    });
    await nap.kubectl('delete', 'quota', 'few');
    await nap.change('nap', { replicas: 4 });
    const { object } = await ready('nap', 4);
    expect(object.status?.conditions).toMatchObject([{ type: 'Ready', status: 'True' }]);
  });

  it('are right for many at once', async () => {
    const names = Array.from({ length: 15 }, (_, index) => `nap-${index}`);
    await Promise.all(names.map((name, index) => nap.create(name, { replicas: index % 4 })));
    for (const [index, name] of names.entries()) await ready(name, index % 4);
  });
});

describe('pods that are not its own', () => {
  it('kubectl run with its label: lives untouched beside it, and after it', async () => {
    await nap.create('nap', { replicas: 2 });
    await ready('nap', 2);
    await nap.kubectl('run', 'probe', '--image=busybox', '--labels', 'app=nap');
    await nap.change('nap', { replicas: 3 });
    await ready('nap', 3);
    await nap.change('nap', { replicas: 1 });
    await ready('nap', 1);
    await nap.delete('nap', 'Background');
    await nap.gone('nap');
    const probe = nth(await nap.allPods());
    expect(probe.metadata.name).toBe('probe');
    expect(probe.metadata.ownerReferences).toBeUndefined();
    expect(probe.metadata.deletionTimestamp).toBeUndefined();
  });

  it('that lose its label on admission are not made over and over', async () => {
    const relent = await stripPods(nap, labelOf('app'), { labels: { app: 'nap' } });
    const watch = await PodWatch.open(nap.client, nap.namespace, (present) =>
      present.length > 2 ? `${present.length} pods` : undefined,
    );
    await nap.create('nap', { replicas: 3 });
    const message = expect.stringContaining('lost the labels app=nap on admission');
    const failure = expect.objectContaining({
      type: 'ReplicaFailure',
      status: 'True',
      reason: 'FailedCreate',
      message,
    });
    await nap.reach('nap', { conditions: expect.arrayContaining([failure]) });
    await delay(5_000);
    expect(await watch.close()).toEqual([]);
    await relent();
    await ready('nap', 3);
    await eventually(async () => expect(await nap.allPods()).toHaveLength(3));
  });

  it('that it may not adopt do not keep it from anything', async () => {
    await nap.create('nap', { replicas: 2 });
    const { pods } = await ready('nap', 2);
    await nap.patchPod(nth(pods), { labels: { protected: 'yes' } });
    await nap.delete('nap', 'Orphan');
    await nap.gone('nap');
    await protectPods(nap, 'Forbidden');
    await nap.create('nap', { replicas: 2 });
    const { object, pods: owned } = await ready('nap', 2);
    expect(uidsOf(owned)).not.toContain(nth(pods).metadata.uid);
    expect(object.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'ReplicaFailure', reason: 'FailedAdopt' }),
    );
    expect(await nap.allPods()).toHaveLength(3);
  });
});

describe('when it is deleted', () => {
  it.each(['Background', 'Foreground'] as const)('%s: it goes after its pods', async (propagation) => {
    await nap.create('nap', { replicas: 3 });
    await ready('nap', 3);
    await nap.delete('nap', propagation);
    await nap.gone('nap');
    expect(await nap.allPods()).toEqual([]);
  });

  it('Orphan: its pods stay, and a new one of that name takes them over', async () => {
    await nap.create('nap', { replicas: 3 });
    const { pods } = await ready('nap', 3);
    await nap.delete('nap', 'Orphan');
    await nap.gone('nap');
    const orphans = await nap.allPods();
    expect(uidsOf(orphans)).toEqual(uidsOf(pods));
    expect(orphans.flatMap(({ metadata }) => metadata.ownerReferences ?? [])).toEqual([]);
    await nap.create('nap', { replicas: 3 });
    const { pods: adopted } = await ready('nap', 3);
    expect(uidsOf(adopted)).toEqual(uidsOf(pods));
  });
});

describe('when the operator dies in mid-work', () => {
  it('the next one goes on: never a pod too many, none left behind', async () => {
    const watch = await PodWatch.open(nap.client, nap.namespace, (present) => {
      const active = present.filter(isActive).length;
      return active > 60 ? `${active} pods are active` : undefined;
    });
    await nap.create('nap', { replicas: 60 });
    await eventually(async () => expect((await nap.allPods()).length).toBeGreaterThan(5), 60_000, 5);
    await stage.operator.process.kill();
    await stage.startOperator();
    await ready('nap', 60);
    expect(await watch.close()).toEqual([]);
    expect(watch.events).toBeGreaterThan(60);

    await nap.delete('nap', 'Background');
    await eventually(async () => expect((await nap.allPods()).length).toBeLessThan(60), 60_000, 5);
    await stage.operator.process.kill();
    await stage.startOperator();
    await nap.gone('nap');
    expect(await nap.allPods()).toEqual([]);
  });
});

describe('what is wrong is refused, with the field and the value', () => {
  it.each<{ name: string; spec: object; object?: string; field: string; says: string }>([
    { name: 'fewer than none', spec: { replicas: -1 }, field: 'spec.replicas', says: 'Invalid value: -1' },
    { name: 'too many', spec: { replicas: 1001 }, field: 'spec.replicas', says: 'Invalid value: 1001' },
    { name: 'half a pod', spec: { replicas: 1.5 }, field: 'spec.replicas', says: 'must be of type integer' },
    { name: 'a word', spec: { replicas: 'three' }, field: 'spec.replicas', says: 'must be of type integer' },
    {
      name: 'a name too long',
      spec: {},
      object: 'n'.repeat(64),
      field: '<nil>',
      says: `metadata.name: "${'n'.repeat(64)}"`,
    },
  ])('$name', async ({ spec, object = 'bad', field, says }) => {
    const { causes, message } = await refusalOf(nap.create(object, spec));
    expect({ field: causes.map((cause) => cause.field), message }).toEqual({
      field: expect.arrayContaining([field]),
      message: expect.stringContaining(says),
    });
  });

  it('on updates, too, where the object stays as it was', async () => {
    await nap.create('nap', { replicas: 1 });
    const { causes } = await refusalOf(nap.change('nap', { replicas: 5000 }));
    expect(causes).toMatchObject([{ field: 'spec.replicas' }]);
    expect(await nap.get('nap')).toMatchObject({ spec: { replicas: 1 } });
  });

  it('by our webhook as well, which the API server calls', async () => {
    await nap.create('nap', { replicas: 1 });
    const metrics = await (await fetch(stage.operator.metricsUrl)).text();
    const path = '/validate-batch-tutorial-kubebuilder-io-v1alpha1-imoocpod';
    expect(metrics).toMatch(new RegExp(`controller_runtime_webhook_requests_total{.*webhook="${path}".*} [1-9]`));
  });
});
