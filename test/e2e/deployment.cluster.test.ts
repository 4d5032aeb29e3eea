// Kubernetes' own integration tests of Deployments, played with a MyDeployment: each is named after the Go test whose
// behaviour it asks for. Where that speaks of ReplicaSets, this speaks of revisions and their pods.

import { describe, expect, it } from '@jest/globals';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import { controllerOf, type KubeObject } from '../../src/runtime/object.ts';
import { BEHAVIOUR, READY_AFTER, TERMINATE_AFTER } from '../../src/testing/index.ts';
import { controllerRevisions } from '../../src/workload/write-context.ts';
import { eventually } from '../support/eventually.ts';
import { kstatusOf } from '../support/kstatus.ts';
import { conditionOf, isActive, only, retryOnConflict, rolling, version } from './scene.ts';
import { useStage } from './stage.ts';

// Two replicas, of which one leads: the way it is installed.
const stage = await useStage({ name: 'deployment', standby: true });
const { scene } = stage;

/** Slow enough that steps of a rollout can be told apart. */
const SLOWLY = { [READY_AFTER]: '300ms' };
const NEVER_READY = { [BEHAVIOUR]: 'not-ready' };
/** Longer than any test: a terminating pod goes when the test says so. */
const LINGERS = { [TERMINATE_AFTER]: '1h' };

interface Scale {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: { readonly replicas: number };
  readonly status?: { readonly replicas: number; readonly selector?: string };
}

const uids = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.uid).sort();

