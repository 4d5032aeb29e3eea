// pods.inPlace on a real API server, with nodes that restart and resize containers as a kubelet does: which rollouts keep the
// pods, which replace them, and what is left when something happens midway. Meanwhile the bounds are checked at every event.

import { describe, expect, it } from '@jest/globals';
import { PROMOTE } from '../../src/policy/requests.ts';
import { rolloutPolicies } from '../../src/policy/resource.ts';
import { BEHAVIOUR, MISSING_TAG, READY_AFTER, RESIZE } from '../../src/testing/index.ts';
import { IN_PLACE } from '../../src/workload/in-place/names.ts';
import { eventually } from '../support/eventually.ts';
import { type Change, type FullPod, pods, rolling, type Scene } from './scene.ts';
import { useStage } from './stage.ts';

const stage = await useStage({ name: 'in-place' });
const { scene } = stage;

interface Asked {
  readonly gracePeriod?: string;
  readonly more?: object;
}

/** Creates a policy that asks for changes in place, and a MyDeployment of four, and waits until both are at rest. */
async function inPlace(web: Scene, { gracePeriod = '0s', more = {} }: Asked = {}, change: Change = {}): Promise<void> {
  const asked = { inPlace: { mode: 'IfPossible', gracePeriod } } as const;
  const spec = { targetRef: { name: 'web' }, pods: asked, ...more };
  await web.client.create(rolloutPolicies, { metadata: web.ref('web'), spec });
  await web.create({ replicas: 4, ...rolling(1, 1), ...change });
  await web.complete();
}

function image(tag: string, cpu?: string): Change {
  const resources = cpu === undefined ? {} : { resources: { requests: { cpu } } };
  return { template: { spec: { containers: [{ name: 'web', image: `web:${tag}`, ...resources }] } } };
}

/** Whatever a client or a Service knows a pod by. */
async function identities(web: Scene): Promise<readonly string[]> {
  const present = await web.active();
  return present.map(({ metadata, status }) => `${metadata.name} ${metadata.uid} ${status?.podIP}`).toSorted();
}

async function restarts(web: Scene): Promise<readonly (number | undefined)[]> {
  return (await web.active()).map(({ status }) => status?.containerStatuses?.[0]?.restartCount);
}

const isUnderChange = ({ metadata }: FullPod): boolean => metadata.annotations?.[IN_PLACE] !== undefined;

function changing(web: Scene): Promise<FullPod> {
  return eventually(async () => {
    const pod = (await web.active()).find(isUnderChange);
    expect(pod).toBeDefined();
    return pod as FullPod;
  });
}

describe('in place', () => {
  it.concurrent(
    'another image restarts each container once, and keeps names, addresses and UIDs; so does the way back',
    scene(async (web) => {
      await inPlace(web);
      const before = await identities(web);
      await web.change(image('v2'));
      await web.complete();
      expect([await identities(web), await restarts(web)]).toEqual([before, [1, 1, 1, 1]]);
      expect(await web.images()).toEqual({ 'web:v2': 4 });
      expect((await web.active()).filter(isUnderChange)).toEqual([]);
      const [first, second] = await web.revisions();
      const hashOf = (revision: typeof first) => revision?.metadata.labels?.['controller.kubernetes.io/hash'];
      const labelled = (await web.active()).map(({ metadata }) => metadata.labels?.['pod-template-hash']);
      expect(labelled).toEqual(Array(4).fill(hashOf(second)));

      await web.change(image('v1'));
      await web.complete();
      expect([await identities(web), await restarts(web)]).toEqual([before, [2, 2, 2, 2]]);
      expect((await web.revisions()).map(hashOf)).toEqual([hashOf(second), hashOf(first)]);
    }),
  );

  it.concurrent(
    'a pod is out of its Services for the grace period before its container is restarted',
    scene(async (web) => {
      await inPlace(web, { gracePeriod: '2s' });
      await web.change(image('v2'));
      await web.complete();
      for (const { metadata } of await web.active()) {
        const versions = web.watch.history.flatMap((event) =>
          event.kind === 'Pod' && event.object.metadata.uid === metadata.uid ? [event.object as FullPod] : [],
        );
        const last = versions.findLast(({ spec }) => spec?.containers[0]?.image === 'web:v1');
        const ready = last?.status?.conditions?.find(({ type }) => type === 'Ready');
        expect(ready).toMatchObject({ status: 'False', reason: 'ReadinessGatesNotReady' });
      }
    }),
  );

  it.concurrent(
    'an image that never arrives is taken back in place, where the policy says so',
    scene(async (web) => {
      await inPlace(web, { more: { rollback: {} } });
      const before = await identities(web);
      await web.change(image(MISSING_TAG));
      await web.condition('Stalled', 'True', 'RevisionRejected');
      await web.reach({ replicas: 4, readyReplicas: 4, availableReplicas: 4, updatedReplicas: 0 });
      expect([await identities(web), await web.images()]).toEqual([before, { 'web:v1': 4 }]);
      expect((await web.get()).spec.template.spec.containers[0]?.image).toBe(`web:${MISSING_TAG}`);
    }),
  );

  it.concurrent(
    'CPU is resized without a restart',
    scene(async (web) => {
      await inPlace(web, {}, image('v1', '100m'));
      const before = await identities(web);
      await web.change(image('v1', '200m'));
      await web.complete();
      expect([await identities(web), await restarts(web)]).toEqual([before, [0, 0, 0, 0]]);
      const given = (await web.active()).map(({ status }) => status?.containerStatuses?.[0]?.resources?.requests?.cpu);
      expect(given).toEqual(Array(4).fill('200m'));
    }),
  );

  it.concurrent(
    'steps are as ever',
    scene(async (web) => {
      await inPlace(web, { more: { steps: [{ replicas: 1, pause: { until: 'Promoted' } }] } });
      const before = await identities(web);
      await web.change(image('v2'));
      await web.condition('Reconciling', 'True', 'AwaitingPromotion');
      expect(await web.images()).toEqual({ 'web:v1': 3, 'web:v2': 1 });
      await web.kubectl('annotate', 'rop', 'web', `${PROMOTE}=${JSON.stringify({ number: 2, step: 1 })}`);
      await web.complete();
      expect([await identities(web), await restarts(web)]).toEqual([before, [1, 1, 1, 1]]);
    }),
  );
});

