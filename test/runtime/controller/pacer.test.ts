import { beforeEach, describe, expect, it } from '@jest/globals';
import { Pacer } from '../../../src/runtime/controller/pacer.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const reconcile = (pacer: Pacer, key: string): void => pacer.run(key, () => {});

describe('the pace of a key', () => {
  let clock: FakeClock;
  let pacer: Pacer;

  beforeEach(() => {
    clock = new FakeClock();
    pacer = new Pacer(clock, () => 100);
  });

  it('holds up neither a lone change nor the two that follow it', () => {
    for (let reconciles = 0; reconciles < 3; reconciles++) {
      expect(pacer.delayOf('a')).toBe(0);
      reconcile(pacer, 'a');
    }
    expect(pacer.delayOf('a')).toBe(100);
    expect(pacer.delayOf('b')).toBe(0);
  });

  it('holds a busy key back for the rest of its time, each time', async () => {
    for (let reconciles = 0; reconciles < 3; reconciles++) reconcile(pacer, 'a');
    await clock.advance(30);
    expect(pacer.delayOf('a')).toBe(70);
    await clock.advance(70);
    expect(pacer.delayOf('a')).toBe(0);
    reconcile(pacer, 'a');
    expect(pacer.delayOf('a')).toBe(100);
  });

  it('lets a key that rested for a while begin as quickly as at first', async () => {
    for (let reconciles = 0; reconciles < 3; reconciles++) reconcile(pacer, 'a');
    await clock.advance(300);
    for (let reconciles = 0; reconciles < 2; reconciles++) reconcile(pacer, 'a');
    expect(pacer.delayOf('a')).toBe(0);
  });

  it('never holds a key back for longer than the pace, however often it was retried', () => {
    for (let reconciles = 0; reconciles < 50; reconciles++) reconcile(pacer, 'a');
    expect(pacer.delayOf('a')).toBe(100);
  });

  it('is longer for a key whose reconciles think for long, for as long as they do', () => {
    const think = () => pacer.run('a', () => clock.elapse(7));
    for (let reconciles = 0; reconciles < 3; reconciles++) think();
    expect(pacer.delayOf('a')).toBe(140 - 3 * 7);
    for (let reconciles = 0; reconciles < 3; reconciles++) reconcile(pacer, 'a');
    expect(pacer.delayOf('a')).toBe(100);
  });

  it('is its own, and what it is when the key is worked on', () => {
    let ofA = 40;
    const various = new Pacer(clock, (key) => (key === 'a' ? ofA : 100));
    for (const key of ['a', 'a', 'a', 'b', 'b', 'b']) reconcile(various, key);
    expect([various.delayOf('a'), various.delayOf('b')]).toEqual([40, 100]);
    ofA = 10;
    for (let reconciles = 0; reconciles < 3; reconciles++) reconcile(various, 'a');
    expect(various.delayOf('a')).toBe(10);
  });

  it('of 0 holds up nothing', () => {
    const free = new Pacer(clock, () => 0);
    reconcile(free, 'a');
    expect(free.delayOf('a')).toBe(0);
  });

  it('of 0 holds up nothing, however long the reconciles think', () => {
    const free = new Pacer(clock, () => 0);
    for (let reconciles = 0; reconciles < 4; reconciles++) free.run('a', () => clock.elapse(7));
    expect(free.delayOf('a')).toBe(0);
  });

  it('of a millisecond is one', () => {
    const quick = new Pacer(clock, () => 1);
    for (let reconciles = 0; reconciles < 3; reconciles++) reconcile(quick, 'a');
    expect(quick.delayOf('a')).toBe(1);
  });

  it('holds for a key at work while a thousand others come', () => {
    for (let reconciles = 0; reconciles < 3; reconciles++) reconcile(pacer, 'a');
    for (let key = 0; key < 1100; key++) reconcile(pacer, String(key));
    expect(pacer.delayOf('a')).toBe(100);
  });

  it('still holds for the keys at work after thousands have come and gone', async () => {
    for (let round = 0; round < 20; round++) {
      for (let key = 0; key < 1500; key++) reconcile(pacer, `${round}/${key % 500}`);
      await clock.advance(50);
    }
    expect(pacer.delayOf('19/499')).toBe(50);
    expect(pacer.delayOf('0/0')).toBe(0);
  });
});
