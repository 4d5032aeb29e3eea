import { describe, expect, it } from '@jest/globals';
import type { Measured } from './measured.ts';
import { aimsOfCaches, aimsOfCreates, renderAims, renderCaches, renderCreates, renderLatencies } from './report.ts';

function measured(facts: Partial<Measured>): Measured {
  return { seconds: 1, cpuSeconds: 1, heapMiB: 1, peakRssMiB: 1, ...facts };
}

const creates = {
  undici: [2, 1.6, 9].map((seconds) => measured({ seconds, cpuSeconds: 0.4 })),
  ours: [2.5, 2.2, 2].map((seconds) => measured({ seconds, cpuSeconds: 0.5 })),
};

const caches = {
  ours: [measured({ seconds: 1, cpuSeconds: 0.8, heapMiB: 30, peakRssMiB: 102 })],
  'client-node': [measured({ seconds: 2, cpuSeconds: 1.6, heapMiB: 100, peakRssMiB: 200 })],
};

const cells = (line: string | undefined): string[] => (line ?? '').trim().split(/ {3,}/);

describe('the tables', () => {
  it('show creates by their medians, and beside the limit', () => {
    const [heading, ...rows] = renderCreates(creates, 1000).split('\n');
    expect(cells(heading)).toEqual(['1,000 pods created', 'creates/s', 'of undici', 'CPU each']);
    expect(rows.map(cells)).toEqual([
      ['undici', '500', '1.00', '0.40 ms'],
      ['ours', '455', '0.91', '0.50 ms'],
    ]);
  });

  it('show what caches cost', () => {
    const [, ...rows] = renderCaches(caches, 10_000).split('\n');
    expect(rows.map(cells)).toEqual([
      ['ours', '1.00 s', '0.80 s', '30 MiB', '102 MiB'],
      ['client-node', '2.00 s', '1.60 s', '100 MiB', '200 MiB'],
    ]);
  });

  it('show percentiles of waits, and the rate that was really reached', () => {
    const waits = Array.from({ length: 100 }, (_, index) => index + 1);
    const latencies = new Map([[1000, { eventsPerSecond: 998.7, waits, ages: waits.map((ms) => ms * 2) }]]);
    const [, row] = renderLatencies(latencies).split('\n');
    expect(cells(row)).toEqual(['1,000', '999', '100', '50.00 ms, 99.00 ms', '100.00 ms, 198.00 ms']);
  });
});

describe('the aims', () => {
  it('are at least 0.9 of the creates of bare undici', () => {
    expect(aimsOfCreates(creates, 1000)).toEqual([
      { title: 'creates/s, of bare undici', value: 2 / 2.2, bound: 'at least', than: 0.9 },
    ]);
  });

  it("are at most half of the informer's time, heap and memory", () => {
    expect(aimsOfCaches(caches).map(({ value, bound, than }) => [value, bound, than])).toEqual([
      [0.5, 'at most', 0.5],
      [0.3, 'at most', 0.5],
      [0.51, 'at most', 0.5],
    ]);
  });

  it.each([
    { value: 0.9, bound: 'at least', verdict: 'reached' },
    { value: 0.89, bound: 'at least', verdict: 'missed' },
    { value: 0.9, bound: 'at most', verdict: 'reached' },
    { value: 0.91, bound: 'at most', verdict: 'missed' },
  ] as const)('say of $value, $bound 0.9: $verdict', ({ value, bound, verdict }) => {
    const [, line] = renderAims([{ title: 'x', value, bound, than: 0.9 }]).split('\n');
    expect(cells(line)).toEqual(['x', value.toFixed(2), `${bound} 0.90`, verdict]);
  });
});
