// Kubernetes' end-to-end tests of Deployments, ReplicaSets and ControllerRevisions, conformance tests among them, played
// with a MyDeployment. Each is named by the words of the original.

import { describe, expect, it } from '@jest/globals';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../src/kinds/my-deployment/types.gen.ts';
import { controllerOf, type KubeObject } from '../../src/runtime/object.ts';
import { BEHAVIOUR, READY_AFTER, TERMINATE_AFTER } from '../../src/testing/index.ts';
import { controllerRevisions } from '../../src/workload/write-context.ts';
import { eventually } from '../support/eventually.ts';
import { randomFrom } from '../support/random.ts';
import { only, rolling, type Scene, version } from './scene.ts';
import { useStage } from './stage.ts';

const { scene } = await useStage({ name: 'conformance' });

const NEVER_READY = { [BEHAVIOUR]: 'not-ready' };
const SLOWLY = { [READY_AFTER]: '200ms' };

const numbers = async (web: Scene) => (await web.revisions()).map(({ revision }) => revision);

describe('e2e/apps/deployment.go', () => {
  it.concurrent(
    'RollingUpdateDeployment should delete old pods and create new ones',
    scene(async (web) => {
      await web.create();
      await web.complete();
      const old = only(await web.active());
      await web.delete('web', 'Orphan');
      await web.gone();
      const { metadata } = await web.create(version('v2'));
      await web.complete();
      const pod = only(await web.active());
      expect(pod.metadata.uid).not.toBe(old.metadata.uid);
      expect(controllerOf(pod)?.uid).toBe(metadata.uid);
      await eventually(async () => expect(await web.allPods()).toHaveLength(1));
    }),
  );

  it.concurrent(
    'RecreateDeployment should delete old pods and create new ones',
    scene(async (web) => {
      // Old pods that take their time: a new one beside them would break Recreate's promise.
      await web.create({ replicas: 3, strategy: { type: 'Recreate' }, ...version('v1', { [TERMINATE_AFTER]: '1s' }) });
      await web.complete();
      await web.change(version('v2'));
      await web.complete();
      expect(await web.images()).toEqual({ 'web:v2': 3 });
    }),
  );

  it.concurrent(
    'deployment should delete old replica sets',
    scene(async (web) => {
      await web.create({ revisionHistoryLimit: 0 });
      await web.complete();
      await web.change(version('v2'));
      await web.complete();
      await eventually(async () => expect(await numbers(web)).toEqual([2]));
      await web.change({ revisionHistoryLimit: 1, ...version('v3') });
      await web.complete();
      await web.change(version('v4'));
      await web.complete();
      await eventually(async () => expect(await numbers(web)).toEqual([3, 4]));
    }),
  );

  it.concurrent(
    'deployment should support rollover',
    scene(async (web) => {
      await web.create({ replicas: 4, ...rolling(1, 0) });
      await web.complete();
      await web.change(version('v2', NEVER_READY));
      await web.reach({ updatedReplicas: 1, replicas: 5 });
      await web.change(version('v3'));
      await web.complete();
      expect(await web.images()).toEqual({ 'web:v3': 4 });
      expect(await numbers(web)).toEqual([1, 2, 3]);
    }),
  );

  it.concurrent(
    'Deployment should have a working scale subresource; Replicaset should have a working scale subresource',
    scene(async (web) => {
      await web.create();
      await web.complete();
      await web.kubectl('scale', 'md', 'web', '--replicas=3', '--current-replicas=1');
      await web.complete();
      expect(await web.active()).toHaveLength(3);
      const patch = '{"spec":{"replicas":2}}';
      await web.kubectl('patch', 'md', 'web', '--subresource=scale', '--type=merge', '-p', patch);
      await web.complete();
      expect(await web.active()).toHaveLength(2);
    }),
  );

  it.concurrent(
    'deployment should support proportional scaling: 8 and 5 of 10 become 20 and 13 of 30',
    scene(async (web) => {
      await web.create({ replicas: 10, ...rolling(3, 2) });
      await web.complete();
      await web.change(version('404', { [BEHAVIOUR]: 'image-pull-error' }));
      await web.reach({ replicas: 13, updatedReplicas: 5, availableReplicas: 8 });
      expect(await web.images()).toEqual({ 'web:v1': 8, 'web:404': 5 });
      await web.change({ replicas: 30 });
      await web.reach({ replicas: 33, updatedReplicas: 13, availableReplicas: 20 });
      expect(await web.images()).toEqual({ 'web:v1': 20, 'web:404': 13 });
    }),
  );

  it.concurrent(
    'should run the lifecycle of a Deployment',
    scene(async (web) => {
      const labels = { 'test-deployment': 'static' };
      await web.create({ replicas: 2 }, 'web', { labels });
      await web.complete();
      await web.patch({ metadata: { labels: { patched: 'true' } }, spec: { replicas: 1 } });
      await web.complete();
      const { items } = await web.client.list(myDeployments, { labelSelector: 'test-deployment=static' });
      expect(items.map(({ metadata }) => metadata.namespace)).toContain(web.namespace);
      await web.update((found) => ({ ...found, spec: { ...found.spec, replicas: 3 } }));
      await web.complete();
      await web.client.deleteCollection(myDeployments, {
        namespace: web.namespace,
        labelSelector: 'test-deployment=static',
      });
      await eventually(async () => expect(await web.allPods()).toEqual([]));
      const seen = web.watch.history.filter(({ kind }) => kind === 'MyDeployment').map(({ type }) => type);
      expect([seen[0], seen.at(-1)]).toEqual(['ADDED', 'DELETED']);
    }),
  );

  it.concurrent(
    'should validate Deployment Status endpoints; should validate Replicaset Status endpoints',
    scene(async (web) => {
      await web.create();
      const complete = await web.complete();
      const condition = {
        type: 'StatusUpdate',
        status: 'True',
        reason: 'E2E',
        message: 'Set from an e2e test',
      } as const;
      const conditions = [...(complete.status?.conditions ?? []), condition];
      // A status that another client wrote stays where it says something of its own, and heals where it is wrong.
      const updated = await web.update(
        (found) => ({ ...found, status: { ...complete.status, replicas: 7, conditions } }),
        'status',
      );
      expect(updated.spec).toEqual(complete.spec);
      const healed = await web.complete();
      expect(healed.status?.conditions).toEqual(expect.arrayContaining([condition]));
      const body = { status: { conditions: [] }, spec: { replicas: 9 } };
      const patch = { type: 'merge', body } as const;
      const patched = await web.client.patch(myDeployments, web.ref('web'), patch, { subresource: 'status' });
      expect(patched.spec.replicas).toBe(1);
      await web.condition('Available', 'True', 'MinimumReplicasAvailable');
      expect(await web.client.get(myDeployments, web.ref('web'), { subresource: 'status' })).toHaveProperty('status');
    }),
  );

  it.concurrent(
    'deployment reaping should cascade to its replica sets and pods',
    scene(async (web) => {
      await web.create({ replicas: 2 });
      await web.complete();
      await web.change(version('v2'));
      await web.complete();
      await web.delete('web', 'Foreground');
      await web.gone();
      // Foreground: what it owned was gone first.
      expect(await web.allPods()).toEqual([]);
      const { items } = await web.client.list(controllerRevisions, { namespace: web.namespace });
      expect(items).toEqual([]);
    }),
  );

  it.concurrent(
    'test Deployment ReplicaSet orphaning and adoption regarding controllerRef',
    scene(async (web) => {
      await web.create({ replicas: 2 });
      await web.complete();
      const before = await web.podsOf();
      await web.delete('web', 'Orphan');
      await eventually(async () => {
        const { items } = await web.client.list(controllerRevisions, { namespace: web.namespace });
        const orphans: readonly KubeObject[] = [...(await web.allPods()), ...items];
        expect(orphans).toHaveLength(3);
        for (const orphan of orphans) expect(controllerOf(orphan)).toBeUndefined();
      });
      await web.gone();
      const { metadata } = await web.create({ replicas: 2 });
      await web.complete();
      const after = await web.podsOf();
      expect(after.map((pod) => pod.metadata.uid).sort()).toEqual(before.map((pod) => pod.metadata.uid).sort());
      expect(controllerOf(only(await web.revisions()))?.uid).toBe(metadata.uid);
    }),
  );

  it.concurrent.each([1, 2])('iterative rollouts should eventually progress: seed %i', (seed) =>
    scene(async (web) => {
      const random = randomFrom(seed);
      await web.create({ replicas: 6, ...rolling(2, 2), ...version('v0', SLOWLY) });
      for (let step = 1; step <= 12; step++) await disrupt(web, random, step);
      await web.change({ paused: false });
      await web.complete();
      await web.condition('Progressing', 'True', 'NewReplicaSetAvailable');
    })(),
  );
});

