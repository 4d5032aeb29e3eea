// What people and other controllers do with a MyDeployment: kubectl's scale, wait, autoscale, drain and apply, the real
// HorizontalPodAutoscaler and PodDisruptionBudget controllers, finalizers and the ways of deleting, history and rollback.

import { describe, expect, it } from '@jest/globals';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import { CHANGE_CAUSE, REVISION_HISTORY } from '../../src/kinds/my-deployment/plan/record.ts';
import { ROLLBACK_TO } from '../../src/kinds/my-deployment/plan/rollback.ts';
import { horizontalPodAutoscalers, podDisruptionBudgets } from '../../src/runtime/built-in.ts';
import { isApiError } from '../../src/runtime/errors.ts';
import type { KubeObject } from '../../src/runtime/object.ts';
import { BEHAVIOUR } from '../../src/testing/index.ts';
import { controllerRevisions } from '../../src/workload/write-context.ts';
import { eventually } from '../support/eventually.ts';
import { conditionOf, isActive, minimalSpec, only, pods, rolling, type Scene, version } from './scene.ts';
import { useStage } from './stage.ts';

const stage = await useStage({
  name: 'ecosystem',
  // An autoscaler looks every 15 seconds; tests would rather not wait for that.
  flags: { 'kube-controller-manager': ['--horizontal-pod-autoscaler-sync-period=1s'] },
});

const { scene } = stage;

const uids = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.uid).sort();

describe('kubectl', () => {
  it.concurrent(
    'wait --for=condition=Available returns when enough pods are available, and not before',
    scene(async (web) => {
      await web.create({ replicas: 2, ...version('v1', { [BEHAVIOUR]: 'not-ready' }) });
      await web.condition('Available', 'False', 'MinimumReplicasUnavailable');
      const tooEarly = await web.tryKubectl(['wait', 'md/web', '--for=condition=Available', '--timeout=1s']);
      expect(tooEarly).toMatchObject({ code: 1, stderr: expect.stringContaining('timed out') });
      const waiting = web.kubectl('wait', 'md/web', '--for=condition=Available', '--timeout=60s');
      for (const pod of await web.active()) await web.behave(pod, undefined);
      expect(await waiting).toBe('mydeployment.kubebuilder.zq.com/web condition met\n');
      const { status } = await web.get();
      expect(status?.availableReplicas).toBeGreaterThan(0);
    }),
  );

  it.concurrent(
    'get md, get all and describe tell what people look for',
    scene(async (web) => {
      await web.create({ replicas: 2 });
      await web.complete();
      const [header, row] = (await web.kubectl('get', 'md', '-o', 'wide')).split('\n').map((line) => line.split(/\s+/));
      const columns = 'NAME AVAILABLE EXPECTED AGE UPDATED UNAVAILABLE REVISION IMAGE SELECTOR';
      expect(header?.join(' ')).toBe(columns);
      const { status } = await web.get();
      expect(row?.toSpliced(3, 1)).toEqual(['web', '2', '2', '2', '0', status?.updateRevision, 'web:v1', 'app=web']);
      expect(await web.kubectl('get', 'all')).toContain('mydeployment.kubebuilder.zq.com/web');
      await eventually(async () => {
        const text = await web.kubectl('describe', 'md', 'web');
        expect(text).toMatch(
          /Normal\s+RevisionCreated .* Created revision 1: (web-\w+); scaled up revision \1 from 0 to 2/,
        );
      });
    }),
  );

  it.concurrent(
    'drain evicts its pods, and they come back on other nodes',
    scene(async (web) => {
      // kubectl drain looks into every namespace: a label of its own keeps it from the pods of other scenes.
      await web.create({ replicas: 6 }, 'drained');
      await web.complete('drained');
      const before = await web.active('drained');
      const node = before[0]?.spec?.nodeName as string;
      const there = before.filter(({ spec }) => spec?.nodeName === node);
      web.watch.disturb(...there.map(({ metadata }) => metadata.name));
      const drained = await web.tryKubectl(['drain', node, '--pod-selector=app=drained', '--timeout=60s']);
      await web.kubectl('uncordon', node);
      expect(drained).toMatchObject({ code: 0 });
      await eventually(async () => {
        const present = await web.active('drained');
        expect(present).toHaveLength(6);
        for (const uid of uids(there)) expect(uids(present)).not.toContain(uid);
      });
    }),
  );

  it.concurrent(
    'apply of a default written out rolls nothing, because the webhook had filled it in',
    scene(async (web) => {
      const created = await web.create();
      await web.complete();
      const before = await web.active();
      const containers = [{ name: 'web', image: 'web:v1', imagePullPolicy: 'IfNotPresent' }];
      const spec = {
        restartPolicy: 'Always',
        dnsPolicy: 'ClusterFirst',
        terminationGracePeriodSeconds: 30,
        containers,
      };
      const { metadata } = await web.change({ template: { spec } });
      expect(metadata.generation).toBe(created.metadata.generation);
      await web.complete();
      expect(uids(await web.active())).toEqual(uids(before));
      expect(await web.revisions()).toHaveLength(1);
    }),
  );
});

