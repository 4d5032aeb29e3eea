import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { timestamp } from '../../src/runtime/conditions.ts';
import { podsToDelete } from '../../src/workload/deletion-order.ts';
import { IN_PLACE } from '../../src/workload/in-place/names.ts';
import type { Pod } from '../../src/workload/pod.ts';

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3600;
const MONTH = 31 * 24 * HOUR;

interface Traits {
  readonly node?: string;
  readonly phase?: string;
  /** Seconds for which it has been ready, or 'unknown'; not ready when left out. */
  readonly ready?: number | 'unknown';
  readonly restarts?: number;
  readonly sidecarRestarts?: number;
  /** Seconds since it was created. */
  readonly age?: number;
  readonly cost?: string;
  readonly uid?: string;
}

function pod(name: string, traits: Traits): Pod {
  const { node = 'node', phase = 'Running', ready, restarts = 0, sidecarRestarts = 0, age, cost, uid = name } = traits;
  const condition = { type: 'Ready', status: ready === undefined ? 'False' : 'True' };
  const since = typeof ready === 'number' ? { lastTransitionTime: timestamp(NOW - ready * 1000) } : {};
  return {
    metadata: {
      name,
      uid,
      resourceVersion: '1',
      ...(age !== undefined && { creationTimestamp: timestamp(NOW - age * 1000) }),
      ...(cost !== undefined && { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } }),
    },
    spec: {
      ...(node !== '' && { nodeName: node }),
      initContainers: [{ name: 'setup' }, { name: 'sidecar', restartPolicy: 'Always' }],
    },
    status: {
      phase,
      conditions: [{ ...condition, ...since }],
      containerStatuses: [{ restartCount: restarts }, { restartCount: 0 }],
      initContainerStatuses: [
        { name: 'setup', restartCount: 99 },
        { name: 'sidecar', restartCount: sidecarRestarts },
      ],
    },
  };
}

function order(pods: readonly Pod[], minReadySeconds = 0, siblings = pods, count = pods.length): string[] {
  return podsToDelete(pods, count, { siblings, minReadySeconds, now: NOW }).map(({ metadata }) => metadata.name);
}

describe('controller_utils_test.go TestSortingActivePods', () => {
  const sorted = [
    pod('unscheduled', { node: '', phase: 'Pending' }),
    pod('scheduled-but-pending', { phase: 'Pending' }),
    pod('unknown-phase', { phase: 'Unknown' }),
    pod('running-but-not-ready', {}),
    pod('ready-nobody-knows-since-when', { ready: 'unknown', restarts: 3 }),
    pod('ready-just-now', { ready: 0, restarts: 3 }),
    pod('ready-for-long', { ready: MONTH, restarts: 3 }),
    pod('sidecar-restarted-less', { ready: MONTH, restarts: 2, sidecarRestarts: 2, age: 0 }),
    pod('container-restarted-less', { ready: MONTH, restarts: 2, age: 0 }),
    pod('oldest', { ready: MONTH, restarts: 2, age: MONTH }),
  ];

  it('sorts from the first to go to the last, however the pods are listed', () => {
    const names = sorted.map(({ metadata }) => metadata.name);
    fc.assert(
      fc.property(fc.shuffledSubarray(sorted, { minLength: sorted.length }), (shuffled) => {
        expect(order(shuffled, 0, [])).toEqual(names);
      }),
    );
  });
});

