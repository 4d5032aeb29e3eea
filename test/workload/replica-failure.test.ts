import { expect, it } from '@jest/globals';
import type { Condition } from '../../src/runtime/conditions.ts';
import { type Failure, noteFailures, worstFirst } from '../../src/workload/replica-failure.ts';

const now = Date.UTC(2026, 0, 1);
const ready: Condition = {
  type: 'Ready',
  status: 'False',
  reason: 'PodsNotReady',
  message: '0 of 1 pods are ready',
  lastTransitionTime: '2025-12-31T00:00:00Z',
};
const quota = { reason: 'FailedCreate', message: 'exceeded quota' };

const note = (conditions: readonly Condition[], ...failures: Failure[]) =>
  noteFailures({ observedGeneration: 3, conditions }, { failures }, { now }).conditions;

it('says why, with the first failure there was', () => {
  expect(note([ready], quota, { reason: 'FailedDelete', message: 'x' })).toEqual([
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

it('counts as of generation 0 while the status has seen none', () => {
  const { conditions } = noteFailures({ conditions: [] as Condition[] }, { failures: [quota] }, { now });
  expect(conditions).toMatchObject([{ type: 'ReplicaFailure', observedGeneration: 0 }]);
});

it('is removed when nothing failed any more, and leaves the rest as it is', () => {
  expect(note(note([ready], quota))).toEqual([ready]);
  const untouched = [ready];
  expect(note(untouched)).toBe(untouched);
});

it('speaks of what is worst, in whatever order things failed', () => {
  const reasons = ['FailedRelease', 'FailedDelete', 'FailedCreate', 'FailedAdopt', 'FailedDelete'] as const;
  const failures = reasons.map((reason, index) => ({ reason, index }));
  expect(worstFirst(failures)).toEqual([
    { reason: 'FailedCreate', index: 2 },
    { reason: 'FailedDelete', index: 1 },
    { reason: 'FailedDelete', index: 4 },
    { reason: 'FailedAdopt', index: 3 },
    { reason: 'FailedRelease', index: 0 },
  ]);
});
