// MyDaemonSets on a real control plane, with the operator installed from the manifests: one pod a node, whatever happens
// to nodes, pods, image and operator. A watch of its own sees to it, at every event, that no node ever has two.

import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eligibilityOf } from '../../../src/kinds/my-daemon-set/eligibility.ts';
import { myDaemonSets, NAME_LABEL } from '../../../src/kinds/my-daemon-set/names.ts';
import type { MyDaemonSet } from '../../../src/kinds/my-daemon-set/types.gen.ts';
import { controllerOf } from '../../../src/runtime/object.ts';
import { targetNode } from '../../../src/workload/node-affinity.ts';
import { isActive, isReady, type Pod } from '../../../src/workload/pod.ts';
import { useStage } from '../../e2e/stage.ts';
import { eventually } from '../../support/eventually.ts';
import { PodWatch } from '../../support/pod-watch.ts';
import { labelOf, protectPods, stripPods } from '../../support/policies.ts';
import { randomFrom } from '../../support/random.ts';
import { type FullPod, KindScene, nth, refusalOf, uidsOf } from '../kind-scene.ts';
import { addNode, churnOnce, nodes, removeNode, setNode } from './node-churn.ts';

const NODES = 6;
/** How many more come and go in the end, as the seed says. With CHURN_NODES=200 that takes a minute or more. */
const CHURN_NODES = Number(process.env.CHURN_NODES ?? 34);
const CHURN_ROUNDS = 6;
const SEED = Number(process.env.SEED ?? 7);
const stage = await useStage({ name: 'my-daemon-set', nodes: NODES, operator: { flags: ['--kinds=mydaemonset'] } });
const { client } = stage;

let agents: KindScene<MyDaemonSet>;
let watch: PodWatch;
/** How many nodes have to be served, from the first moment at which so many are. */
let floor = 0;
let wasServed = false;

beforeEach(async () => {
  agents = await KindScene.set(stage, myDaemonSets);
  floor = 0;
  wasServed = false;
  watch = await PodWatch.open(client, agents.namespace, (present) => crowded(present) ?? neglected(present));
});

afterEach(async () => {
  expect(await watch.close()).toEqual([]);
  // It would follow every node that later tests add and take away.
  await agents.kubectl('delete', 'mds', '--all', '--wait=false');
});

function crowded(present: readonly Pod[]): string | undefined {
  const ours = present.filter((pod) => controllerOf(pod)?.kind === 'MyDaemonSet');
  const [twice] = [...Map.groupBy(ours, targetNode)].filter(([, pods]) => pods.length > 1);
  return twice && `node ${twice[0]} has ${twice[1].map(({ metadata }) => metadata.name).join(' and ')}`;
}

function neglected(present: readonly Pod[]): string | undefined {
  const served = present.filter((pod) => isActive(pod) && isReady(pod)).length;
  wasServed ||= served >= floor;
  return wasServed && served < floor ? `${served} nodes are served` : undefined;
}

/** Waits until every node that should have the pod is served by this image, and returns the pods. */
async function rolledOut(image: string, count = NODES): Promise<readonly FullPod[]> {
  const object = await agents.reach('agent', {
    desiredNumberScheduled: count,
    currentNumberScheduled: count,
    updatedNumberScheduled: count,
    numberReady: count,
    availableReplicas: count,
    numberUnavailable: 0,
  });
  const pods = await agents.podsOf(object);
  for (const pod of pods) expect(pod.spec?.containers).toMatchObject([{ name: 'app', image }]);
  return pods;
}

const podsOn = async (node: string) => (await agents.allPods()).filter(({ spec }) => spec?.nodeName === node);

const nodesOf = (pods: readonly FullPod[]) => pods.map(({ spec }) => spec?.nodeName).sort();

