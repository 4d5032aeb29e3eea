import { beforeEach, describe, expect, it } from '@jest/globals';
import { TokenBucket } from '../../src/runtime/token-bucket.ts';
import { FakeClock } from '../support/fake-clock.ts';

let clock: FakeClock;

beforeEach(() => {
  clock = new FakeClock();
});

describe('TokenBucket.reserve', () => {
  it('lets a burst through, then makes each wait one interval longer than the one before', () => {
    const bucket = new TokenBucket(clock, { perSecond: 10, burst: 3 });
    expect([1, 2, 3, 4, 5].map(() => bucket.reserve())).toEqual([0, 0, 0, 100, 200]);
  });

  it('counts promised tokens while time passes', async () => {
    const bucket = new TokenBucket(clock, { perSecond: 10, burst: 1 });
    bucket.reserve();
    bucket.reserve();
    await clock.advance(100);
    expect(bucket.reserve()).toBe(100);
  });

  it('never holds more than a burst, however long nobody asked', async () => {
    const bucket = new TokenBucket(clock, { perSecond: 10, burst: 2 });
    await clock.advance(3_600_000);
    expect([bucket.reserve(), bucket.reserve(), bucket.reserve()]).toEqual([0, 0, 100]);
  });
});

describe('TokenBucket.tryTake', () => {
  it('takes what is there and promises nothing', async () => {
    const bucket = new TokenBucket(clock, { perSecond: 1, burst: 2 });
    expect([bucket.tryTake(), bucket.tryTake(), bucket.tryTake(), bucket.tryTake()]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    await clock.advance(999);
    expect(bucket.tryTake()).toBe(false);
    await clock.advance(1);
    expect(bucket.tryTake()).toBe(true);
  });

  it('takes back what was reserved and is not used', () => {
    const bucket = new TokenBucket(clock, { perSecond: 1, burst: 1 });
    expect([bucket.reserve(), bucket.reserve()]).toEqual([0, 1000]);
    bucket.giveBack();
    expect(bucket.reserve()).toBe(1000);
  });

  it('says how long it takes until the next token is there', async () => {
    const bucket = new TokenBucket(clock, { perSecond: 4, burst: 1 });
    expect(bucket.msUntilNext()).toBe(0);
    bucket.tryTake();
    expect(bucket.msUntilNext()).toBe(250);
    await clock.advance(100);
    expect(bucket.msUntilNext()).toBe(150);
    bucket.reserve();
    expect(bucket.msUntilNext()).toBe(400);
  });
});
