// Runs schedules one after the other until the time is up or a promise is broken, as a program of its own: the campaign
// starts one for each core, and one for each planted bug. Takes its task and gives its findings as JSON.

import { setImmediate } from 'node:timers/promises';
import { runSchedule, type Verdict } from './run.ts';
import { type Schedule, scheduleOf } from './schedule.ts';
import { shardScheduleOf } from './shard-schedule.ts';
import { shrink } from './shrink.ts';

/** Schedules by what they are about: one operator that leads, or several that share the namespaces. */
export const SCHEDULES = { leader: scheduleOf, shards: shardScheduleOf };

/** How many runs the search for the shortest schedule may take; one with leases to renew takes as long as ten others. */
const MOST_RUNS = { leader: 400, shards: 20 };

export interface Hunt {
  /** @default leader */
  readonly about?: keyof typeof SCHEDULES;
  readonly from: number;
  readonly count: number;
  /** Every so many seeds: several hunters share a range. @default 1 */
  readonly step?: number;
  readonly forMs: number;
}

export interface Findings {
  readonly schedules: number;
  readonly writes: number;
  readonly ms: number;
  readonly longestRestMs: number;
  readonly broken?: Broken;
}

export interface Broken {
  readonly seed: number;
  readonly what: string;
  /** The shortest schedule that still breaks it. */
  readonly schedule: Schedule;
}

/** Hunts until something is found. */
export async function hunt({ about = 'leader', from, count, step = 1, forMs }: Hunt): Promise<Findings> {
  const startedAt = performance.now();
  let [schedules, writes, longestRestMs] = [0, 0, 0];
  for (; schedules < count && performance.now() - startedAt < forMs; ) {
    const schedule = SCHEDULES[about](from + schedules * step);
    const verdict = await runSchedule(schedule);
    // Simulated time takes no turns of the event loop, and other parts of this process need some.
    await setImmediate();
    schedules += 1;
    writes += verdict.writes;
    longestRestMs = Math.max(longestRestMs, verdict.restedAfterMs);
    if (verdict.broken === undefined) continue;
    const ms = Math.round(performance.now() - startedAt);
    return { schedules, writes, longestRestMs, ms, broken: await describe(schedule, verdict) };
  }
  return { schedules, writes, longestRestMs, ms: Math.round(performance.now() - startedAt) };
}

async function describe(schedule: Schedule, verdict: Verdict): Promise<Broken> {
  const shortest = await shrink(schedule, verdict, MOST_RUNS[schedule.sharing === undefined ? 'leader' : 'shards']);
  return { seed: schedule.seed, what: shortest.verdict.broken as string, schedule: shortest.schedule };
}

if (process.argv[2] === '--hunt') {
  // Thousands of requests a second are refused, and their stacks are never read.
  Error.stackTraceLimit = 0;
  process.stdout.write(JSON.stringify(await hunt(JSON.parse(process.argv[3] as string) as Hunt)));
}
