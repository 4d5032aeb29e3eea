import { describe, expect, it } from '@jest/globals';
import { observe } from '../../../src/kinds/my-daemon-set/snapshot.ts';
import { observedStatus } from '../../../src/kinds/my-daemon-set/status.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { NOW, node, type ObjectOptions, podOn, snapshotOf } from './fixture.ts';

const statusOf = (options: ObjectOptions, nodes: Parameters<typeof node>[0][], pods: readonly Pod[]) =>
  observedStatus(
    observe(
      snapshotOf(
        options,
        nodes.map((name) => (name.startsWith('x') ? node(name, 'NoSchedule') : node(name))),
        pods,
      ),
      NOW,
    ),
  );

describe('the numbers of a native DaemonSet', () => {
  it('are counted by node', () => {
    const pods = [
      podOn('a'),
      podOn('b', { look: 'starting' }),
      podOn('c', { image: 'agent:v1' }),
      podOn('d', { look: 'terminating' }),
      podOn('x1'),
      podOn('gone'),
    ];
    expect(statusOf({}, ['a', 'b', 'c', 'd', 'e', 'x1', 'x2', 'x3'], pods)).toMatchObject({
      observedGeneration: 2,
      desiredNumberScheduled: 5,
      currentNumberScheduled: 4,
      numberReady: 2,
      availableReplicas: 2,
      numberUnavailable: 3,
      updatedNumberScheduled: 2,
      numberMisscheduled: 1,
    });
  });
});

describe('conditions', () => {
  const old = { image: 'agent:v1' };
  it.each<{ name: string; options?: ObjectOptions; pods: Pod[]; available: string; ready: string; says: string }>([
    {
      name: 'all served',
      pods: [podOn('a'), podOn('b'), podOn('c')],
      available: 'MinimumPodsAvailable',
      ready: 'AllNodesUpdated',
      says: '3 of 3 nodes are served by agent:v2',
    },
    {
      name: 'rolling, within the bound',
      pods: [podOn('a'), podOn('b', old), podOn('c', { ...old, look: 'terminating' })],
      available: 'MinimumPodsAvailable',
      ready: 'RollingOut',
      says: '1 of 3 nodes are served by agent:v2',
    },
    {
      name: 'too few',
      pods: [podOn('a', { look: 'starting' }), podOn('b', { look: 'starting' }), podOn('c')],
      available: 'MinimumPodsUnavailable',
      ready: 'PodsNotReady',
      says: '1 of 3 nodes are served by agent:v2',
    },
    {
      name: 'too few, but allowed',
      options: { maxUnavailable: '50%' },
      pods: [podOn('a', { look: 'starting' }), podOn('b', { look: 'starting' }), podOn('c')],
      available: 'MinimumPodsAvailable',
      ready: 'PodsNotReady',
      says: '1 of 3 nodes are served by agent:v2',
    },
  ])('$name', ({ options = {}, pods, available, ready, says }) => {
    const { conditions } = statusOf(options, ['a', 'b', 'c'], pods);
    expect(conditions).toMatchObject([
      {
        type: 'Available',
        reason: available,
        status: available === 'MinimumPodsAvailable' ? 'True' : 'False',
        observedGeneration: 2,
      },
      { type: 'Ready', reason: ready, status: ready === 'AllNodesUpdated' ? 'True' : 'False', message: says },
    ]);
  });

  it('keep their time while they hold', () => {
    const before = observedStatus(observe(snapshotOf({}, [node('a')], [podOn('a')]), NOW - 60_000));
    expect(statusOf({ status: before }, ['a'], [podOn('a')])).toEqual(before);
  });

  it('hold without any node', () => {
    expect(statusOf({}, [], []).conditions).toMatchObject([{ status: 'True' }, { status: 'True' }]);
  });
});