describe('HorizontalPodAutoscaler', () => {
  it.concurrent(
    'of kubectl autoscale md gets its selector and scales to its minimum',
    scene(async (web) => {
      await web.create({ replicas: 1 });
      await web.complete();
      await web.kubectl('autoscale', 'md', 'web', '--min=3', '--max=5', '--cpu=50%');
      await web.reach({ replicas: 3, availableReplicas: 3 });
      const conditions = await eventually(async () => {
        const { status } = await web.client.get(horizontalPodAutoscalers, web.ref('web'));
        const found = status?.conditions ?? [];
        expect(found.map(({ type }) => type)).toEqual(expect.arrayContaining(['AbleToScale', 'ScalingActive']));
        return found;
      });
      expect(conditions).toContainEqual(expect.objectContaining({ type: 'AbleToScale', status: 'True' }));
      // No metrics server runs here, which is another complaint than one about a missing selector.
      const scaling = conditions.find(({ type }) => type === 'ScalingActive');
      expect(scaling?.reason).toBe('FailedGetResourceMetric');
    }),
  );

  it.concurrent(
    'or whoever else owns the replicas keeps them: applying the manifest again without them does not reset them',
    scene(async (web) => {
      await apply(web, minimalSpec(), 'gitops');
      await web.kubectl('scale', 'md', 'web', '--replicas=3');
      await apply(web, { ...minimalSpec(), minReadySeconds: 1 }, 'gitops');
      await web.reach({ availableReplicas: 3 });
      await apply(web, { replicas: 4 }, 'autoscaler');
      await apply(web, { ...minimalSpec(), ...rolling(1, 1) }, 'gitops');
      const { spec } = await web.complete();
      expect(spec.replicas).toBe(4);
      expect(spec).not.toHaveProperty('minReadySeconds');
      // Two managers that both want to say how many are in conflict, and are told so.
      const quarrel = apply(web, { ...minimalSpec(), replicas: 2 }, 'gitops');
      await expect(quarrel).rejects.toThrow('conflict with "autoscaler": .spec.replicas');
    }),
  );
});

function apply(web: Scene, spec: object, fieldManager: string): Promise<KubeObject> {
  const body = { apiVersion: 'kubebuilder.zq.com/v1beta1', kind: 'MyDeployment', metadata: web.ref('web'), spec };
  return web.client.patch(myDeployments, web.ref('web'), { type: 'apply', body, fieldManager });
}