describe('controller_utils_test.go TestSortingActivePodsWithRanks', () => {
  const unscheduled = { node: '', phase: 'Pending' };
  const pending = { phase: 'Pending' };
  const readyNow = { ready: 0, age: 0 };
  const readyNowOldPod = { ready: 0, age: MONTH };

  it.each<{ name: string; first: Traits; crowd: number; second: Traits; other: number }>([
    { name: 'unscheduled before pending', first: unscheduled, crowd: 1, second: pending, other: 2 },
    { name: 'unscheduled before pending, crowded', first: unscheduled, crowd: 2, second: pending, other: 1 },
    { name: 'pending before unknown', first: pending, crowd: 1, second: { phase: 'Unknown' }, other: 2 },
    { name: 'no phase before unknown', first: { phase: '' }, crowd: 1, second: { phase: 'Unknown' }, other: 1 },
    { name: 'unknown before not ready', first: { phase: 'Unknown' }, crowd: 1, second: {}, other: 2 },
    { name: 'not ready before ready', first: {}, crowd: 1, second: { ready: 'unknown' }, other: 1 },
    { name: 'ready without a time before ready', first: { ready: 'unknown' }, crowd: 1, second: readyNow, other: 1 },
    {
      name: 'ready without a time before ready, the other way round by UID',
      first: { ready: 'unknown', uid: 'a' },
      crowd: 1,
      second: { ...readyNow, uid: 'z' },
      other: 1,
    },
    {
      name: 'ready by a clock that is ahead before ready',
      first: { ready: -60, age: MONTH },
      crowd: 1,
      second: { ready: 1, age: MONTH },
      other: 1,
    },
    {
      name: 'ready by a clock that is ahead is as good as ready just now: the UID decides',
      first: { ready: -60, age: MONTH, uid: 'a' },
      crowd: 1,
      second: { ready: 0, age: MONTH, uid: 'b' },
      other: 1,
    },
    { name: 'crowded first', first: readyNow, crowd: 2, second: { ready: 'unknown' }, other: 1 },
    { name: 'ready lately before ready long ago', first: readyNow, crowd: 1, second: { ready: MONTH }, other: 1 },
    { name: 'ready lately and crowded', first: readyNow, crowd: 2, second: { ready: MONTH }, other: 1 },
    { name: 'many restarts first', first: { ...readyNow, restarts: 9001 }, crowd: 1, second: readyNow, other: 1 },
    {
      name: 'many sidecar restarts first',
      first: { ...readyNow, restarts: 9001, sidecarRestarts: 9001 },
      crowd: 1,
      second: { ...readyNow, restarts: 9001 },
      other: 1,
    },
    {
      name: 'a single sidecar restart first',
      first: { ...readyNow, sidecarRestarts: 1 },
      crowd: 1,
      second: readyNow,
      other: 1,
    },
    { name: 'crowd before restarts', first: readyNow, crowd: 2, second: { ...readyNow, restarts: 9001 }, other: 1 },
    { name: 'young before old', first: readyNow, crowd: 1, second: readyNowOldPod, other: 1 },
    { name: 'crowd before age', first: readyNowOldPod, crowd: 2, second: readyNow, other: 1 },
    {
      name: 'low deletion cost before high, crowded or not',
      first: { ...readyNowOldPod, cost: '10' },
      crowd: 1,
      second: { ...readyNowOldPod, cost: '100' },
      other: 2,
    },
    {
      name: '2 hours before 5 hours',
      first: { ready: 2 * HOUR, age: MONTH, uid: 'z' },
      crowd: 1,
      second: { ready: 5 * HOUR, age: MONTH, uid: 'a' },
      other: 1,
    },
    {
      name: '8 hours are as good as 5: the UID decides, not the restarts',
      first: { ready: 8 * HOUR, age: MONTH, uid: 'a' },
      crowd: 1,
      second: { ready: 5 * HOUR, age: MONTH, uid: 'b', restarts: 9 },
      other: 1,
    },
    {
      name: '13 days and 44:59 minutes before a second more: a doubling lies between them',
      first: { ready: 1_125_899, age: MONTH, uid: 'z' },
      crowd: 1,
      second: { ready: 1_125_900, age: MONTH, uid: 'a' },
      other: 1,
    },
    {
      name: '34 s before 35 s: a doubling lies between them',
      first: { ready: 34, age: MONTH, uid: 'z' },
      crowd: 1,
      second: { ready: 35, age: MONTH, uid: 'a' },
      other: 1,
    },
    {
      name: '68 s are as good as 35: the UID decides',
      first: { ready: 68, age: MONTH, uid: 'a' },
      crowd: 1,
      second: { ready: 35, age: MONTH, uid: 'b' },
      other: 1,
    },
    {
      name: 'created 8 or 5 hours ago: the UID decides',
      first: { ...unscheduled, age: 8 * HOUR, uid: 'a' },
      crowd: 1,
      second: { ...unscheduled, age: 5 * HOUR, uid: 'b' },
      other: 1,
    },
  ])('$name', ({ first, crowd, second, other }) => {
    const place = (traits: Traits, node: string): Traits => (traits.node === '' ? traits : { ...traits, node });
    const one = pod('first', { uid: 'z', ...place(first, 'crowd') });
    const two = pod('second', { uid: 'a', ...place(second, 'other') });
    const siblings = [
      ...Array.from({ length: crowd }, () => pod('sibling', { node: 'crowd' })),
      ...Array.from({ length: other }, () => pod('sibling', { node: 'other' })),
    ];
    expect(order([one, two], 0, siblings)).toEqual(['first', 'second']);
    expect(order([two, one], 0, siblings)).toEqual(['first', 'second']);
  });
});