describe('pods are replaced', () => {
  const annotated = (value: string): Change => ({
    template: { metadata: { annotations: { 'checksum/config': value } } },
  });

  it.concurrent.each([
    {
      where: 'their node cannot resize them',
      from: {
        template: {
          metadata: { annotations: { [RESIZE]: 'Infeasible' } },
          ...(image('v1', '100m').template as object),
        },
      },
      to: image('v1', '200m'),
    },
    { where: 'an annotation of the template changes', from: annotated('one'), to: annotated('two') },
    { where: 'none may be unavailable', from: rolling(1, 0), to: image('v2') },
  ])('where $where', ({ from, to }) =>
    scene(async (web) => {
      await inPlace(web, {}, from as Change);
      const before = await identities(web);
      await web.change(to);
      await web.complete();
      const after = await identities(web);
      expect(after).toHaveLength(4);
      expect(after.filter((identity) => before.includes(identity))).toEqual([]);
      expect(new Set(await restarts(web))).toEqual(new Set([0]));
    })(),
  );
});

describe('midway', () => {
  const SLOWLY = { template: { metadata: { annotations: { [READY_AFTER]: '2s' } } } } as Change;

  it.concurrent(
    'a pod that is deleted is replaced, and the others are changed in place',
    scene(async (web) => {
      await inPlace(web, {}, SLOWLY);
      const before = await identities(web);
      await web.change(image('v2'));
      await web.deletePods(await changing(web));
      await web.complete();
      const after = await identities(web);
      expect(after).toHaveLength(4);
      expect(after.filter((identity) => before.includes(identity))).toHaveLength(3);
      expect(await web.images()).toEqual({ 'web:v2': 4 });
    }),
  );

  it.concurrent(
    'a kubelet that is away for a while finishes what it finds',
    scene(async (web) => {
      await inPlace(web);
      const before = await identities(web);
      const [away] = (await web.active()) as [FullPod];
      await web.patchPod(away, { metadata: { annotations: { [BEHAVIOUR]: 'away' } } });
      await web.change(image('v2'));
      const { name } = away.metadata;
      await eventually(async () => {
        const { metadata, spec, status } = await web.client.get(pods, web.ref(name));
        expect(spec?.containers[0]?.image).toBe('web:v2');
        expect(status?.observedGeneration).toBeLessThan(metadata.generation as number);
      });
      await web.patchPod(away, { metadata: { annotations: { [BEHAVIOUR]: null } } });
      await web.complete();
      expect([await identities(web), await restarts(web)]).toEqual([before, [1, 1, 1, 1]]);
    }),
  );

  it.concurrent(
    'another template goes on from where the pods are',
    scene(async (web) => {
      await inPlace(web, {}, SLOWLY);
      const before = await identities(web);
      await web.change(image('v2'));
      await changing(web);
      await web.change(image('v3'));
      await web.complete();
      expect([await identities(web), await web.images()]).toEqual([before, { 'web:v3': 4 }]);
    }),
  );
});

// Last and alone: the others need the operator.
it(
  'an operator that is killed again and again finishes what it began',
  scene(async (web) => {
    await inPlace(web, { gracePeriod: '1s' }, image('v1', '100m'));
    const before = await identities(web);
    await web.change(image('v2', '200m'));
    for (let kill = 0; kill < 4; kill++) {
      await changing(web);
      await stage.operator.process.kill();
      await stage.startOperator();
    }
    await web.complete();
    expect(await web.images()).toEqual({ 'web:v2': 4 });
    expect([await identities(web), await restarts(web)]).toEqual([before, [1, 1, 1, 1]]);
  }),
);