describe('on every node', () => {
  it('one pod runs the image, put there by the scheduler, and is counted', async () => {
    await agents.create('agent', { image: 'agent:v1' });
    const pods = await rolledOut('agent:v1');
    expect(nodesOf(pods)).toEqual(Array.from({ length: NODES }, (_, index) => `node-${index}`));
    for (const pod of pods) {
      expect(pod.metadata.name).toMatch(new RegExp(`^agent-${pod.spec?.nodeName}-[a-z0-9]+$`));
      expect(pod.metadata.labels).toMatchObject({ [NAME_LABEL]: 'agent' });
      expect(pod.spec?.schedulerName).toBe('default-scheduler');
      expect(targetNode({ spec: { affinity: pod.spec?.affinity } as Pod['spec'] & object })).toBe(pod.spec?.nodeName);
    }
    expect((await agents.get('agent')).spec.maxUnavailable).toBe(1);
    const [head, row] = (await agents.kubectl('get', 'mds')).split('\n').map((line) => line.split(/\s+/));
    expect(head).toEqual(['NAME', 'DESIRED', 'CURRENT', 'READY', 'UP-TO-DATE', 'AVAILABLE', 'AGE']);
    expect(row?.slice(0, 6)).toEqual(['agent', ...Array(5).fill(String(NODES))]);
    await agents.kubectl('wait', '--for=condition=Ready', 'mds/agent', '--timeout=60s');
    await eventually(async () =>
      expect(await agents.kubectl('get', 'events')).toContain('Created pods on nodes node-0, node-1, node-2'),
    );
  });

  it.each([
    { maxUnavailable: 1, most: 1 },
    { maxUnavailable: '50%', most: 3 },
  ])('a new image replaces the old one, $maxUnavailable at a time', async ({ maxUnavailable, most }) => {
    await agents.create('agent', { image: 'agent:v1', maxUnavailable: 2 });
    await rolledOut('agent:v1');
    floor = NODES - most;
    await agents.change('agent', { image: 'agent:v2', maxUnavailable });
    await rolledOut('agent:v2');
    expect((await agents.get('agent')).status?.conditions).toMatchObject([
      { type: 'Available', status: 'True' },
      { type: 'Ready', status: 'True', message: `${NODES} of ${NODES} nodes are served by agent:v2` },
    ]);
  });

  it('an update stops while too many nodes are not served, and goes on after that', async () => {
    await agents.create('agent', { image: 'agent:v1' });
    await rolledOut('agent:v1');
    floor = NODES - 1;
    await addNode(client, 'full', 0);
    try {
      await agents.reach('agent', { desiredNumberScheduled: NODES + 1, numberUnavailable: 1 });
      await agents.change('agent', { image: 'agent:v2' });
      // Only the pod that serves nobody is replaced.
      const stuck = await agents.reach('agent', { updatedNumberScheduled: 1, availableReplicas: NODES });
      expect(stuck.status?.conditions).toMatchObject([
        { type: 'Available', status: 'True' },
        { type: 'Ready', status: 'False', reason: 'RollingOut' },
      ]);
    } finally {
      await removeNode(client, 'full');
    }
    await rolledOut('agent:v2');
    await eventually(async () => expect(nodesOf(await agents.allPods())).toHaveLength(NODES));
  });

  it('pods come back, however they were lost', async () => {
    await agents.create('agent', { image: 'agent:v1' });
    const pods = await rolledOut('agent:v1');
    const object = await agents.get('agent');
    await agents.deletePod(nth(pods, 0));
    await agents.patchPod(nth(pods, 1), { labels: { [NAME_LABEL]: null } });
    await agents.behave(nth(pods, 2), 'complete');
    await agents.behave(nth(pods, 3), 'fail');
    await agents.patchPod(nth(pods, 4), { ownerReferences: null });
    await eventually(async () => {
      const now = await agents.podsOf(object);
      expect(nodesOf(now)).toEqual(nodesOf(pods));
      expect(uidsOf(now)).toEqual(
        expect.arrayContaining([nth(pods, 4), nth(pods, 5)].map(({ metadata }) => metadata.uid)),
      );
      expect(uidsOf(now)).not.toEqual(expect.arrayContaining([nth(pods, 0).metadata.uid]));
      // Let go, not deleted; it keeps its name, so that its successor has another.
      expect(await agents.allPods()).toHaveLength(NODES + 1);
    });
    await rolledOut('agent:v1');
  });
});

