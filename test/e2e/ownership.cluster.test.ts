// Whose pod it is, on a real cluster: a pod that a user runs beside a MyDeployment lives; a pod that admission changes on
// its way in is not made over and over; an adoption or a release that a policy refuses is told of while everything else
// goes on. Our webhooks are switched off here, so that whatever the API server lets in reaches the operator.

import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { labelOf, OWNER, protectPods, stripPods } from '../support/policies.ts';
import { conditionOf, type FullPod, only, pods, type Scene, version } from './scene.ts';
import { useStage } from './stage.ts';

const { scene } = await useStage({ name: 'ownership', operator: { webhooks: false } });

/** A pod of which admission shows what it takes. */
const SAMPLE = {
  labels: { app: 'web' },
  ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x' }],
};

/** The UIDs of all pods that there ever were. */
const everMade = (web: Scene): Set<string> =>
  new Set(web.watch.history.flatMap(({ kind, object }) => (kind === 'Pod' ? [object.metadata.uid] : [])));

const failureOf = async (web: Scene, reason: string): Promise<string | undefined> =>
  conditionOf(await web.condition('ReplicaFailure', 'True', reason), 'ReplicaFailure')?.message;

const recovered = (web: Scene) =>
  eventually(async () => expect(conditionOf(await web.get(), 'ReplicaFailure')).toBeUndefined());

describe('a pod that a user runs beside a MyDeployment', () => {
  it.concurrent(
    'kubectl run: lives untouched, ownerless and uncounted, while the MyDeployment scales, rolls and goes',
    scene(async (web) => {
      await web.create({ replicas: 2 });
      await web.complete();
      await web.kubectl('run', 'probe', '--image=busybox', '--labels', 'app=web');
      const { metadata } = await web.client.get(pods, web.ref('probe'));
      await web.change({ replicas: 3 });
      await web.complete();
      await web.change(version('v2'));
      await web.complete();
      await web.change({ replicas: 1 });
      await web.complete();
      const left = await web.client.get(pods, web.ref('probe'));
      expect(left.metadata).toMatchObject({ uid: metadata.uid, labels: { app: 'web' } });
      expect(left.metadata.ownerReferences).toBeUndefined();
      expect(left.metadata.deletionTimestamp).toBeUndefined();
      await web.delete('web', 'Foreground');
      await web.gone();
      expect((await web.allPods()).map((pod) => pod.metadata.name)).toEqual(['probe']);
    }),
  );

  it.concurrent(
    'and was there before it: is not taken for one of its own',
    scene(async (web) => {
      await web.createPod('probe', { app: 'web' });
      await web.createPod('foreign', { app: 'web', 'pod-template-hash': '5d4f8c7b9' });
      await web.create({ replicas: 2 });
      await web.complete();
      expect(await web.active()).toHaveLength(2);
      const strangers = (await web.allPods()).filter(({ metadata }) => ['probe', 'foreign'].includes(metadata.name));
      expect(strangers.flatMap(({ metadata }) => metadata.ownerReferences ?? [])).toEqual([]);
      expect(strangers).toHaveLength(2);
    }),
  );

  it.concurrent(
    'a pod whose hash is taken away is let go and replaced, as one of a ReplicaSet is',
    scene(async (web) => {
      await web.create({ replicas: 2 });
      await web.complete();
      const [first] = (await web.active()) as [FullPod];
      const labels = { 'pod-template-hash': null, 'controller-revision-hash': null };
      await web.patchPod(first, { metadata: { labels } });
      await eventually(async () => {
        const { metadata } = await web.client.get(pods, web.ref(first.metadata.name));
        expect(metadata.ownerReferences ?? []).toEqual([]);
      });
      await web.complete();
      expect(await web.active()).toHaveLength(2);
      expect(await web.allPods()).toHaveLength(3);
    }),
  );
});

describe('a pod that admission changes on its way in', () => {
  const PARTS = [
    { name: 'its label', part: labelOf('app'), lost: 'the labels app=web' },
    { name: 'its owner', part: OWNER, lost: 'its owner reference' },
  ];

  it.concurrent.each(PARTS)('loses $name: is not made over and over', ({ part, lost }) =>
    scene(async (web) => {
      const relent = await stripPods(web, part, SAMPLE);
      await web.create({ replicas: 5 });
      expect(await failureOf(web, 'FailedCreate')).toMatch(new RegExp(`^pod "web-.*" lost ${lost} on admission`));
      await delay(10_000);
      // Doubling delays from two seconds on, and never more pods at once than one attempt makes.
      expect(everMade(web).size).toBeLessThan(15);
      expect((await web.allPods()).length).toBeLessThan(3);
      await relent();
      await web.complete();
      await recovered(web);
      await eventually(async () => expect(await web.allPods()).toHaveLength(5));
    })(),
  );

  it.concurrent(
    'while a rollout is under way: the old pods go on serving',
    scene(async (web) => {
      await web.create({ replicas: 4 });
      await web.complete();
      const relent = await stripPods(web, labelOf('app'), SAMPLE);
      await web.change(version('v2'));
      await failureOf(web, 'FailedCreate');
      expect((await web.get()).status?.availableReplicas).toBeGreaterThanOrEqual(3);
      await relent();
      await web.complete();
      expect(await web.images()).toEqual({ 'web:v2': 4 });
    }),
  );
});

describe('a claim that a policy refuses', () => {
  it.concurrent.each(['Forbidden', 'Invalid'] as const)(
    'an adoption (%s): is told, and everything else goes on',
    (reason) =>
      scene(async (web) => {
        await web.create({ replicas: 2 });
        await web.complete();
        const allow = await protectPods(web, reason);
        const [{ metadata }] = (await web.active()) as [FullPod];
        await web.createPod('orphan', { ...metadata.labels, protected: 'yes' });
        expect(await failureOf(web, 'FailedAdopt')).toContain('it is protected');
        await web.change({ replicas: 3 });
        await web.complete();
        await web.change(version('v2'));
        await web.complete();
        await failureOf(web, 'FailedAdopt');
        const told = (await web.events()).filter((event) => event.startsWith('FailedAdopt: '));
        expect(only(told)).toMatch(/^FailedAdopt: Error adopting orphans: .*it is protected/);
        const orphan = await web.client.get(pods, web.ref('orphan'));
        expect(orphan.metadata.ownerReferences ?? []).toEqual([]);
        await allow();
        // Taken back at last, it is an old pod and one too many.
        await eventually(() => expect(web.client.get(pods, web.ref('orphan'))).rejects.toThrow('NotFound'));
        await recovered(web);
        await web.complete();
      })(),
  );

  it.concurrent.each(['Forbidden', 'Invalid'] as const)(
    'a release (%s): is told, and the pod is replaced all the same',
    (reason) =>
      scene(async (web) => {
        await web.create({ replicas: 2 });
        await web.complete();
        await protectPods(web, reason);
        const [first] = (await web.active()) as [FullPod];
        await web.patchPod(first, { metadata: { labels: { app: 'mine', protected: 'yes' } } });
        expect(await failureOf(web, 'FailedRelease')).toContain('it is protected');
        await web.complete();
        await web.change(version('v2'));
        await web.complete();
        const kept = await web.client.get(pods, web.ref(first.metadata.name));
        expect(kept.metadata).toMatchObject({ uid: first.metadata.uid });
        expect(kept.metadata.deletionTimestamp).toBeUndefined();
      })(),
  );
});