describe('replica_set_test.go TestGetPodsToDelete', () => {
  const unscheduled = pod('unscheduled', { node: '', phase: 'Pending' });
  const pending = pod('pending', { phase: 'Pending' });
  const notReady = pod('not-ready', {});
  const onNode1 = pod('on-node-1', { ready: 'unknown', node: 'node-1' });
  const alsoOnNode1 = pod('on-node-1-too', { ready: 'unknown', node: 'node-1' });
  const onNode2 = pod('on-node-2', { ready: 'unknown', node: 'node-2' });
  const alsoNotReady = pod('not-ready-too', {});

  it.each([
    { name: 'no pods', pods: [], count: 0, deleted: [] },
    { name: 'all of two', pods: [notReady, onNode1], count: 2, deleted: ['not-ready', 'on-node-1'] },
    { name: 'one of two', pods: [onNode1, notReady], count: 1, deleted: ['not-ready'] },
    { name: 'scheduled vs unscheduled', pods: [pending, unscheduled], count: 1, deleted: ['unscheduled'] },
    {
      name: 'ready vs not ready',
      pods: [onNode1, notReady, alsoNotReady],
      count: 2,
      deleted: ['not-ready', 'not-ready-too'],
    },
    { name: 'pending vs running', pods: [pending, notReady], count: 1, deleted: ['pending'] },
    {
      name: 'colocated with another vs alone on its node',
      pods: [onNode1, onNode2],
      siblings: [onNode1, onNode2, onNode2],
      count: 1,
      deleted: ['on-node-2'],
    },
    {
      name: 'a sibling that is shutting down crowds nobody',
      pods: [onNode1, onNode2],
      siblings: [onNode1, onNode1, onNode2, terminating(onNode2), terminating(onNode2)],
      count: 1,
      deleted: ['on-node-1'],
    },
    {
      name: 'a node with a sibling on it vs one where none is counted',
      pods: [onNode1, onNode2],
      siblings: [onNode2],
      count: 1,
      deleted: ['on-node-2'],
    },
    {
      name: 'various phases, three of five',
      pods: [onNode1, onNode2, notReady, pending, unscheduled],
      count: 3,
      deleted: ['unscheduled', 'pending', 'not-ready'],
    },
    {
      name: 'various phases, all',
      pods: [onNode1, alsoOnNode1, onNode2, notReady, pending, unscheduled],
      count: 6,
      deleted: ['unscheduled', 'pending', 'not-ready', 'on-node-1', 'on-node-1-too', 'on-node-2'],
    },
    {
      name: 'various phases, all, no siblings known',
      pods: [alsoOnNode1, onNode1, onNode2, notReady, pending, unscheduled],
      siblings: [],
      count: 6,
      deleted: ['unscheduled', 'pending', 'not-ready', 'on-node-1', 'on-node-1-too', 'on-node-2'],
    },
  ])('$name', ({ pods, siblings = pods, count, deleted }) => {
    expect(order(pods, 0, siblings, count)).toEqual(deleted);
  });

  function terminating(one: Pod): Pod {
    return { ...one, metadata: { ...one.metadata, deletionTimestamp: timestamp(NOW) } };
  }
});