describe('pods that are not its own', () => {
  it('kubectl run with its label: lives untouched beside it, also on a node that lacks a pod', async () => {
    const label = `${NAME_LABEL}=agent`;
    const overrides = JSON.stringify({ spec: { nodeName: 'node-0' } });
    await agents.kubectl('run', 'probe', '--image=busybox', '--labels', label, '--overrides', overrides);
    await agents.create('agent', { image: 'agent:v1' });
    await rolledOut('agent:v1');
    await agents.change('agent', { image: 'agent:v2' });
    await rolledOut('agent:v2');
    await agents.delete('agent', 'Foreground');
    await agents.gone('agent');
    const probe = nth(await agents.allPods());
    expect(probe.metadata.name).toBe('probe');
    expect(probe.metadata.ownerReferences).toBeUndefined();
    expect(probe.metadata.deletionTimestamp).toBeUndefined();
  });

  it.each([
    {
      name: 'their label',
      part: labelOf(NAME_LABEL),
      sample: { labels: { [NAME_LABEL]: 'agent' } },
      lost: 'the labels',
    },
    {
      name: 'their hash',
      part: labelOf('controller-revision-hash'),
      sample: { labels: { 'controller-revision-hash': 'h' } },
      lost: 'the labels controller-revision-hash=',
    },
  ])('that lose $name on admission are not made over and over', async ({ part, sample, lost }) => {
    const relent = await stripPods(agents, part, sample);
    const few = await PodWatch.open(client, agents.namespace, (present) =>
      present.length > 2 ? `${present.length} pods` : undefined,
    );
    await agents.create('agent', { image: 'agent:v1' });
    const message = expect.stringContaining(`lost ${lost}`);
    const failure = expect.objectContaining({
      type: 'ReplicaFailure',
      status: 'True',
      reason: 'FailedCreate',
      message,
    });
    await agents.reach('agent', { conditions: expect.arrayContaining([failure]) });
    await delay(5_000);
    expect(await few.close()).toEqual([]);
    await relent();
    await rolledOut('agent:v1');
    await eventually(async () => expect(await agents.allPods()).toHaveLength(NODES));
  });

  it('that it may not adopt do not keep it from other nodes, nor from theirs', async () => {
    await agents.create('agent', { image: 'agent:v1' });
    const pods = await rolledOut('agent:v1');
    const kept = nth(pods);
    await agents.patchPod(kept, { labels: { protected: 'yes' } });
    await agents.delete('agent', 'Orphan');
    await agents.gone('agent');
    await protectPods(agents, 'Invalid');
    await agents.create('agent', { image: 'agent:v1' });
    const owned = await rolledOut('agent:v1');
    expect(uidsOf(owned)).not.toContain(kept.metadata.uid);
    const object = await agents.get('agent');
    const failure = expect.objectContaining({ type: 'ReplicaFailure', reason: 'FailedAdopt' });
    expect(object.status?.conditions).toContainEqual(failure);
  });
});

describe('nodes', () => {
  it('that come get a pod, that are cordoned too, that are tainted do not, and those that go leave none waiting', async () => {
    await agents.create('agent', { image: 'agent:v1' });
    await rolledOut('agent:v1');
    await addNode(client, 'late');
    try {
      expect(nodesOf(await rolledOut('agent:v1', NODES + 1))).toContain('late');
      await stage.kubectl(['cordon', 'late']);
      await rolledOut('agent:v1', NODES + 1);
      const lost = nth(await podsOn('late'));
      await agents.deletePod(lost);
      // The status may still tell of the lost one; the taint that follows lets none come after it.
      await eventually(async () =>
        expect(uidsOf(await podsOn('late'))).toEqual([expect.not.stringMatching(lost.metadata.uid)]),
      );
      await rolledOut('agent:v1', NODES + 1);

      await setNode(client, 'late', 'NoSchedule');
      await agents.reach('agent', { desiredNumberScheduled: NODES, numberMisscheduled: 1, availableReplicas: NODES });
      await setNode(client, 'late', 'NoExecute');
      await agents.reach('agent', { desiredNumberScheduled: NODES, numberMisscheduled: 0, availableReplicas: NODES });
      await eventually(async () => expect(nodesOf(await agents.allPods())).not.toContain('late'));
      await setNode(client, 'late', undefined);
      await rolledOut('agent:v1', NODES + 1);
    } finally {
      await removeNode(client, 'late');
    }
    await rolledOut('agent:v1');
  });
});

describe('when it is deleted', () => {
  it.each(['Background', 'Foreground'] as const)('%s: its pods go with it', async (propagation) => {
    await agents.create('agent', { image: 'agent:v1' });
    await rolledOut('agent:v1');
    await agents.delete('agent', propagation);
    await agents.gone('agent');
    await eventually(async () => expect(await agents.allPods()).toEqual([]));
  });

  it('Orphan: its pods stay, and a new one of that name takes them over', async () => {
    await agents.create('agent', { image: 'agent:v1' });
    const pods = await rolledOut('agent:v1');
    await agents.delete('agent', 'Orphan');
    await agents.gone('agent');
    expect(uidsOf(await agents.allPods())).toEqual(uidsOf(pods));
    await agents.create('agent', { image: 'agent:v1' });
    expect(uidsOf(await rolledOut('agent:v1'))).toEqual(uidsOf(pods));
  });
});

