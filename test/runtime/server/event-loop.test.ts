import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Clock } from '../../../src/runtime/clock.ts';
import { type Instant, later } from '../../../src/runtime/instant.ts';
import { EventLoopMonitor } from '../../../src/runtime/server/event-loop.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** A clock whose timers fire late, as they do when something blocks the event loop. */
class BlockedClock extends FakeClock implements Clock {
  lateMs = 0;
  #late = 0;

  override now(): Instant {
    return later(super.now(), this.#late);
  }

  override after(delayMs: number, callback: () => void) {
    return super.after(delayMs, () => {
      this.#late += this.lateMs;
      this.lateMs = 0;
      callback();
    });
  }
}

describe('the event loop monitor', () => {
  let clock: BlockedClock;
  let monitor: EventLoopMonitor;
  let stop: AbortController;

  beforeEach(() => {
    clock = new BlockedClock();
    monitor = new EventLoopMonitor(clock, { lagMs: 5_000, rememberMs: 60_000 });
    stop = new AbortController();
  });

  it('finds nothing while timers fire in time', async () => {
    const running = monitor.start(stop.signal);
    await clock.advance(600_000);
    expect(() => monitor.check()).not.toThrow();
    stop.abort();
    await running;
    expect(clock.timers).toBe(0);
  });

  it('says how long the loop was blocked, for a while', async () => {
    monitor.start(stop.signal).catch(() => {});
    clock.lateMs = 7_000;
    await clock.advance(1_000);
    expect(() => monitor.check()).toThrow('event loop was blocked for 7000 ms');
    await clock.advance(61_000);
    expect(() => monitor.check()).not.toThrow();
  });

  it('forgives short lags', async () => {
    monitor.start(stop.signal).catch(() => {});
    for (let i = 0; i < 20; i++) {
      clock.lateMs = 4_999;
      await clock.advance(1_000);
    }
    expect(() => monitor.check()).not.toThrow();
  });

  it('remembers the worst of several blocks', async () => {
    monitor.start(stop.signal).catch(() => {});
    for (const lateMs of [6_000, 9_000, 7_000]) {
      clock.lateMs = lateMs;
      await clock.advance(1_000);
    }
    expect(() => monitor.check()).toThrow('blocked for 9000 ms');
  });
});