describe('deployment_test.go', () => {
  it.concurrent(
    'TestNewDeployment: pods come straight from the template, and history begins at 1',
    scene(async (web) => {
      await web.create({ replicas: 5, template: { metadata: { annotations: { note: 'kept' } } } });
      const { status, metadata } = await web.complete();
      const revision = only(await web.revisions());
      const hash = revision.metadata.labels?.['controller.kubernetes.io/hash'];
      expect(revision).toMatchObject({ revision: 1, metadata: { name: `web-${hash}` } });
      expect(status).toMatchObject({
        currentRevision: `web-${hash}`,
        updateRevision: `web-${hash}`,
        currentReplicas: 5,
      });
      for (const pod of await web.podsOf()) {
        expect(pod.metadata.name).toMatch(new RegExp(`^web-${hash}-[a-z0-9]{5}$`));
        expect(pod.metadata.labels).toEqual({
          app: 'web',
          'controller-revision-hash': hash,
          'pod-template-hash': hash,
        });
        expect(pod.metadata.annotations).toMatchObject({ note: 'kept' });
        expect(controllerOf(pod)).toMatchObject({ kind: 'MyDeployment', uid: metadata.uid, blockOwnerDeletion: true });
      }
    }),
  );

  it.concurrent(
    'TestDeploymentRollingUpdate: rolls out, rolls back and rolls over',
    scene(async (web) => {
      await web.create({ replicas: 8, ...version('v1', SLOWLY) });
      await web.complete();
      await web.change(version('v2', SLOWLY));
      await web.complete();
      await web.change(version('v1', SLOWLY));
      await web.complete();
      expect((await web.revisions()).map(({ revision }) => revision)).toEqual([2, 3]);
      await web.change(version('v3', SLOWLY));
      await eventually(async () => expect(await web.images()).toHaveProperty(['web:v3']));
      await web.change(version('v4', SLOWLY));
      await web.complete();
      expect(await web.images()).toEqual({ 'web:v4': 8 });
    }),
  );

  it.concurrent(
    'TestDeploymentSelectorImmutability, TestRSSelectorImmutability: another selector is refused, whatever else changes with it',
    scene(async (web) => {
      await web.create();
      const labels = { app: 'web', tier: 'front' };
      const change = { selector: { matchLabels: labels }, template: { metadata: { labels } } };
      await expect(web.change(change)).rejects.toThrow('spec.selector: Invalid value');
      await expect(web.change(change)).rejects.toThrow('field is immutable');
    }),
  );

  it.concurrent(
    'TestPausedDeployment: a paused one makes nothing new until it is resumed, twice',
    scene(async (web) => {
      await web.create({ paused: true, replicas: 2 });
      const paused = await web.condition('Progressing', 'Unknown', 'DeploymentPaused');
      expect(paused.status?.replicas).toBe(0);
      expect(await web.revisions()).toEqual([]);
      await web.change({ paused: false });
      await web.complete();
      await web.change({ paused: true });
      await web.change(version('v2'));
      await web.condition('Progressing', 'Unknown', 'DeploymentPaused');
      expect(await web.images()).toEqual({ 'web:v1': 2 });
      await web.change({ paused: false });
      await web.complete();
      expect(await web.images()).toEqual({ 'web:v2': 2 });
    }),
  );

  it.concurrent(
    'TestScalePausedDeployment: scaling works while paused, with the template that is rolled out',
    scene(async (web) => {
      await web.create({ replicas: 2 });
      await web.complete();
      await web.change({ paused: true, ...version('v2') });
      await web.change({ replicas: 5 });
      await eventually(async () => expect(await web.images()).toEqual({ 'web:v1': 5 }));
      await web.change({ replicas: 1 });
      await eventually(async () => expect(await web.images()).toEqual({ 'web:v1': 1 }));
      await web.reach({ replicas: 1, updatedReplicas: 0, availableReplicas: 1 });
    }),
  );

  it.concurrent(
    'TestDeploymentHashCollision: a taken revision name is counted and steered clear of',
    scene(async (web) => {
      await web.create();
      await web.complete();
      const { name, labels } = only(await web.revisions()).metadata;
      await web.delete();
      await eventually(() => expect(web.client.get(controllerRevisions, web.ref(name))).rejects.toThrow('NotFound'));
      const foreign = { metadata: { ...web.ref(name), labels: { ...labels, app: 'other' } }, revision: 7, data: {} };
      await web.client.create(controllerRevisions, foreign);
      await web.create();
      const { status } = await web.complete();
      expect(status).toMatchObject({ collisionCount: 1 });
      expect(status?.updateRevision).not.toBe(name);
      const untouched = await web.client.get(controllerRevisions, web.ref(name));
      expect(untouched).toMatchObject({ revision: 7, data: {} });
      expect(controllerOf(untouched)).toBeUndefined();
    }),
  );

  it.concurrent(
    'TestFailedDeployment: overdue without progress, and complete as soon as its pods recover',
    scene(async (web) => {
      await web.create({ replicas: 2, progressDeadlineSeconds: 2, ...version('v1', NEVER_READY) });
      const overdue = await web.condition('Progressing', 'False', 'ProgressDeadlineExceeded');
      expect(conditionOf(overdue, 'Progressing')?.message).toMatch(/^Revision "web-\w+" has timed out progressing\.$/);
      expect(kstatusOf(overdue)).toBe('Failed');
      for (const pod of await web.podsOf()) await web.behave(pod, undefined);
      expect(kstatusOf(await web.condition('Progressing', 'True', 'NewReplicaSetAvailable'))).toBe('Current');
      await web.complete();
    }),
  );

  it.concurrent(
    'TestOverlappingDeployments: two with the same selector keep to their own pods',
    scene(async (web) => {
      const labels = { app: 'same' };
      const same = { selector: { matchLabels: labels }, template: { metadata: { labels } } };
      await web.create({ ...same, replicas: 2 }, 'one');
      await web.create({ ...same, replicas: 3 }, 'other');
      await web.complete('one');
      await web.complete('other');
      await web.change({ replicas: 4, ...version('v2') }, 'one');
      await web.complete('one');
      expect(await web.images('one')).toEqual({ 'web:v2': 4 });
      expect(await web.images('other')).toEqual({ 'web:v1': 3 });
      await web.change({ replicas: 1 }, 'other');
      await web.complete('other');
      expect(await web.images('one')).toEqual({ 'web:v2': 4 });
    }),
  );

  it.concurrent(
    'TestScaledRolloutDeployment: replicas and template change in one update, up and down, in mid-rollout',
    scene(async (web) => {
      await web.create({ replicas: 6, ...rolling(2, 2) });
      await web.complete();
      await web.change(version('v2', NEVER_READY));
      await web.reach({ updatedReplicas: 4, replicas: 8 });
      await web.change({ replicas: 10, ...version('v3', SLOWLY) });
      await web.complete();
      expect(await web.images()).toEqual({ 'web:v3': 10 });
      await web.change(version('v4', NEVER_READY));
      await web.reach({ updatedReplicas: 4, replicas: 12 });
      await web.change({ replicas: 3, ...version('v5', SLOWLY) });
      await web.complete();
      expect(await web.images()).toEqual({ 'web:v5': 3 });
    }),
  );

  it.concurrent(
    'TestSpecReplicasChange: up, down, to zero and back, and a change of the annotations alone is observed',
    scene(async (web) => {
      await web.create({ replicas: 2 });
      for (const replicas of [2, 4, 1, 0, 3]) {
        await web.change({ replicas });
        await web.complete();
        expect(await web.active()).toHaveLength(replicas);
      }
      const { metadata } = await web.patch({
        metadata: { annotations: { note: 'new' } },
        spec: { minReadySeconds: 1 },
      });
      const { status } = await web.reach({});
      expect(status?.observedGeneration).toBe(metadata.generation);
      expect(await web.revisions()).toHaveLength(1);
    }),
  );

  it.concurrent(
    'TestDeploymentAvailableCondition: available only after minReadySeconds, and at once when those are lowered',
    scene(async (web) => {
      await web.create({ replicas: 5, minReadySeconds: 3600, progressDeadlineSeconds: 7200, ...rolling(1, 1) });
      await web.reach({ readyReplicas: 5, availableReplicas: 0, unavailableReplicas: 5 });
      await web.condition('Available', 'False', 'MinimumReplicasUnavailable');
      await web.change({ minReadySeconds: 1 });
      await web.condition('Available', 'True', 'MinimumReplicasAvailable');
      await web.complete();
    }),
  );

  it.concurrent(
    'TestGeneralReplicaSetAdoption: orphaned history and its pods are adopted, and nothing is restarted',
    scene(async (web) => {
      await web.create({ replicas: 3 });
      await web.complete();
      await web.change(version('v2'));
      await web.complete();
      const before = await web.podsOf();
      const history = await web.revisions();
      await web.delete('web', 'Orphan');
      await web.gone();
      await web.create({ replicas: 3, ...version('v2') });
      await web.complete();
      expect(uids(await web.podsOf())).toEqual(uids(before));
      expect(uids(await web.revisions())).toEqual(uids(history));
      expect((await web.revisions()).map(({ revision }) => revision)).toEqual([1, 2]);
    }),
  );

  it.concurrent(
    'TestReplicaSetOrphaningAndAdoptionWhenLabelsChange: a revision stays owned whatever its labels say',
    scene(async (web) => {
      await web.create({ replicas: 2 });
      await web.complete();
      const before = await web.podsOf();
      const { name } = only(await web.revisions()).metadata;
      const body = { metadata: { labels: { app: 'other' } } };
      await web.client.patch(controllerRevisions, web.ref(name), { type: 'merge', body });
      await web.change({ replicas: 3 });
      await web.complete();
      expect((await web.revisions()).map(({ metadata }) => metadata.name)).toEqual([name]);
      expect(uids(await web.podsOf())).toEqual(expect.arrayContaining(uids(before)));
    }),
  );

  it.concurrent(
    'TestDeploymentScaleSubresource, TestRSScaleSubresource: reads and writes through /scale',
    scene(async (web) => {
      await web.create({ replicas: 2 });
      await web.complete();
      await retryOnConflict(async () => {
        const scale = await web.client.get<Scale>(myDeployments, web.ref('web'), { subresource: 'scale' });
        expect(scale).toMatchObject({ spec: { replicas: 2 }, status: { replicas: 2, selector: 'app=web' } });
        await web.client.update<Scale>(myDeployments, { ...scale, spec: { replicas: 4 } }, { subresource: 'scale' });
      });
      await web.complete();
      expect(await web.active()).toHaveLength(4);
    }),
  );

  it.concurrent(
    'TestTerminatingReplicasDeploymentStatus: terminating pods are counted apart until they are gone',
    scene(async (web) => {
      await web.create({ replicas: 5, ...version('v1', LINGERS) });
      await web.complete();
      await web.change({ replicas: 3 });
      await web.reach({ replicas: 3, availableReplicas: 3, terminatingReplicas: 2 });
      await web.deletePods(...(await web.active()).slice(0, 1));
      await web.reach({ replicas: 3, availableReplicas: 3, terminatingReplicas: 3 });
      await web.endTerminating(...(await web.podsOf()).filter((pod) => !isActive(pod)));
      await web.reach({ replicas: 3, terminatingReplicas: 0 });
    }),
  );

  it.concurrent(
    'TestRecreateDeploymentForPodReplacement: new pods wait until the last old one has ended',
    scene(async (web) => {
      await web.create({ replicas: 6, strategy: { type: 'Recreate' }, ...version('v1', LINGERS) });
      await web.complete();
      await web.change(version('v2', LINGERS));
      await web.reach({ replicas: 0, updatedReplicas: 0, terminatingReplicas: 6 });
      const old = await web.podsOf();
      await web.endTerminating(...old.slice(1));
      await web.reach({ replicas: 0, terminatingReplicas: 1 });
      await web.endTerminating(...old.slice(0, 1));
      await web.complete();
      expect(await web.images()).toEqual({ 'web:v2': 6 });
      await web.change({ replicas: 7 });
      await web.complete();
      await web.deletePods(...(await web.active()).slice(0, 1));
      await web.reach({ replicas: 7, availableReplicas: 7, terminatingReplicas: 1 });
      await web.change({ replicas: 5 });
      await web.reach({ replicas: 5, availableReplicas: 5, terminatingReplicas: 3 });
    }),
  );

  it.concurrent(
    'TestRollingUpdateAndProportionalScalingForDeploymentPodReplacement: terminating pods are not waited for, 117/23',
    scene(async (web) => {
      await web.create({ replicas: 100, ...rolling(20, 0), ...version('v1', LINGERS) });
      await web.complete();
      await web.change(version('v2', { ...NEVER_READY, ...LINGERS }));
      await web.reach({ replicas: 120, updatedReplicas: 20, availableReplicas: 100 });
      const old = (await web.active()).filter(({ spec }) => spec?.containers[0]?.image === 'web:v1');
      await web.deletePods(...old.slice(0, 5));
      await web.reach({ replicas: 120, updatedReplicas: 20, availableReplicas: 100, terminatingReplicas: 5 });
      await web.change({ replicas: 120 });
      await web.reach({ replicas: 140, updatedReplicas: 23, availableReplicas: 117, terminatingReplicas: 5 });
      expect(await web.images()).toEqual({ 'web:v1': 117, 'web:v2': 23 });
    }),
  );
});
