// A slice of the fault campaign for every run of the tests: schedules that `make chaos` runs by the hundred thousand. What
// fails here is replayed with `make chaos SEED=<seed>`.

import { describe, expect, it } from '@jest/globals';
import { hunt } from './hunt.ts';
import { runSchedule } from './run.ts';
import { scheduleOf } from './schedule.ts';
import { shardScheduleOf } from './shard-schedule.ts';

const FEW = 20;

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
