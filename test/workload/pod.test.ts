import { describe, expect, it } from '@jest/globals';
import { timestamp } from '../../src/runtime/conditions.ts';
import { IN_PLACE_READY } from '../../src/workload/in-place/names.ts';
import {
  availableAt,
  earliest,
  isActive,
  isAvailable,
  isReady,
  isTerminating,
  nextAvailability,
  type Pod,
  readySince,
} from '../../src/workload/pod.ts';

const NOW = Date.UTC(2026, 0, 1);

interface Traits {
  readonly phase?: string;
  readonly ready?: 'True' | 'False';
  /** Seconds since its readiness last changed. */
  readonly since?: number;
  readonly deleting?: boolean;
}

function pod({ phase = 'Running', ready, since, deleting }: Traits): Pod {
  const time = since === undefined ? {} : { lastTransitionTime: timestamp(NOW - since * 1000) };
  return {
    metadata: {
      name: 'web',
      uid: 'uid',
      resourceVersion: '1',
      ...(deleting && { deletionTimestamp: timestamp(NOW) }),
    },
    status: { phase, ...(ready && { conditions: [{ type: 'Ready', status: ready, ...time }] }) },
  };
}

describe('controller_utils_test.go TestActivePodFiltering and TestCountTerminatingPods', () => {
  it.each([
    { phase: 'Running', deleting: false, active: true, terminating: false },
    { phase: 'Pending', deleting: false, active: true, terminating: false },
    { phase: 'Unknown', deleting: false, active: true, terminating: false },
    { phase: 'Failed', deleting: false, active: false, terminating: false },
    { phase: 'Succeeded', deleting: false, active: false, terminating: false },
    { phase: 'Running', deleting: true, active: false, terminating: true },
    { phase: 'Pending', deleting: true, active: false, terminating: true },
    { phase: 'Failed', deleting: true, active: false, terminating: false },
    { phase: 'Succeeded', deleting: true, active: false, terminating: false },
  ])('$phase, deleting $deleting', ({ phase, deleting, active, terminating }) => {
    expect(isActive(pod({ phase, deleting }))).toBe(active);
    expect(isTerminating(pod({ phase, deleting }))).toBe(terminating);
  });

  it('takes a pod that the kubelet has not spoken of yet for active', () => {
    const { metadata } = pod({});
    expect(isActive({ metadata })).toBe(true);
    expect(isReady({ metadata })).toBe(false);
  });

  it('does not take a pod for ready because another of its conditions holds', () => {
    const conditions = [
      { type: 'Initialized', status: 'True' },
      { type: 'Ready', status: 'False' },
    ];
    expect(isReady({ ...pod({}), status: { phase: 'Running', conditions } })).toBe(false);
  });
});

describe('controller_utils_test.go TestNextPodAvailabilityCheck', () => {
  it.each([
    { name: 'not ready', ready: 'False', since: 0, minReadySeconds: 0, seconds: undefined, available: false },
    { name: 'no minReadySeconds', ready: 'True', since: 0, minReadySeconds: 0, seconds: undefined, available: true },
    {
      name: 'no time known',
      ready: 'True',
      since: undefined,
      minReadySeconds: 1,
      seconds: undefined,
      available: false,
    },
    { name: 'just became ready', ready: 'True', since: 0, minReadySeconds: 1, seconds: 1, available: false },
    { name: 'ready for 20s', ready: 'True', since: 20, minReadySeconds: 30, seconds: 10, available: false },
    {
      name: 'ready for exactly 50s',
      ready: 'True',
      since: 50,
      minReadySeconds: 50,
      seconds: undefined,
      available: true,
    },
    { name: 'available', ready: 'True', since: 51, minReadySeconds: 50, seconds: undefined, available: true },
  ] as const)('$name', ({ ready, since, minReadySeconds, seconds, available }) => {
    const one = pod({ ready, ...(since !== undefined && { since }) });
    const at = seconds === undefined ? undefined : NOW + seconds * 1000;
    expect(nextAvailability([one], minReadySeconds, NOW)).toBe(at);
    expect(isAvailable(one, minReadySeconds, NOW)).toBe(available);
  });

  it('takes a ready pod for available at once when there is nothing to wait for, even with its clock ahead', () => {
    expect(isAvailable(pod({ ready: 'True', since: -5 }), 0, NOW)).toBe(true);
    expect(nextAvailability([pod({ ready: 'True', since: -5 })], 0, NOW)).toBeUndefined();
    expect(availableAt(pod({ ready: 'True' }), 0)).toBe(0);
    expect(availableAt(pod({ ready: 'False', since: 5 }), 0)).toBeUndefined();
  });
});

describe('controller_utils_test.go TestFindMinNextPodAvailability', () => {
  const unready = pod({ ready: 'False', since: 0 });
  const readyFor = (since: number): Pod => pod({ ready: 'True', since });

  it.each([
    { name: 'no pods', pods: [], minReadySeconds: 0, seconds: undefined },
    { name: 'unready pods', pods: [unready, unready], minReadySeconds: 0, seconds: undefined },
    { name: 'no minReadySeconds', pods: [readyFor(0), readyFor(0)], minReadySeconds: 0, seconds: undefined },
    {
      name: 'the earliest of several',
      pods: [unready, readyFor(2), readyFor(0), readyFor(4), unready],
      minReadySeconds: 10,
      seconds: 6,
    },
    {
      name: 'only unready and available pods',
      pods: [unready, readyFor(15), readyFor(11), readyFor(10)],
      minReadySeconds: 10,
      seconds: undefined,
    },
  ])('$name', ({ pods, minReadySeconds, seconds }) => {
    const at = seconds === undefined ? undefined : NOW + seconds * 1000;
    expect(nextAvailability(pods, minReadySeconds, NOW)).toBe(at);
  });
});

describe('the earliest of some moments', () => {
  it.each([
    { moments: [], first: undefined },
    { moments: [undefined], first: undefined },
    { moments: [7, undefined, 3, 5], first: 3 },
    { moments: [0, 1], first: 0 },
  ])('$moments: $first', ({ moments, first }) => {
    expect(earliest(moments)).toBe(first);
  });
});

describe('a pod whose containers are changed in place', () => {
  const started = (
    readinessGates: readonly { readonly conditionType: string }[],
    at: readonly (number | undefined)[],
  ) => {
    const one = pod({ ready: 'True', since: 60 });
    const containerStatuses = at.map((seconds) => ({
      state: seconds === undefined ? {} : { running: { startedAt: timestamp(NOW - seconds * 1000) } },
    }));
    return readySince({ ...one, spec: { readinessGates }, status: { ...one.status, containerStatuses } });
  };
  const gate = [{ conditionType: IN_PLACE_READY }];

  it.each([
    { name: 'since its last container started', gates: gate, starts: [90, 5, 20], since: 5 },
    { name: 'since its condition says so, where that is later', gates: gate, starts: [90], since: 60 },
    { name: 'although a container does not run', gates: gate, starts: [undefined, 20], since: 20 },
    { name: 'by its condition alone, where they are not changed', gates: [], starts: [5], since: 60 },
  ])('is ready $name', ({ gates, starts, since }) => {
    expect(started(gates, starts)).toBe(NOW - since * 1000);
  });

  it('is not ready by a start alone', () => {
    expect(readySince({ ...pod({ ready: 'False' }), spec: { readinessGates: gate } })).toBeUndefined();
  });
});
