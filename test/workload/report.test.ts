// What a kind that owns pods does after its plan was carried out: what is told, what is written, what happens next.

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../src/runtime/client/client.ts';
import type { Condition } from '../../src/runtime/conditions.ts';
import type { Refusals } from '../../src/runtime/consistency/refusals.ts';
import { WriteTracker } from '../../src/runtime/consistency/write-tracker.ts';
import { ApiError, type ApiFailure } from '../../src/runtime/errors.ts';
import type { RecordedEvent } from '../../src/runtime/events/event.ts';
import type { KubeObject } from '../../src/runtime/object.ts';
import { asOwner } from '../../src/runtime/owner.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import type { Plan } from '../../src/workload/action.ts';
import type { PodFailure } from '../../src/workload/pod-writes.ts';
import { type OwnerContext, Reporter } from '../../src/workload/report.ts';
import { FakeClock } from '../support/fake-clock.ts';

interface Status {
  readonly observedGeneration?: number;
  readonly ready?: number;
  readonly conditions?: readonly Condition[];
}

interface Box extends KubeObject {
  readonly status?: Status;
}

const boxes: Resource<Box> = { group: 'example.com', version: 'v1', kind: 'Box', plural: 'boxes', namespaced: true };
const ready = (status: 'True' | 'False', message = ''): Condition => ({
  type: 'Ready',
  status,
  reason: 'Because',
  message,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

let clock: FakeClock;
let reporter: Reporter<Box, Status>;
let tracker: WriteTracker;
let told: RecordedEvent[];
let written: unknown[];
let refusal: ApiFailure | undefined;

beforeEach(() => {
  clock = new FakeClock();
  told = [];
  written = [];
  refusal = undefined;
  const client = {
    patch: async (_: unknown, __: unknown, { body }: { body: { status: unknown } }) => {
      if (refusal !== undefined) throw new ApiError(refusal, refusal);
      written.push(body.status);
      return { metadata: { resourceVersion: '9' } };
    },
  } as unknown as Client;
  const events = { record: (_: unknown, event: RecordedEvent) => told.push(event) };
  tracker = new WriteTracker({ clock, lastSynced: () => undefined });
  reporter = new Reporter(
    { client, events, clock, wallNow: clock.wallNow },
    { definition: { resource: boxes, singular: 'box' } },
  );
});

function box(status?: Status): Box {
  const metadata = { name: 'box', namespace: 'default', uid: 'u', resourceVersion: '1', generation: 2 };
  return { metadata, ...(status && { status }) };
}

function conclude(
  stored: Status | undefined,
  planned: Partial<Plan<Status>>,
  failures: readonly PodFailure[] = [],
  refusals: Refusals = new Map(),
) {
  const object = box(stored);
  const writes = tracker.of({ key: 'default/box', uid: 'u' });
  const context = { object, owner: asOwner(object, boxes), writes, refusals } as OwnerContext<Box>;
  const plan = { actions: [], status: undefined, events: [], checkAgainAt: undefined, ...planned };
  return reporter.report(context, plan, { failures });
}

const created = { type: 'Normal', reason: 'SuccessfulCreate', message: 'Created 1 pods' } as const;
const failure = (reason: PodFailure['reason'], message: string): PodFailure => ({
  reason,
  revision: 'r',
  message,
  error: new Error(message),
});

describe('the status', () => {
  it('is not written when it says the same, or when there is none', async () => {
    const status = { observedGeneration: 2, ready: 1, conditions: [ready('True')] };
    expect(await conclude(status, { status })).toEqual({ next: 'done' });
    expect(await conclude(status, {})).toEqual({ next: 'done' });
    expect(written).toEqual([]);
  });

  it('is written at once when a condition changed, even right after the last time', async () => {
    const stored = { observedGeneration: 2, ready: 1, conditions: [ready('True')] };
    await conclude(undefined, { status: stored });
    await conclude(stored, { status: { ...stored, conditions: [ready('False')] } });
    await conclude(stored, { status: { ...stored, observedGeneration: 3 } });
    expect(written).toHaveLength(3);
  });

  it('is coalesced when only counts and words changed', async () => {
    const stored = { observedGeneration: 2, ready: 1, conditions: [ready('True', '1 of 2')] };
    await conclude(undefined, { status: stored });
    const status = { ...stored, ready: 2, conditions: [ready('True', '2 of 2')] };
    expect(await conclude(stored, { status })).toEqual({ next: 'checkAgainAfter', delayMs: 100 });
    expect(await conclude(stored, { status, checkAgainAt: 7 })).toEqual({ next: 'checkAgainAt', epochMs: 7 });
    await clock.advance(100);
    expect(await conclude(stored, { status })).toEqual({ next: 'done' });
    expect(written).toHaveLength(2);
  });

  it('is tried again when the object has changed, and let be when it is gone', async () => {
    const status = { observedGeneration: 2, ready: 1 };
    refusal = 'Conflict';
    expect(await conclude(undefined, { status })).toMatchObject({ next: 'retry' });
    refusal = 'NotFound';
    expect(await conclude(undefined, { status })).toEqual({ next: 'done' });
  });
});

describe('writes that failed', () => {
  const failures = [
    failure('FailedCreate', 'quota'),
    failure('FailedCreate', 'more quota'),
    failure('FailedDelete', 'no'),
  ];

  it('are told once a reason, noted in the status, and tried again; what was planned is not told', async () => {
    const attempt = conclude(undefined, { status: { observedGeneration: 2, ready: 0 }, events: [created] }, failures);
    await expect(attempt).rejects.toThrow('3 writes failed');
    expect(told).toEqual([
      { type: 'Warning', reason: 'FailedDelete', message: 'Error deleting pods: no' },
      { type: 'Warning', reason: 'FailedCreate', message: 'Error creating pods: quota' },
    ]);
    expect(written).toMatchObject([
      { conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'quota' }] },
    ]);
  });

  it('are forgotten in the status after the next success, and what was planned is told', async () => {
    const conditions: Condition[] = [{ ...ready('True'), type: 'ReplicaFailure' }];
    await conclude({ ready: 0, conditions }, { status: { ready: 1, conditions }, events: [created] });
    expect(told).toEqual([created]);
    expect(written).toEqual([{ ready: 1, conditions: [] }]);
  });
});

describe('a claim that was refused', () => {
  const refusal = { reason: 'FailedAdopt', message: 'a policy says no' } as const;
  const status = { observedGeneration: 2, ready: 0 };
  const condition = { type: 'ReplicaFailure', status: 'True', reason: 'FailedAdopt', message: 'a policy says no' };

  it('is told, noted in the status, and the rest goes on at once', async () => {
    expect(await conclude(undefined, { status }, [refusal])).toEqual({ next: 'checkAgainAfter', delayMs: 0 });
    expect(told).toEqual([
      { type: 'Warning', reason: 'FailedAdopt', message: 'Error adopting orphans: a policy says no' },
    ]);
    expect(written).toMatchObject([{ conditions: [condition] }]);
  });

  it('stays in the status while the rest goes on, is not told again, and is tried again in time', async () => {
    const refused = new Map([['u', { ...refusal, forMs: 400 }]]);
    const planned = { status, events: [created] };
    expect(await conclude(undefined, planned, [], refused)).toEqual({ next: 'checkAgainAfter', delayMs: 400 });
    expect(told).toEqual([created]);
    expect(written).toMatchObject([{ conditions: [condition] }]);
  });
});