describe('when the operator dies in mid-work', () => {
  it('the next one goes on', async () => {
    await agents.create('agent', { image: 'agent:v1' });
    await rolledOut('agent:v1');
    floor = NODES - 1;
    await agents.change('agent', { image: 'agent:v2' });
    await eventually(
      async () => expect((await agents.get('agent')).status?.updatedNumberScheduled).toBeLessThan(NODES),
      60_000,
      5,
    );
    await stage.operator.process.kill();
    expect((await agents.get('agent')).status?.conditions).not.toMatchObject([{}, { type: 'Ready', status: 'True' }]);
    await stage.startOperator();
    await rolledOut('agent:v2');
  });
});

describe('what is wrong is refused, with the field and the value', () => {
  it.each<{ name: string; spec: object; field: string; says: string }>([
    { name: 'no image', spec: {}, field: 'spec.image', says: 'image is required' },
    { name: 'an empty image', spec: { image: '' }, field: 'spec.image', says: 'image is required' },
    {
      name: 'no image reference',
      spec: { image: 'Agent v1' },
      field: 'spec.image',
      says: '"Agent v1": not an image reference',
    },
    { name: 'an image too long', spec: { image: 'a'.repeat(513) }, field: 'spec.image', says: 'Too long' },
    {
      name: 'a bound of nothing',
      spec: { image: 'a', maxUnavailable: 0 },
      field: 'spec.maxUnavailable',
      says: '0: must be',
    },
    {
      name: 'a share of nothing',
      spec: { image: 'a', maxUnavailable: '0%' },
      field: 'spec.maxUnavailable',
      says: '0%: must be',
    },
    {
      name: 'more than all',
      spec: { image: 'a', maxUnavailable: '101%' },
      field: 'spec.maxUnavailable',
      says: '101%: must be',
    },
    { name: 'a word', spec: { image: 'a', maxUnavailable: 'few' }, field: 'spec.maxUnavailable', says: 'few: must be' },
  ])('$name', async ({ spec, field, says }) => {
    const { causes, message } = await refusalOf(agents.create('bad', spec as MyDaemonSet['spec']));
    expect(causes.map((cause) => cause.field)).toContain(field);
    expect(message).toContain(says);
  });

  it('on updates, too, where the object stays as it was; and by our webhooks as well', async () => {
    await agents.create('agent', { image: 'agent:v1' });
    const { message } = await refusalOf(agents.change('agent', { image: null }));
    expect(message).toContain('spec.image: Required value: image is required');
    expect((await agents.get('agent')).spec.image).toBe('agent:v1');
    const metrics = await (await fetch(stage.operator.metricsUrl)).text();
    for (const path of ['mutate', 'validate'].map((what) => `/${what}-apps-zhongmingmao-io-v1beta1-mydaemonset`)) {
      expect(metrics).toMatch(new RegExp(`controller_runtime_webhook_requests_total{.*webhook="${path}".*} [1-9]`));
    }
  });
});

describe('while nodes come and go at random and the image changes', () => {
  it(
    'no node ever has two pods, and in the end each has the right one',
    async () => {
      const churn = { client, random: randomFrom(SEED), most: CHURN_NODES };
      await agents.create('agent', { image: 'agent:v0', maxUnavailable: '30%' });
      for (let round = 1; round <= CHURN_ROUNDS; round++) {
        await agents.change('agent', { image: `agent:v${round}` });
        for (let event = 0; event < CHURN_NODES; event++) await churnOnce(churn);
        await delay(500);
      }
      await eventually(async () => {
        const { items } = await client.list(nodes);
        const wanted = items.filter((node) => eligibilityOf(node) === 'run').map(({ metadata }) => metadata.name);
        const refusing = items.filter((node) => eligibilityOf(node) === 'leave').map(({ metadata }) => metadata.name);
        const object = await agents.get('agent');
        const pods = await agents.podsOf(object);
        const right = pods.filter(({ spec, status }) => {
          const isRunning = status?.conditions?.some(({ type, status: holds }) => type === 'Ready' && holds === 'True');
          return (
            spec?.containers[0]?.image === `agent:v${CHURN_ROUNDS}` &&
            isRunning &&
            wanted.includes(spec?.nodeName ?? '')
          );
        });
        expect(nodesOf(right)).toEqual(wanted.sort());
        expect(nodesOf(pods).filter((name) => refusing.includes(name ?? ''))).toEqual([]);
        expect(object.status).toMatchObject({
          desiredNumberScheduled: wanted.length,
          availableReplicas: wanted.length,
        });
      }, 60_000);
      expect(watch.events).toBeGreaterThan(100);
    },
    120_000 + CHURN_NODES * 1000,
  );
});