/** Rolls out, rolls back, scales, pauses, resumes or deletes pods, each as likely as in the original. */
async function disrupt(web: Scene, random: () => number, step: number): Promise<void> {
  const dice = random();
  const { spec }: MyDeployment = await web.get();
  if (dice < 0.2) await web.change(version(`v${step}`, SLOWLY));
  else if (dice < 0.4) await web.change(version('v0', SLOWLY));
  else if (dice < 0.6)
    await web.change({ replicas: Math.max(1, (spec.replicas as number) + (random() < 0.5 ? -2 : 2)) });
  else if (dice < 0.8) await web.change({ paused: spec.paused !== true });
  else await web.deletePods(...(await web.active()).filter(() => random() < 0.3));
  await web.reach({});
}

describe('e2e/apps/replica_set.go', () => {
  it.concurrent(
    'should serve a basic image on each replica with a public image',
    scene(async (web) => {
      await web.create({ replicas: 3 });
      await web.complete();
      const addresses = (await web.active()).map(({ status }) => status?.podIP);
      expect(new Set(addresses).size).toBe(3);
    }),
  );

  it.concurrent(
    'should adopt matching pods on creation and release no longer matching pods',
    scene(async (web) => {
      const { metadata: orphan } = await web.createPod('adopt-release', await web.labelsFor());
      const { metadata } = await web.create({ paused: true });
      await web.reach({ replicas: 1 });
      expect(controllerOf(only(await web.podsOf()))?.uid).toBe(metadata.uid);
      web.watch.disturb(orphan.name);
      await web.kubectl('label', 'pod', orphan.name, 'app=released', '--overwrite');
      await eventually(async () => expect(await web.podsOf()).toEqual([]));
      expect((await web.allPods()).map((pod) => pod.metadata.uid)).toEqual([orphan.uid]);
    }),
  );

  it.concurrent(
    'Replace and Patch tests',
    scene(async (web) => {
      const created = await web.create({ replicas: 1 });
      await web.complete();
      const spec = { ...created.spec, replicas: 2 };
      await web.update(({ metadata: { resourceVersion } }) => {
        const metadata = { ...web.ref('web'), resourceVersion };
        return { ...created, metadata: metadata as MyDeployment['metadata'], spec };
      });
      await web.complete();
      await web.change({ replicas: 3, ...version('v2') });
      await web.complete();
      expect(await web.images()).toEqual({ 'web:v2': 3 });
    }),
  );

  it.concurrent(
    'should list and delete a collection of ReplicaSets',
    scene(async (web) => {
      for (const name of ['one', 'two', 'three']) await web.create({}, name, { labels: { set: 'all' } });
      for (const name of ['one', 'two', 'three']) await web.complete(name);
      await web.kubectl('delete', 'md', '-l', 'set=all');
      await eventually(async () => expect(await web.allPods()).toEqual([]));
    }),
  );
});

describe('e2e/apps/controller_revision.go', () => {
  it.concurrent(
    'should manage the lifecycle of a ControllerRevision',
    scene(async (web) => {
      await web.create();
      await web.complete();
      const { metadata, data, revision } = only(await web.revisions());
      const labelled = { type: 'merge', body: { metadata: { labels: { patched: 'yes' } } } } as const;
      await web.client.patch(controllerRevisions, web.ref(metadata.name), labelled);
      expect(only(await web.revisions()).metadata.labels).toMatchObject({ patched: 'yes' });
      // One that is deleted while its pods run is recorded again, and nothing rolls.
      const pods = await web.podsOf();
      await web.client.delete(controllerRevisions, web.ref(metadata.name));
      const again = await eventually(async () => {
        const found = only(await web.revisions());
        expect(found.metadata.uid).not.toBe(metadata.uid);
        return found;
      });
      expect(again).toMatchObject({ data, revision });
      await web.complete();
      expect((await web.podsOf()).map((pod) => pod.metadata.uid)).toEqual(pods.map((pod) => pod.metadata.uid));
      await web.change(version('v2'));
      await web.complete();
      expect(await numbers(web)).toEqual([1, 2]);
    }),
  );
});