describe('replicaset_test.go TestPodDeletionCost', () => {
  it.each([
    { name: 'different costs', one: '50', other: '100', first: 'one' },
    { name: 'the other way round', one: '100', other: '50', first: 'other' },
    { name: 'negative', one: '10', other: '-10', first: 'other' },
    { name: 'same costs: restarts decide', one: '100', other: '100', first: 'other' },
    { name: 'no cost is 0', one: '-1', other: undefined, first: 'one' },
    { name: 'a plus sign is invalid, so 0', one: '1', other: '+10', first: 'other' },
    { name: 'a leading zero is invalid, so 0', one: '1', other: '008', first: 'other' },
    { name: 'text is invalid, so 0', one: '1', other: 'cheap', first: 'other' },
    { name: 'nothing is invalid, so 0', one: '1', other: '', first: 'other' },
    { name: 'not a whole number, so 0', one: '1', other: '2.5', first: 'other' },
    { name: 'more than an int32, so 0', one: '1', other: '2147483648', first: 'other' },
    { name: 'the largest int32', one: '1', other: '2147483647', first: 'one' },
    { name: 'less than an int32, so 0', one: '-1', other: '-2147483649', first: 'one' },
    { name: 'the smallest int32', one: '-1', other: '-2147483648', first: 'other' },
    { name: 'text is no more than 0: restarts decide', one: '0', other: 'cheap', first: 'other' },
    { name: 'too large is no more than 0: restarts decide', one: '0', other: '2147483648', first: 'other' },
  ])('$name', ({ one, other, first }) => {
    const pods = [
      pod('one', { ready: HOUR, cost: one }),
      pod('other', { ready: HOUR, restarts: 1, ...(other !== undefined && { cost: other }) }),
    ];
    expect(order(pods)[0]).toBe(first);
  });
});

describe('what is not yet available', () => {
  const settled = { ready: HOUR, cost: '-100' };
  const fresh = { ready: 5 };

  it('goes before what is, however cheap that is to delete', () => {
    expect(order([pod('settled', settled), pod('fresh', fresh)], 60)).toEqual(['fresh', 'settled']);
  });

  it('goes after what is not even ready, however dear that is to delete', () => {
    expect(order([pod('fresh', fresh), pod('broken', { cost: '100' })], 60)).toEqual(['broken', 'fresh']);
  });

  it('makes no difference without minReadySeconds', () => {
    expect(order([pod('settled', settled), pod('fresh', fresh)], 0)).toEqual(['settled', 'fresh']);
  });
});

it('of pods that are not ready, those that are being changed in place go first', () => {
  const changing = pod('z', {});
  const annotations = { [IN_PLACE]: '{}' };
  const pods = [pod('a', {}), { ...changing, metadata: { ...changing.metadata, annotations } }];
  expect(podsToDelete(pods, 2, { siblings: pods, minReadySeconds: 0, now: NOW })).toEqual([pods[1], pods[0]]);
});

describe('the choice', () => {
  const traits = fc.record({
    ready: fc.option(fc.constantFrom(0, 1, 2, 60, 90, HOUR), { nil: undefined }),
    restarts: fc.nat(1),
    age: fc.constantFrom(0, 1, 60, 90),
    node: fc.constantFrom('', 'a', 'b'),
  });

  it('does not depend on how the pods are listed', () => {
    fc.assert(
      fc.property(fc.array(traits, { maxLength: 8 }), fc.nat(8), (all, count) => {
        const pods = all.map(({ ready, ...rest }, index) =>
          pod(`pod-${index}`, { ...rest, ...(ready !== undefined && { ready }) }),
        );
        expect(order(pods.toReversed(), 2, pods, count)).toEqual(order(pods, 2, pods, count));
      }),
    );
  });
});
