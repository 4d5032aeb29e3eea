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

  it('does not hold up a key that was not worked on lately', async () => {
    expect(pacer.delayOf('a')).toBe(0);
    pacer.started('a');
    await clock.advance(100);
    expect(pacer.delayOf('a')).toBe(0);
  });

  it('holds a key back for the rest of its time, and no other', async () => {
    pacer.started('a');
    await clock.advance(30);
    expect(pacer.delayOf('a')).toBe(70);
    expect(pacer.delayOf('b')).toBe(0);
  });

  it('starts over with every reconcile', async () => {
    pacer.started('a');
    await clock.advance(90);
    pacer.started('a');
    expect(pacer.delayOf('a')).toBe(100);
  });

  it('of 0 holds up nothing', () => {
    const free = new Pacer(clock, 0);
    free.started('a');
    expect(free.delayOf('a')).toBe(0);
  });

  it('still holds for the keys at work after thousands have come and gone', async () => {
    for (let round = 0; round < 20; round++) {
      for (let key = 0; key < 500; key++) pacer.started(`${round}/${key}`);
      await clock.advance(50);
    }
    expect(pacer.delayOf('19/499')).toBe(50);
    expect(pacer.delayOf('0/0')).toBe(0);
  });
});
