// Kubernetes' own integration tests of ReplicaSets, and those of StatefulSets that fit, played with a MyDeployment, which
// does a ReplicaSet's work itself: which pods are its own, which it counts, and which it deletes first.

import { describe, expect, it } from '@jest/globals';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import { controllerOf, type KubeObject, type OwnerReference } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { BEHAVIOUR, TERMINATE_AFTER } from '../../src/testing/index.ts';
import { DELETION_COST } from '../../src/workload/deletion-order.ts';
import { controllerRevisions } from '../../src/workload/write-context.ts';
import { eventually } from '../support/eventually.ts';
import { type FullPod, isActive, only, pods, rolling, type Scene, version } from './scene.ts';
import { useStage } from './stage.ts';

const { scene } = await useStage({ name: 'replicaset' });

const configMaps: Resource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

const OURS = { app: 'web' };
/** Longer than any test: a terminating pod goes when the test says so. */
const LINGERS = { [TERMINATE_AFTER]: '1h' };

const names = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.name).sort();
const uids = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.uid).sort();
const ownerOf = async (web: Scene, name: string) => controllerOf(await web.client.get(pods, web.ref(name)));

/** A reference to an object that is really there: others would be collected as garbage. */
async function another(web: Scene, controller: boolean): Promise<OwnerReference> {
  const { metadata } = await web.client.create(configMaps, {
    metadata: { namespace: web.namespace, generateName: 'owner-' },
  });
  return { apiVersion: 'v1', kind: 'ConfigMap', name: metadata.name, uid: metadata.uid, controller };
}

async function setCost(web: Scene, pod: KubeObject, cost: string): Promise<void> {
  const body = { metadata: { annotations: { [DELETION_COST]: cost } } };
  await web.client.patch(pods, web.ref(pod.metadata.name), { type: 'merge', body });
}

/** Lets a pod blink, and waits until the status shows it: whatever was written to pods before has been seen too. */
async function caughtUp(web: Scene, pod: FullPod): Promise<void> {
  const { status } = await web.complete();
  const readyReplicas = status?.readyReplicas as number;
  await web.behave(pod, 'not-ready');
  await web.reach({ readyReplicas: readyReplicas - 1 });
  await web.behave(pod, undefined);
  await web.reach({ readyReplicas });
}