describe('PodDisruptionBudget', () => {
  it.concurrent.each([
    { rule: { minAvailable: '50%' }, allowed: 2 },
    { rule: { maxUnavailable: '25%' }, allowed: 1 },
    { rule: { maxUnavailable: 3 }, allowed: 3 },
    { rule: { minAvailable: 4 }, allowed: 0 },
  ])('with $rule allows $allowed disruptions of 4', ({ rule, allowed }) =>
    scene(async (web) => {
      await web.create({ replicas: 4 });
      await createBudget(web, rule);
      await web.complete();
      await allows(web, allowed);
    })(),
  );

  it.concurrent(
    'refuses an eviction that would leave too few, and allows it when there are more',
    scene(async (web) => {
      await web.create({ replicas: 2 });
      await createBudget(web, { minAvailable: 2 });
      await web.complete();
      await allows(web, 0);
      const [pod] = await web.active();
      const refused = await evict(web, pod as KubeObject).catch((error: unknown) => error);
      expect(isApiError(refused, 'TooManyRequests')).toBe(true);
      await web.change({ replicas: 3 });
      await web.complete();
      await allows(web, 1);
      await evict(web, pod as KubeObject);
      await eventually(async () => expect(uids(await web.active())).not.toContain(pod?.metadata.uid));
      await web.complete();
      await allows(web, 1);
    }),
  );
});

async function createBudget(web: Scene, rule: object): Promise<void> {
  const spec = { selector: { matchLabels: { app: 'web' } }, ...rule };
  await web.client.create(podDisruptionBudgets, { metadata: web.ref('web'), spec });
}

/** Waits until the budget allows so many disruptions. */
async function allows(web: Scene, disruptionsAllowed: number): Promise<void> {
  const { spec } = await web.get();
  await eventually(async () => {
    const { status } = await web.client.get(podDisruptionBudgets, web.ref('web'));
    expect(status).toMatchObject({ disruptionsAllowed, expectedPods: spec.replicas });
  });
}

async function evict(web: Scene, { metadata: { name } }: KubeObject): Promise<void> {
  web.watch.disturb(name);
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: web.ref(name) };
  await web.client.create(pods, eviction, { subresource: 'eviction', attempts: 1 });
}

describe('deleting', () => {
  it.concurrent(
    'with a finalizer on the object: nothing is replaced while it waits, everything goes when it may',
    scene(async (web) => {
      await web.create({ replicas: 3 }, 'web', { finalizers: ['example.com/hold'] });
      await web.complete();
      await web.delete();
      // The pod's deletion travels on a watch of its own: it may overtake the object's, and then the pod is replaced.
      await web.complete();
      const [pod] = await web.active();
      await web.deletePods(pod as KubeObject);
      await web.reach({ replicas: 2, availableReplicas: 2 });
      await web.kubectl('scale', 'md', 'web', '--replicas=9');
      await web.reach({ replicas: 2 });
      await web.patch({ metadata: { finalizers: null } });
      await web.gone();
      await eventually(async () => expect(await web.allPods()).toEqual([]));
    }),
  );

  it.concurrent(
    'in the foreground waits for the pods, in the background does not',
    scene(async (web) => {
      const held = { replicas: 1, template: { metadata: { finalizers: ['example.com/hold'] } } };
      await web.create(held, 'foreground');
      await web.create(held, 'background');
      for (const name of ['foreground', 'background']) await web.complete(name);
      await web.delete('foreground', 'Foreground');
      await web.delete('background', 'Background');
      await web.gone('background');
      const waiting = await eventually(async () => {
        const pod = only(await web.podsOf('foreground'));
        expect(isActive(pod)).toBe(false);
        return pod;
      });
      expect((await web.get('foreground')).metadata.finalizers).toEqual(['foregroundDeletion']);
      await web.patchPod(waiting, { metadata: { finalizers: null } });
      await web.gone('foreground');
      expect(await web.allPods()).toHaveLength(1);
    }),
  );
});

