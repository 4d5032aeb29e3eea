import { describe, expect, it } from '@jest/globals';
import { noteFailedPods, waitsOf } from '../../../src/kinds/my-daemon-set/failed-pod-backoff.ts';
import { NAME_LABEL } from '../../../src/kinds/my-daemon-set/names.ts';
import { plan } from '../../../src/kinds/my-daemon-set/plan.ts';
import { toInstant } from '../../../src/runtime/instant.ts';
import type { Action } from '../../../src/workload/action.ts';
import { targetNode } from '../../../src/workload/node-affinity.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { nodePodName } from '../../../src/workload/pod-name.ts';
import { NOW, node, podOn, snapshotOf } from './fixture.ts';

/** Actions in a few words: `create a` for a pod on node a. */
function inShort(actions: readonly Action[]): string[] {
  return actions.flatMap((action) => {
    if (action.do === 'createNamedPods') {
      return action.pods.map(({ source }) => `create ${targetNode(source.template)}`);
    }
    return 'name' in action ? [`${action.do} ${action.name}`] : [action.do];
  });
}

const nameOn = (nodeName: string) => nodePodName('agent', nodeName);

describe('what is right at a node', () => {
  it.each<{ name: string; taints?: string[]; pods: Pod[]; actions: string[] }>([
    { name: 'no pod: one is created', pods: [], actions: ['create a'] },
    { name: 'its pod: nothing', pods: [podOn('a')], actions: [] },
    { name: 'a pod on its way: nothing', pods: [podOn('a', { look: 'unscheduled' })], actions: [] },
    { name: 'a pod that is going: wait until it is gone', pods: [podOn('a', { look: 'terminating' })], actions: [] },
    {
      name: 'a pod that is done: it goes',
      pods: [podOn('a', { look: 'done' })],
      actions: [`deletePod ${nameOn('a')}`],
    },
    {
      name: 'a pod that failed: it goes',
      pods: [podOn('a', { look: 'failed' })],
      actions: [`deletePod ${nameOn('a')}`],
    },
    {
      name: 'two: the one that is on its way goes, however old',
      pods: [podOn('a', { age: 5 }), podOn('a', { name: 'second', look: 'unscheduled', age: 500 })],
      actions: ['deletePod second'],
    },
    {
      name: 'two: the one that is on its way goes, however they are listed',
      pods: [podOn('a', { name: 'second', look: 'unscheduled', age: 500 }), podOn('a', { age: 5 })],
      actions: ['deletePod second'],
    },
    {
      name: 'two: the younger goes',
      pods: [podOn('a', { age: 5 }), podOn('a', { name: 'second', age: 500 })],
      actions: [`deletePod ${nameOn('a')}`],
    },
    {
      name: 'two of one age: the later by name goes',
      pods: [podOn('a', { name: 'z' }), podOn('a', { name: 'b' })],
      actions: ['deletePod z'],
    },
    {
      name: 'a pod of an old image: it goes',
      pods: [podOn('a', { image: 'agent:v1' })],
      actions: [`deletePod ${nameOn('a')}`],
    },
    { name: 'taken by a NoSchedule taint: none comes', taints: ['NoSchedule'], pods: [], actions: [] },
    { name: 'tainted later: the pod stays', taints: ['NoSchedule'], pods: [podOn('a')], actions: [] },
    {
      name: 'tainted NoExecute: the pod goes',
      taints: ['NoExecute'],
      pods: [podOn('a')],
      actions: [`deletePod ${nameOn('a')}`],
    },
    {
      name: 'tainted NoExecute, and the pod is going: that is enough',
      taints: ['NoExecute'],
      pods: [podOn('a', { look: 'terminating' })],
      actions: [],
    },
    {
      name: 'tainted NoExecute, of an old image: it goes once',
      taints: ['NoExecute'],
      pods: [podOn('a', { image: 'agent:v1' })],
      actions: [`deletePod ${nameOn('a')}`],
    },
    {
      name: 'cordoned: it gets its pod',
      taints: ['node.kubernetes.io/unschedulable:NoSchedule'],
      pods: [],
      actions: ['create a'],
    },
  ])('$name', ({ taints = [], pods, actions }) => {
    expect(inShort(plan(snapshotOf({}, [node('a', ...taints)], pods), NOW).actions)).toEqual(actions);
  });

  it('a pod on its way to a node that is gone is deleted; one that was there is the garbage collector’s', () => {
    const pods = [podOn('gone-1', { look: 'unscheduled' }), podOn('gone-2')];
    expect(inShort(plan(snapshotOf({}, [], pods), NOW).actions)).toEqual([`deletePod ${nameOn('gone-1')}`]);
  });

  it('a pod on its way to a node that is gone is deleted once', () => {
    const { metadata, ...rest } = podOn('gone', { look: 'unscheduled' });
    const going = { ...rest, metadata: { ...metadata, deletionTimestamp: '2026-01-01T12:00:00Z' } };
    expect(plan(snapshotOf({}, [], [going]), NOW).actions).toEqual([]);
  });

  it('nodes get their pods in the order of their names', () => {
    const nodes = ['b', 'c', 'a'].map((name) => node(name));
    expect(inShort(plan(snapshotOf({}, nodes), NOW).actions)).toEqual(['create a', 'create b', 'create c']);
  });

  it('a fleet gets its pods at once, up to the burst', () => {
    const nodes = Array.from({ length: 600 }, (_, index) => node(`n${index}`));
    const { actions, events } = plan(snapshotOf({}, nodes), NOW);
    expect(inShort(actions)).toHaveLength(500);
    expect(events).toMatchObject([{ message: expect.stringMatching(/ and 495 more$/) }]);
  });

  it('a fleet loses its pods at once, up to the burst', () => {
    const names = Array.from({ length: 600 }, (_, index) => `n${index}`);
    const nodes = names.map((name) => node(name, 'NoExecute'));
    const { actions, events, failedOn } = plan(
      snapshotOf(
        {},
        nodes,
        names.map((name) => podOn(name)),
      ),
      NOW,
    );
    expect(actions.map((action) => action.do)).toEqual(Array.from({ length: 500 }, () => 'deletePod'));
    expect(events).toMatchObject([{ message: expect.stringMatching(/ and 495 more$/) }]);
    expect(failedOn).toEqual([]);
  });

  it('creates the pod under its name, with image, hash and node', () => {
    const [action] = plan(snapshotOf({}, [node('a')]), NOW).actions;
    expect(action).toMatchObject({
      do: 'createNamedPods',
      revision: 'daemon',
      pods: [
        {
          name: nameOn('a'),
          source: {
            hash: '576497bbb6',
            template: { spec: { containers: [{ name: 'app', image: 'agent:v2' }] } },
            selector: { matchLabels: { [NAME_LABEL]: 'agent', 'controller-revision-hash': '576497bbb6' } },
          },
        },
      ],
    });
  });

  it('gives the pod a name that none before it had', () => {
    const usedNames = new Map([['a', 3]]);
    const [action] = plan(snapshotOf({}, [node('a')], [], { usedNames }), NOW).actions;
    expect(action).toMatchObject({ pods: [{ name: nodePodName('agent', 'a', 3) }] });
  });

  it('takes the next name when a stranger has the first', () => {
    const stranger = podOn('a', { owner: 'nobody', labels: {} });
    const [action] = plan(snapshotOf({}, [node('a')], [stranger]), NOW).actions;
    expect(action).toMatchObject({ do: 'createNamedPods', pods: [{ name: nodePodName('agent', 'a', 1) }] });
  });
});

