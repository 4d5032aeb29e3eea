import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../src/runtime/object.ts';
import { StatusTally } from './status-tally.ts';

interface Lamp extends KubeObject {
  readonly on: boolean;
}

function lamp(name: string, on: boolean): Lamp {
  return { metadata: { name, uid: name, resourceVersion: '1' }, on };
}

function tallied() {
  const tally = new StatusTally();
  return { tally, lamps: tally.of(({ on }: Lamp) => on) };
}

describe('StatusTally', () => {
  it('knows since when a status says so, and begins anew when it says otherwise', () => {
    const { tally, lamps } = tallied();
    const seen = [false, true, true, false, true].map((on, at) => {
      lamps.observe('MODIFIED', lamp('web', on), at);
      return tally.reportedSince('web');
    });
    expect(seen).toEqual([undefined, 1, 1, undefined, 4]);
  });

  it('wants every object to have said so after the moment', () => {
    const { tally, lamps } = tallied();
    lamps.observe('ADDED', lamp('a', true), 1);
    expect([tally.isReported(1, 0), tally.isReported(1, 1), tally.isReported(2, 0)]).toEqual([true, false, false]);
    lamps.observe('ADDED', lamp('b', false), 2);
    expect(tally.isReported(2, 0)).toBe(false);
    lamps.observe('MODIFIED', lamp('b', true), 3);
    expect([tally.isReported(2, 0), tally.isReported(2, 2)]).toEqual([true, false]);
    lamps.observe('DELETED', lamp('a', true), 4);
    expect(tally.isReported(1, 2)).toBe(true);
  });

  it('believes a list', () => {
    const { tally, lamps } = tallied();
    lamps.observe('ADDED', lamp('gone', true), 1);
    lamps.observe('ADDED', lamp('stays', true), 1);
    lamps.replace([lamp('stays', true), lamp('new', true)], 2);
    expect(['gone', 'stays', 'new'].map((name) => tally.reportedSince(name))).toEqual([undefined, 1, 2]);
    expect(tally.isReported(2, 0)).toBe(true);
  });
});