describe('history', () => {
  it.concurrent(
    'grows by one for each template, keeps to its limit, and is told why',
    scene(async (web) => {
      const because = (cause: string) => ({ metadata: { annotations: { [CHANGE_CAUSE]: cause } } });
      await web.create({ revisionHistoryLimit: 2 });
      await web.complete();
      for (const image of ['v2', 'v3', 'v4']) {
        await web.patch({ ...because(`release of ${image}`), spec: version(image) });
        await web.complete();
      }
      await eventually(async () => {
        const history = await web.revisions();
        expect(history.map(({ revision }) => revision)).toEqual([2, 3, 4]);
        expect(history.map(({ metadata }) => metadata.annotations?.[CHANGE_CAUSE])).toEqual(
          ['v2', 'v3', 'v4'].map((image) => `release of ${image}`),
        );
      });
    }),
  );

  it.concurrent(
    'is renumbered, not rewritten, by applying an old template again',
    scene(async (web) => {
      await web.create();
      await web.complete();
      const first = only(await web.revisions());
      await web.change(version('v2'));
      await web.complete();
      await web.change(version('v1'));
      const { status } = await web.complete();
      const back = (await web.revisions()).at(-1);
      expect(back?.metadata.uid).toBe(first.metadata.uid);
      expect(back).toMatchObject({ revision: 3, metadata: { annotations: { [REVISION_HISTORY]: '1' } } });
      expect(status?.updateRevision).toBe(first.metadata.name);
      const { items } = await web.client.list(controllerRevisions, { namespace: web.namespace });
      expect(items).toHaveLength(2);
    }),
  );

  it.concurrent(
    'is gone back in by an annotation, once',
    scene(async (web) => {
      await web.create();
      await web.complete();
      await web.change(version('v2'));
      await web.complete();
      await web.kubectl('annotate', 'md', 'web', `${ROLLBACK_TO}=1`);
      await eventually(async () => expect(await web.images()).toEqual({ 'web:v1': 1 }));
      const { metadata, spec } = await web.complete();
      expect(metadata.annotations ?? {}).not.toHaveProperty([ROLLBACK_TO]);
      expect(spec.template.spec.containers[0]).toMatchObject({ image: 'web:v1' });
      await web.kubectl('annotate', 'md', 'web', `${ROLLBACK_TO}=77`);
      await eventually(async () => {
        expect(await web.events()).toContain('DeploymentRollbackRevisionNotFound: Unable to find revision 77.');
      });
      expect((await web.get()).metadata.annotations ?? {}).not.toHaveProperty([ROLLBACK_TO]);
    }),
  );

  it.concurrent(
    'never loses a revision that still has pods',
    scene(async (web) => {
      await web.create({ replicas: 2, revisionHistoryLimit: 0, ...rolling(1, 0) });
      await web.complete();
      await web.change(version('v2', { [BEHAVIOUR]: 'not-ready' }));
      await web.reach({ updatedReplicas: 1, replicas: 3 });
      await web.change({ paused: true });
      const paused = await web.condition('Progressing', 'Unknown', 'DeploymentPaused');
      expect(conditionOf(paused, 'Available')?.status).toBe('True');
      expect(await web.revisions()).toHaveLength(2);
    }),
  );
});

// Not at the same time as the others, who need the operator; tests that are not concurrent come after them.
describe('while the operator is away', () => {
  it(
    'pods run on, scaling and deleting are allowed and caught up with, anything else is refused with a reason',
    scene(async (web) => {
      await web.create({ replicas: 2 });
      await web.create({ replicas: 1 }, 'leaving', { finalizers: ['example.com/hold'] });
      for (const name of ['web', 'leaving']) await web.complete(name);
      await stage.operator.stop();
      const [pod] = await web.active();
      await web.deletePods(pod as KubeObject);
      await web.kubectl('scale', 'md', 'web', '--replicas=3');
      await web.delete('leaving');
      await web.patch({ metadata: { finalizers: null } }, 'leaving');
      await web.gone('leaving');
      await expect(web.change(version('v2'))).rejects.toThrow(
        'failed calling webhook "mutate.mydeployments.kubebuilder.zq.com"',
      );
      expect(await web.images()).toEqual({ 'web:v1': 1 });
      await stage.startOperator();
      await web.complete();
      expect(await web.images()).toEqual({ 'web:v1': 3 });
    }),
  );
});