describe('replicaset_test.go', () => {
  it.concurrent(
    'TestAdoption: takes the orphan that matches and leaves those that do not',
    scene(async (web) => {
      const labels = await web.labelsFor();
      await web.createPod('orphan', labels);
      await web.createPod('other-labels', { ...labels, app: 'other' });
      await web.createPod('no-hash', OURS);
      // Paused, so that it only takes what is there.
      const { metadata } = await web.create({ replicas: 1, paused: true });
      await web.reach({ replicas: 1 });
      expect(await ownerOf(web, 'orphan')).toMatchObject({ uid: metadata.uid, blockOwnerDeletion: true });
      expect(await ownerOf(web, 'other-labels')).toBeUndefined();
      expect(await ownerOf(web, 'no-hash')).toBeUndefined();
    }),
  );

  it.concurrent(
    'TestSpecReplicasChange: a pod that is gone is replaced at any size',
    scene(async (web) => {
      await web.create({ replicas: 3 });
      await web.complete();
      for (const replicas of [1, 4, 0, 2]) {
        await web.change({ replicas });
        await web.complete();
        const victims = (await web.active()).slice(0, 1);
        await web.deletePods(...victims);
        await eventually(async () => {
          const present = names(await web.active());
          expect(present).toHaveLength(replicas);
          for (const victim of names(victims)) expect(present).not.toContain(victim);
        });
      }
    }),
  );

  it.concurrent(
    'TestDeletingAndFailedPods: pods that fail, complete or are being deleted are replaced and not counted',
    scene(async (web) => {
      await web.create({ replicas: 4, ...version('v1', LINGERS) });
      await web.complete();
      const [failing, completing, deleted] = (await web.active()) as [FullPod, FullPod, FullPod];
      await web.behave(failing, 'fail');
      await web.behave(completing, 'complete');
      await web.deletePods(deleted);
      await web.reach({ replicas: 4, availableReplicas: 4, terminatingReplicas: 1 });
      // A pod that ended stays for people to look at.
      await eventually(async () => {
        const present = names(await web.podsOf());
        expect(present).toEqual(expect.arrayContaining(names([failing, completing, deleted])));
        expect(present).toHaveLength(7);
      });
    }),
  );

  it.concurrent.each([
    { name: 'enabled-with-different-costs', costs: [100, 1], survivor: 0 },
    { name: 'enabled-with-different-costs, negative', costs: [-5, 7], survivor: 1 },
  ])('TestPodDeletionCost: $name', ({ costs, survivor }) =>
    scene(async (web) => {
      await web.create({ replicas: 2 });
      await web.complete();
      const both = await web.active();
      for (const [index, pod] of both.entries()) await setCost(web, pod, String(costs[index]));
      await caughtUp(web, both[0] as FullPod);
      await web.change({ replicas: 1 });
      await web.complete();
      expect(names(await web.active())).toEqual([both[survivor]?.metadata.name]);
    })(),
  );

  it.concurrent.each([
    { name: 'enabled-with-same-costs', cost: '100' },
    { name: 'enabled-with-no-costs', cost: undefined },
  ])('TestPodDeletionCost: $name, the one that is ready goes last', ({ cost }) =>
    scene(async (web) => {
      await web.create({ replicas: 2 });
      await web.complete();
      const [stays, goes] = (await web.active()) as [FullPod, FullPod];
      if (cost) for (const pod of [stays, goes]) await setCost(web, pod, cost);
      await web.behave(goes, 'not-ready');
      await web.reach({ readyReplicas: 1 });
      await web.change({ replicas: 1 });
      await web.complete();
      expect(names(await web.active())).toEqual([stays.metadata.name]);
    })(),
  );

  it.concurrent(
    'TestOverlappingRSs: what the one owns the other leaves alone, and pods come back to whom they were',
    scene(async (web) => {
      const labels = { app: 'same' };
      const same = { selector: { matchLabels: labels }, template: { metadata: { labels } } };
      await web.create({ ...same, replicas: 1 }, 'one');
      await web.create({ ...same, replicas: 2 }, 'other');
      await web.complete('one');
      await web.complete('other');
      await web.deletePods(...(await web.active('one')));
      await eventually(async () => expect(await web.active('one')).toHaveLength(1));
      expect(await web.active('other')).toHaveLength(2);
      expect((await web.allPods()).filter(isActive)).toHaveLength(3);
    }),
  );

  it.concurrent(
    'TestPodOrphaningAndAdoptionWhenLabelsChange: let go when labels stop matching, taken back when they match again',
    scene(async (web) => {
      const { metadata } = await web.create({ replicas: 1 });
      await web.complete();
      const pod = only(await web.active());
      await web.patchPod(pod, { metadata: { labels: { app: 'debug' } } });
      await eventually(async () => expect(await ownerOf(web, pod.metadata.name)).toBeUndefined());
      await web.complete();
      expect(names(await web.active())).not.toContain(pod.metadata.name);
      // Back again there are two where one is wanted: whichever stays, the other goes.
      web.watch.disturb(only(await web.active()).metadata.name);
      await web.patchPod(pod, { metadata: { labels: OURS } });
      await eventually(async () => {
        const present = (await web.allPods()).filter(isActive);
        expect(controllerOf(only(present))?.uid).toBe(metadata.uid);
      });
    }),
  );

  it.concurrent.each([
    { name: 'no owner', controller: undefined, adopted: true },
    { name: 'an owner that is not its controller', controller: false, adopted: true },
    { name: 'somebody else as its controller', controller: true, adopted: false },
  ])('TestGeneralPodAdoption: a pod with $name', ({ controller, adopted }) =>
    scene(async (web) => {
      const ownerReferences = controller === undefined ? [] : [await another(web, controller)];
      await web.createPod('candidate', await web.labelsFor(), { ownerReferences });
      const { metadata } = await web.create({ replicas: 1, paused: true });
      await web.reach({ replicas: adopted ? 1 : 0 });
      const candidate = await web.client.get(pods, web.ref('candidate'));
      expect(controllerOf(candidate)?.uid === metadata.uid).toBe(adopted);
      expect(candidate.metadata.ownerReferences).toEqual(expect.arrayContaining(ownerReferences));
    })(),
  );

  it.concurrent(
    'TestReadyAndAvailableReplicas, TestStatefulSetAvailable: ready at once, available after minReadySeconds',
    scene(async (web) => {
      await web.create({ replicas: 3, minReadySeconds: 3600, progressDeadlineSeconds: 7200 });
      await web.reach({ replicas: 3, readyReplicas: 3, availableReplicas: 0 });
      const [pod] = (await web.active()) as readonly [FullPod];
      await web.behave(pod, 'not-ready');
      await web.reach({ replicas: 3, readyReplicas: 2, availableReplicas: 0 });
      await web.behave(pod, undefined);
      await web.change({ minReadySeconds: 1 });
      await web.reach({ replicas: 3, readyReplicas: 3, availableReplicas: 3 });
    }),
  );

  it.concurrent(
    'TestExtraPodsAdoptionAndDeletion: adopts more than it needs, and deletes what is too many',
    scene(async (web) => {
      const labels = await web.labelsFor();
      for (const name of ['one', 'two', 'three']) await web.createPod(name, labels);
      await web.create({ replicas: 2 });
      await web.complete();
      await eventually(async () => expect((await web.allPods()).filter(isActive)).toHaveLength(2));
    }),
  );

  it.concurrent(
    'TestFullyLabeledReplicas: an adopted pod with labels of its own counts, but is not of the newest template',
    scene(async (web) => {
      await web.create({ replicas: 1 });
      await web.complete();
      await web.delete('web', 'Orphan');
      await web.gone();
      await web.create({
        replicas: 2,
        ...rolling(0, 1),
        template: {
          metadata: { labels: { ...OURS, extra: 'label' }, annotations: { [BEHAVIOUR]: 'not-ready' } },
        },
      });
      await web.reach({ replicas: 2, readyReplicas: 1, updatedReplicas: 1 });
    }),
  );

  it.concurrent(
    'TestReplicaSetsAppsV1DefaultGCPolicy: without a word about it, pods and history go with their owner',
    scene(async (web) => {
      await web.create({ replicas: 2 });
      await web.complete();
      await web.client.delete(myDeployments, web.ref('web'));
      await eventually(async () => {
        expect(await web.allPods()).toEqual([]);
        const { items } = await web.client.list(controllerRevisions, { namespace: web.namespace });
        expect(items).toEqual([]);
      });
    }),
  );

  it.concurrent(
    'TestTerminatingReplicas: terminating pods are told apart, whoever deletes them, until they are gone',
    scene(async (web) => {
      await web.create({ replicas: 3, ...version('v1', LINGERS) });
      await web.complete();
      await web.deletePods(...(await web.active()).slice(0, 2));
      await web.reach({ replicas: 3, readyReplicas: 3, terminatingReplicas: 2 });
      await web.change({ replicas: 0 });
      await web.reach({ replicas: 0, readyReplicas: 0, terminatingReplicas: 5 });
      await web.endTerminating(...(await web.podsOf()));
      await web.reach({ replicas: 0, terminatingReplicas: 0 });
    }),
  );
});

