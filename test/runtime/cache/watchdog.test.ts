import { describe, expect, it } from '@jest/globals';
import { Watchdog } from '../../../src/runtime/cache/watchdog.ts';
import { FakeClock } from '../../support/fake-clock.ts';

describe('a watchdog', () => {
  it('barks once, a while after the last sound', async () => {
    const clock = new FakeClock();
    let barks = 0;
    const watchdog = new Watchdog(clock, 1_000, () => (barks += 1));
    await clock.advance(900);
    watchdog.heard();
    await clock.advance(999);
    expect(barks).toBe(0);
    await clock.advance(1);
    expect(barks).toBe(1);
    await clock.advance(10_000);
    expect(barks).toBe(1);
    expect(clock.timers).toBe(0);
  });

  it('does not bark a millisecond too soon', async () => {
    const clock = new FakeClock();
    let barks = 0;
    const watchdog = new Watchdog(clock, 1_000, () => (barks += 1));
    await clock.advance(1);
    watchdog.heard();
    await clock.advance(999);
    expect(barks).toBe(0);
    await clock.advance(1);
    expect(barks).toBe(1);
  });

  it('is quiet when it has been stopped, and leaves no timer', async () => {
    const clock = new FakeClock();
    let barks = 0;
    const watchdog = new Watchdog(clock, 1_000, () => (barks += 1));
    watchdog.stop();
    expect(clock.timers).toBe(0);
    await clock.advance(5_000);
    expect(barks).toBe(0);
  });
});
