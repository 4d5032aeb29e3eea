import { expect, it } from '@jest/globals';
import type { Condition } from '../../src/runtime/conditions.ts';
import { noteFailures } from '../../src/workload/replica-failure.ts';

const now = Date.UTC(2026, 0, 1);
const ready: Condition = {
  type: 'Ready',
  status: 'False',
  reason: 'PodsNotReady',
  message: '0 of 1 pods are ready',
  lastTransitionTime: '2025-12-31T00:00:00Z',
};
const quota = { reason: 'FailedCreate', message: 'exceeded quota' };

it('says why, with the first failure there was', () => {
  const noted = noteFailures([ready], [quota, { reason: 'FailedDelete', message: 'x' }], { generation: 3, now });
  expect(noted).toEqual([
    ready,
    {
      type: 'ReplicaFailure',
      status: 'True',
      ...quota,
      observedGeneration: 3,
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ]);
});

it('is taken back when nothing failed any more, and leaves the rest as it is', () => {
  const noted = noteFailures([ready], [quota], { generation: 3, now });
  expect(noteFailures(noted, [], { generation: 3, now })).toEqual([ready]);
  const untouched = [ready];
  expect(noteFailures(untouched, [], { generation: 3, now })).toBe(untouched);
});