describe('whose pods they are', () => {
  it.each<{ name: string; pods: Pod[]; actions: string[] }>([
    {
      name: 'an orphan on a node without one is adopted',
      pods: [podOn('a', { owner: 'nobody' })],
      actions: [`adoptPod ${nameOn('a')}`],
    },
    {
      name: 'of two orphans on a node one is',
      pods: [podOn('a', { owner: 'nobody', age: 5 }), podOn('a', { owner: 'nobody', name: 'older', age: 500 })],
      actions: ['adoptPod older'],
    },
    {
      name: 'of two orphans on a node the same one is, however they are listed',
      pods: [podOn('a', { owner: 'nobody', name: 'older', age: 500 }), podOn('a', { owner: 'nobody', age: 5 })],
      actions: ['adoptPod older'],
    },
    {
      name: 'an orphan beside our pod is not',
      pods: [podOn('a'), podOn('a', { owner: 'nobody', name: 'extra' })],
      actions: [],
    },
    {
      name: 'a pod that lost the label is let go',
      pods: [podOn('a', { labels: {} })],
      actions: [`releasePod ${nameOn('a')}`],
    },
    {
      name: 'a pod of somebody else is nothing to us',
      pods: [podOn('a', { owner: 'other', name: 'theirs' })],
      actions: ['create a'],
    },
  ])('$name', ({ pods, actions }) => {
    expect(inShort(plan(snapshotOf({}, [node('a')], pods), NOW).actions)).toEqual(actions);
  });

  it('an orphan that may go anywhere is left alone', () => {
    const { spec: _, ...nowhere } = podOn('a', { owner: 'nobody', name: 'nowhere' });
    expect(inShort(plan(snapshotOf({}, [node('a')], [nowhere]), NOW).actions)).toEqual(['create a']);
  });
});

