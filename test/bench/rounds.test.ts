import { describe, expect, it } from '@jest/globals';
import { sample } from './fixture.ts';
import { orderOf, progressLine } from './rounds.ts';

describe('orderOf', () => {
  it('lets everybody begin once in three rounds, and nobody play twice in one', () => {
    const names = ['limit', 'native', 'ours'];
    const orders = [1, 2, 3].map((round) => orderOf(names, round));
    expect(orders.map(([first]) => first).toSorted()).toEqual(names);
    for (const order of orders) expect(order.toSorted()).toEqual(names);
  });
});

describe('progressLine', () => {
  it('says who did what, and what it cost', () => {
    const line = progressLine(sample('ours', 'create', { round: 2, seconds: 7.254, cpuSeconds: 1.5, writes: 1010 }));
    expect(line).toMatch(/^round 2 +ours +create +7\.25 s, 1\.50 s of CPU, 1010 writes$/);
  });
});
