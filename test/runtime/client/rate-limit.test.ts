import { describe, expect, it } from '@jest/globals';
import { RateLimiter } from '../../../src/runtime/client/rate-limit.ts';
import { FakeClock } from '../../support/fake-clock.ts';

describe('rate limit', () => {
  it('lets a burst through at once, then the rate, in the order asked', async () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter({ qps: 10, burst: 3 }, clock);
    const went: number[] = [];
    for (let request = 0; request < 6; request++) void limiter.take().then(() => went.push(request));
    await clock.advance(0);
    expect(went).toEqual([0, 1, 2]);
    await clock.advance(99);
    expect(went).toEqual([0, 1, 2]);
    await clock.advance(1);
    expect(went).toEqual([0, 1, 2, 3]);
    await clock.advance(200);
    expect(went).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('says how long a request waited', async () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter({ qps: 4, burst: 1 }, clock);
    expect(await limiter.take()).toBe(0);
    const waited = limiter.take();
    await clock.advance(250);
    expect(await waited).toBe(250);
  });

  it('saves up no more than a burst', async () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter({ qps: 10, burst: 2 }, clock);
    await clock.advance(60_000);
    const waits = Promise.all([limiter.take(), limiter.take(), limiter.take()]);
    await clock.advance(1_000);
    expect(await waits).toEqual([0, 0, 100]);
  });

  it('gives the turn of one who gave up to the next', async () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter({ qps: 1, burst: 1 }, clock);
    await limiter.take();
    const leaving = new AbortController();
    const left = limiter.take(leaving.signal);
    leaving.abort(new Error('changed my mind'));
    await expect(left).rejects.toThrow('changed my mind');
    const waited = limiter.take();
    await clock.advance(1_000);
    expect(await waited).toBe(1_000);
    expect(clock.timers).toBe(0);
  });

  it('refuses limits that would let nothing through', () => {
    expect(() => new RateLimiter({ qps: 0, burst: 1 }, new FakeClock())).toThrow('got qps 0 and burst 1');
    expect(() => new RateLimiter({ qps: 5, burst: 0 }, new FakeClock())).toThrow('got qps 5 and burst 0');
  });
});
