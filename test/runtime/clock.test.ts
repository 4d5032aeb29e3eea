// Durations do not follow the time of day, and what would mix the two does not compile (`npm run typecheck` holds us to
// the expected errors below).

import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Watchdog } from '../../src/runtime/cache/watchdog.ts';
import type { Client } from '../../src/runtime/client/client.ts';
import { type Clock, monotonicClock, wallClock } from '../../src/runtime/clock.ts';
import { Expectations } from '../../src/runtime/consistency/expectations.ts';
import { Pacer } from '../../src/runtime/controller/pacer.ts';
import { type Instant, later, msBetween } from '../../src/runtime/instant.ts';
import { WorkQueue } from '../../src/runtime/queue/queue.ts';
import { ExpiringCache } from '../../src/runtime/server/expiring-cache.ts';
import { StatusWriter } from '../../src/runtime/status-writer.ts';
import { TokenBucket } from '../../src/runtime/token-bucket.ts';

const TEN_MINUTES = 600_000;
const realNow = Date.now;
let stepMs: number;

beforeEach(() => {
  stepMs = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => realNow() + stepMs);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe.each([
  { name: 'back', byMs: -TEN_MINUTES },
  { name: 'forwards', byMs: TEN_MINUTES },
])('when the time of day is set $name by ten minutes', ({ byMs }) => {
  const setWallClock = (): void => {
    stepMs = byMs;
  };

  it('the wall clock says so, and the monotonic clock goes on', () => {
    const [wall, instant] = [wallClock(), monotonicClock.now()];
    setWallClock();
    expect(Math.abs(wallClock() - wall - byMs)).toBeLessThan(TEN_MINUTES / 2);
    const passedMs = msBetween(instant, monotonicClock.now());
    expect(passedMs).toBeGreaterThanOrEqual(0);
    expect(passedMs).toBeLessThan(TEN_MINUTES / 2);
  });

  it('a key that was worked on again and again hears of live changes after its pace, and not before', () => {
    const paceMs = 60_000;
    const pacer = new Pacer(monotonicClock, () => paceMs);
    for (let round = 0; round < 3; round++) pacer.run('a', () => {});
    setWallClock();
    expect(pacer.delayOf('a')).toBeGreaterThan(0);
    expect(pacer.delayOf('a')).toBeLessThanOrEqual(paceMs);
  });

  it('a key that was added for later comes then, and not before', async () => {
    const queue = new WorkQueue({ clock: monotonicClock });
    queue.addAfter('a', 50);
    setWallClock();
    queue.addAfter('b', 60_000);
    expect(queue.size).toBe(0);
    expect((await queue.get())?.key).toBe('a');
    queue.done('a');
    await queue.stop();
  });

  it('expectations are given up when their time is over, and not before', async () => {
    const expectations = new Expectations({ clock: monotonicClock, ttlMs: 50 });
    expectations.expectCreations(['web-1']);
    setWallClock();
    expect(expectations.satisfied()).toBe(false);
    await delay(60);
    expect(expectations.satisfied()).toBe(true);
  });

  it('a token bucket fills at its own rate', async () => {
    const slow = new TokenBucket(monotonicClock, { perSecond: 1 / 600, burst: 1 });
    const quick = new TokenBucket(monotonicClock, { perSecond: 50, burst: 1 });
    expect([slow.tryTake(), quick.tryTake()]).toEqual([true, true]);
    setWallClock();
    expect(slow.tryTake()).toBe(false);
    await delay(50);
    expect(quick.tryTake()).toBe(true);
  });

  it('an expiring cache forgets in time', async () => {
    const cache = new ExpiringCache<string>(monotonicClock, 10);
    cache.set('a', 'answer', 50);
    setWallClock();
    expect(cache.get('a')).toBe('answer');
    await delay(60);
    expect(cache.get('a')).toBeUndefined();
  });

  it('a status waits for as long as it should', async () => {
    const resource = { group: '', version: 'v1', kind: 'Box', plural: 'boxes', namespaced: true } as const;
    const object = { metadata: { name: 'box', uid: 'uid-1', resourceVersion: '1' }, status: {} };
    const client = { patch: async () => object } as unknown as Client;
    const statuses = new StatusWriter(resource, { client, clock: monotonicClock, intervalMs: 60_000 });
    const { signal } = new AbortController();
    await statuses.write(object, {}, 'later', signal);
    setWallClock();
    const { afterMs = 0 } = (await statuses.write(object, {}, 'later', signal)) as { afterMs?: number };
    expect(afterMs).toBeGreaterThan(30_000);
    expect(afterMs).toBeLessThanOrEqual(60_000);
  });

  it('a watch is given up after its silence, and not before', async () => {
    let isSilent = false;
    const silence = Promise.withResolvers<void>();
    const watchdog = new Watchdog(monotonicClock, 50, () => {
      isSilent = true;
      silence.resolve();
    });
    setWallClock();
    await delay(1);
    expect(isSilent).toBe(false);
    await silence.promise;
    watchdog.stop();
  });
});

describe('the types', () => {
  it('let instants be compared and computed with, and keep wall time out of them', () => {
    const now: Instant = monotonicClock.now();
    expect(now < later(now, 1)).toBe(true);
    expect(msBetween(now, later(now, 1_500))).toBeCloseTo(1_500);
    const wrong = {
      // @ts-expect-error wall time is no clock for durations
      clock: { now: wallClock, after: monotonicClock.after } satisfies Clock,
      // @ts-expect-error an instant is no time of day
      date: new Date(now),
      // @ts-expect-error instants have no arithmetic of their own
      sum: now + 1_000,
      // @ts-expect-error an instant is neither before nor after a time of day
      isLate: now < wallClock(),
      // @ts-expect-error a time of day is no instant
      later: () => later(wallClock(), 1),
    };
    expect(Object.keys(wrong)).toHaveLength(5);
  });
});
