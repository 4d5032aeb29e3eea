import { describe, expect, it } from '@jest/globals';
import { type Backoffs, noteFailedPods, waitsOf } from '../../../src/kinds/my-daemon-set/failed-pod-backoff.ts';
import { toInstant as at } from '../../../src/runtime/instant.ts';

const MINUTE = 60_000;

describe('a node on which pods fail', () => {
  it('waits twice as long each time, up to a quarter of an hour', () => {
    let backoffs: Backoffs = new Map();
    let now = 0;
    const waits = Array.from({ length: 12 }, () => {
      backoffs = noteFailedPods(backoffs, ['a'], at(now));
      const wait = waitsOf(backoffs, at(now)).get('a') as number;
      now += wait;
      return wait / 1000;
    });
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  it('does not make others wait', () => {
    const backoffs = noteFailedPods(noteFailedPods(new Map(), ['a'], at(0)), ['a', 'b'], at(5000));
    expect([...waitsOf(backoffs, at(5500))]).toEqual([
      ['a', 1500],
      ['b', 500],
    ]);
    expect([...waitsOf(backoffs, at(6000))]).toEqual([['a', 1000]]);
  });

  it('is forgotten after half an hour without another failure', () => {
    const backoffs = noteFailedPods(new Map(), ['a'], at(0));
    expect(noteFailedPods(backoffs, ['b'], at(30 * MINUTE)).has('a')).toBe(true);
    expect(noteFailedPods(backoffs, ['b'], at(30 * MINUTE + 1)).has('a')).toBe(false);
  });

  it('leaves what was known before as it was', () => {
    const before = noteFailedPods(new Map(), ['a'], at(0));
    noteFailedPods(before, ['a', 'b'], at(1000));
    expect([...before]).toEqual([['a', { at: at(0), waitMs: 1000 }]]);
  });
});