describe('pods that fail', () => {
  const failed = [podOn('a', { look: 'failed' }), podOn('b', { look: 'failed' })];
  const nodes = [node('a'), node('b')];

  it('are told of, and noted down', () => {
    const planned = plan(snapshotOf({}, nodes, failed), NOW);
    expect(planned.failedOn).toEqual(['a', 'b']);
    expect(planned.events).toContainEqual({
      type: 'Warning',
      reason: 'FailedDaemonPod',
      message: 'Pods failed on nodes a, b',
    });
  });

  it('wait where one failed just before, and a time is set', () => {
    const backoffs = noteFailedPods(new Map(), ['a'], toInstant(0));
    const waits = waitsOf(backoffs, toInstant(400));
    const planned = plan(snapshotOf({}, nodes, failed, { waits }), NOW);
    expect(inShort(planned.actions)).toEqual([`deletePod ${nameOn('b')}`]);
    expect(planned).toMatchObject({ failedOn: ['b'], checkAgainAt: NOW + 600 });
    const moment = plan(snapshotOf({}, nodes, failed, { waits: waitsOf(backoffs, toInstant(999)) }), NOW + 599);
    expect(moment).toMatchObject({ failedOn: ['b'], checkAgainAt: NOW + 600 });
    const later = plan(snapshotOf({}, nodes, failed, { waits: waitsOf(backoffs, toInstant(1000)) }), NOW + 600);
    expect(later).toMatchObject({ failedOn: ['a', 'b'], checkAgainAt: undefined });
  });

  it('make a pod that is done wait for nothing', () => {
    const waits = new Map([['a', 1000]]);
    const planned = plan(snapshotOf({}, [node('a')], [podOn('a', { look: 'done' })], { waits }), NOW);
    expect(planned).toMatchObject({ actions: [{ do: 'deletePod' }], failedOn: [], checkAgainAt: undefined });
  });
});

describe('nothing is done', () => {
  it('about an object that is gone', () => {
    expect(plan(undefined, NOW)).toMatchObject({ actions: [], status: undefined, events: [], failedOn: [] });
  });

  it('but to report, while it is being deleted', () => {
    const metadata = { deletionTimestamp: '2026-01-01T12:00:00Z' };
    const planned = plan(snapshotOf({ metadata }, [node('a'), node('b')], [podOn('a', { look: 'failed' })]), NOW);
    expect(planned).toMatchObject({ actions: [], events: [], status: { desiredNumberScheduled: 2 } });
  });

  it('but to report, for an object without an image', () => {
    const planned = plan(snapshotOf({ image: '' }, [node('a')], []), NOW);
    expect(planned).toMatchObject({ actions: [], status: { desiredNumberScheduled: 1, availableReplicas: 0 } });
    const { object, ...rest } = snapshotOf({}, [node('a')]);
    expect(plan({ ...rest, object: { ...object, spec: {} } as typeof object }, NOW).actions).toEqual([]);
  });
});

describe('events', () => {
  it('name five', () => {
    const nodes = ['a', 'b', 'c', 'd', 'e'].map((name) => node(name));
    expect(plan(snapshotOf({}, nodes), NOW).events).toMatchObject([{ message: 'Created pods on nodes a, b, c, d, e' }]);
  });

  it('say one thing once, and name a few', () => {
    const nodes = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => node(name));
    const { events } = plan(snapshotOf({}, nodes, [podOn('g', { look: 'done' })]), NOW);
    expect(events).toEqual([
      { type: 'Normal', reason: 'SuccessfulCreate', message: 'Created pods on nodes a, b, c, d, e and 1 more' },
      { type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted pods ${nameOn('g')}` },
    ]);
  });
});
