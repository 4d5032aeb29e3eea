import { describe, expect, it } from '@jest/globals';
import { ExpiringCache } from '../../../src/runtime/server/expiring-cache.ts';
import { FakeClock } from '../../support/fake-clock.ts';

describe('an expiring cache', () => {
  it('forgets each entry after its own time', async () => {
    const clock = new FakeClock();
    const cache = new ExpiringCache<string>(clock, 10);
    cache.set('short', 'a', 1_000);
    cache.set('long', 'b', 5_000);
    await clock.advance(999);
    expect([cache.get('short'), cache.get('long')]).toEqual(['a', 'b']);
    await clock.advance(1);
    expect([cache.get('short'), cache.get('long')]).toEqual([undefined, 'b']);
  });

  it('holds no more than it may: what was used longest ago goes first', () => {
    const cache = new ExpiringCache<number>(new FakeClock(), 2);
    cache.set('a', 1, 1_000);
    cache.set('b', 2, 1_000);
    cache.set('a', 3, 1_000);
    cache.set('c', 4, 1_000);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([3, undefined, 4]);
  });
});
