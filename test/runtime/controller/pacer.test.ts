import { beforeEach, describe, expect, it } from '@jest/globals';
import { Pacer } from '../../../src/runtime/controller/pacer.ts';
import { FakeClock } from '../../support/fake-clock.ts';

describe('the pace of a key', () => {
  let clock: FakeClock;
  let pacer: Pacer;

  beforeEach(() => {
    clock = new FakeClock();
    pacer = new Pacer(clock, 100);
  });

  it('holds up neither a lone change nor the two that follow it', () => {
    for (let reconciles = 0; reconciles < 3; reconciles++) {
      expect(pacer.delayOf('a')).toBe(0);
      pacer.started('a');
    }
    expect(pacer.delayOf('a')).toBe(100);
    expect(pacer.delayOf('b')).toBe(0);
  });

  it('holds a busy key back for the rest of its time, each time', async () => {
    for (let reconciles = 0; reconciles < 3; reconciles++) pacer.started('a');
    await clock.advance(30);
    expect(pacer.delayOf('a')).toBe(70);
    await clock.advance(70);
    expect(pacer.delayOf('a')).toBe(0);
    pacer.started('a');
    expect(pacer.delayOf('a')).toBe(100);
  });

  it('lets a key that rested for a while begin as quickly as at first', async () => {
    for (let reconciles = 0; reconciles < 3; reconciles++) pacer.started('a');
    await clock.advance(300);
    for (let reconciles = 0; reconciles < 2; reconciles++) pacer.started('a');
    expect(pacer.delayOf('a')).toBe(0);
  });

  it('never holds a key back for longer than the pace, however often it was retried', () => {
    for (let reconciles = 0; reconciles < 50; reconciles++) pacer.started('a');
    expect(pacer.delayOf('a')).toBe(100);
  });

  it('of 0 holds up nothing', () => {
    const free = new Pacer(clock, 0);
    free.started('a');
    expect(free.delayOf('a')).toBe(0);
  });

  it('still holds for the keys at work after thousands have come and gone', async () => {
    for (let round = 0; round < 20; round++) {
      for (let key = 0; key < 1500; key++) pacer.started(`${round}/${key % 500}`);
      await clock.advance(50);
    }
    expect(pacer.delayOf('19/499')).toBe(50);
    expect(pacer.delayOf('0/0')).toBe(0);
  });
});
