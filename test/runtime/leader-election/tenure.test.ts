import { beforeEach, describe, expect, it } from '@jest/globals';
import { toInstant } from '../../../src/runtime/instant.ts';
import { LeadershipLost, Tenure } from '../../../src/runtime/leader-election/tenure.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const DEADLINE_MS = 10_000;

describe('a tenure', () => {
  let clock: FakeClock;
  let wall: number;
  let tenure: Tenure;
  const passes = (): boolean => {
    try {
      tenure.fence.gate?.();
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(LeadershipLost);
      return false;
    }
  };

  beforeEach(() => {
    clock = new FakeClock();
    wall = 5_000_000;
    tenure = new Tenure(clock, () => wall, DEADLINE_MS);
  });

  it('has not begun before the first renewal', () => {
    expect(tenure.held).toBe(false);
    expect(passes()).toBe(false);
    expect(tenure.signal.aborted).toBe(false);
  });

  it('lasts until the deadline after the renewal was sent, not answered', async () => {
    const sentAt = tenure.now();
    await clock.advance(4_000);
    tenure.extend(sentAt);
    await clock.advance(5_999);
    expect(passes()).toBe(true);
    await clock.advance(1);
    expect(passes()).toBe(false);
    expect(tenure.signal.reason).toBeInstanceOf(LeadershipLost);
    expect(tenure.signal.reason).toHaveProperty('name', 'LeadershipLost');
  });

  it('is prolonged by each renewal', async () => {
    for (let round = 0; round < 5; round++) {
      tenure.extend(tenure.now());
      expect(clock.timers).toBe(1);
      await clock.advance(DEADLINE_MS - 1);
      expect(tenure.held).toBe(true);
    }
  });

  it('ends what its fence guards by the same signal', () => {
    expect(tenure.fence.signal).toBe(tenure.signal);
  });

  it('aborts its signal by itself when nobody asks', async () => {
    tenure.extend(tenure.now());
    await clock.advance(DEADLINE_MS);
    expect(tenure.signal.aborted).toBe(true);
  });

  it('aborts it at the deadline after the renewal was sent, not answered', async () => {
    const sentAt = tenure.now();
    await clock.advance(4_000);
    tenure.extend(sentAt);
    await clock.advance(5_999);
    expect(tenure.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(tenure.signal.aborted).toBe(true);
  });

  it('is over when the clock has moved on though no timer has fired, as after a freeze', () => {
    const frozen = { now: () => toInstant(steady), after: () => ({ cancel() {} }) };
    let steady = 0;
    tenure = new Tenure(frozen, () => wall, DEADLINE_MS);
    tenure.extend(tenure.now());
    expect(passes()).toBe(true);
    steady = 60_000;
    expect(passes()).toBe(false);
    expect(tenure.signal.aborted).toBe(true);
  });

  it('is over when only the wall clock has moved on, as after the machine slept', () => {
    tenure.extend(tenure.now());
    wall += DEADLINE_MS;
    expect(passes()).toBe(false);
  });

  it('is not prolonged by setting the wall clock back', async () => {
    tenure.extend(tenure.now());
    wall -= 3_600_000;
    await clock.advance(DEADLINE_MS);
    expect(passes()).toBe(false);
  });

  it('does not come back, even if a late answer seems to prolong it', async () => {
    tenure.extend(tenure.now());
    await clock.advance(DEADLINE_MS);
    tenure.extend(tenure.now());
    expect(passes()).toBe(false);
    expect(clock.timers).toBe(0);
  });

  it('ends with the reason it is given', () => {
    tenure.extend(tenure.now());
    const reason = new LeadershipLost('taken');
    tenure.end(reason);
    expect(tenure.signal.reason).toBe(reason);
    expect(passes()).toBe(false);
    expect(clock.timers).toBe(0);
  });
});
