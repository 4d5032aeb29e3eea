import { describe, expect, it } from '@jest/globals';
import { LruMap } from '../../src/runtime/lru-map.ts';

describe('LruMap', () => {
  it('forgets what was used longest ago', () => {
    const map = new LruMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    expect(map.get('a')).toBe(1);
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  });

  it('replaces a value without forgetting another', () => {
    const map = new LruMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    expect(map.set('a', 3)).toBe(3);
    expect([map.get('a'), map.get('b')]).toEqual([3, 2]);
  });
});
