// A slice of the fault campaign for every run of the tests: schedules that `make chaos` runs by the hundred thousand. What
// fails here is replayed with `make chaos SEED=<seed>`.

import { describe, expect, it } from '@jest/globals';
import { hunt } from './hunt.ts';
import { runSchedule } from './run.ts';
import { type Schedule, scheduleOf } from './schedule.ts';
import { shardScheduleOf } from './shard-schedule.ts';

const FEW = 20;

/** Pods take up to ten seconds to be changed in place, and a rollout is out of time after five without progress. */
const slowInPlace: Schedule = {
  seed: 795145499,
  spec: {
    replicas: 8,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 2 } },
    revisionHistoryLimit: 1,
    progressDeadlineSeconds: 5,
  },
  latency: {
    requestMs: 5,
    watchMs: { mydeployments: 800, pods: 800, controllerrevisions: 100, rolloutpolicies: 800 },
  },
  podMs: 2000,
  steps: [
    {
      at: 0,
      act: { do: 'govern', spec: { rollback: {}, pods: { inPlace: { mode: 'IfPossible', gracePeriod: '1s' } } } },
    },
    { at: 13593, act: { do: 'rollCrashing' } },
  ],
  end: 'promote',
};

describe('the operator under faults, simulated', () => {
  it('keeps every promise, comes to rest, and then writes nothing', async () => {
    // A few in any case, however busy the machine is, and then as many as it can play in a while.
    const few = await hunt({ from: 1, count: FEW, forMs: Number.POSITIVE_INFINITY });
    expect(few.broken?.what).toBeUndefined();
    expect(few.schedules).toBe(FEW);
    const { broken } = await hunt({ from: 1 + FEW, count: 1_500, forMs: 8_000 });
    expect(broken?.what).toBeUndefined();
  }, 120_000);

  it('does so when several processes share the namespaces, and shares them evenly in the end', async () => {
    const few = await hunt({ about: 'shards', from: 1, count: 10, forMs: Number.POSITIVE_INFINITY });
    expect(few.broken?.what).toBeUndefined();
    expect(few.schedules).toBe(10);
    const { broken } = await hunt({ about: 'shards', from: 11, count: 100, forMs: 4_000 });
    expect(broken?.what).toBeUndefined();
  }, 120_000);

  it('completes a rollout under a policy although its deadline was shorter than its pods take to change', async () => {
    expect((await runSchedule(slowInPlace)).broken).toBeUndefined();
  }, 30_000);

  it('does the same for the same seed, write by write', async () => {
    for (const seed of [3, 17, 4_711]) {
      const [first, second] = [await runSchedule(scheduleOf(seed)), await runSchedule(scheduleOf(seed))];
      expect(second).toEqual(first);
      expect(first.writes).toBeGreaterThan(0);
    }
    const [first, second] = [await runSchedule(shardScheduleOf(3)), await runSchedule(shardScheduleOf(3))];
    expect(second).toEqual(first);
  });
});