describe('statefulset_test.go', () => {
  it.concurrent(
    'TestDeletingAndTerminatingPods: pods held by a finalizer are replaced at once, and gone when it is',
    scene(async (web) => {
      await web.create({ replicas: 2, template: { metadata: { finalizers: ['example.com/hold'] } } });
      await web.complete();
      const held = await web.active();
      await web.deletePods(...held);
      await web.reach({ replicas: 2, availableReplicas: 2, terminatingReplicas: 2 });
      expect(uids(await web.podsOf())).toEqual(expect.arrayContaining(uids(held)));
      for (const pod of held) await web.patchPod(pod, { metadata: { finalizers: null } });
      await web.reach({ replicas: 2, availableReplicas: 2, terminatingReplicas: 0 });
    }),
  );

  it.concurrent(
    'TestDeletingPodForRollingUpdatePartition: an old pod that goes in mid-rollout comes back from its own revision',
    scene(async (web) => {
      await web.create({ replicas: 4, ...rolling(1, 0) });
      await web.complete();
      await web.change(version('v2', { [BEHAVIOUR]: 'not-ready' }));
      await web.reach({ replicas: 5, updatedReplicas: 1 });
      const [old] = (await web.active()).filter(({ spec }) => spec?.containers[0]?.image === 'web:v1');
      await web.deletePods(old as FullPod);
      await eventually(async () => {
        expect(await web.images()).toEqual({ 'web:v1': 4, 'web:v2': 1 });
        expect(uids(await web.active())).not.toContain(old?.metadata.uid);
      });
    }),
  );

  it.concurrent(
    'TestRecreateStatefulSetUpdate: orphaned pods of an earlier object are adopted and rolled to the new template',
    scene(async (web) => {
      await web.create({ replicas: 3 });
      await web.complete();
      const before = await web.podsOf();
      await web.delete('web', 'Orphan');
      await web.gone();
      await web.create({ replicas: 3, ...version('v2') });
      await web.complete();
      expect(await web.images()).toEqual({ 'web:v2': 3 });
      expect((await web.revisions()).map(({ revision }) => revision)).toEqual([1, 2]);
      for (const uid of uids(before)) expect(uids(await web.active())).not.toContain(uid);
    }),
  );
});
