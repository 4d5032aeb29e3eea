import { describe, expect, it } from '@jest/globals';
import { sample } from './fixture.ts';
import { summarise } from './summary.ts';
import { renderTable } from './table.ts';

const samples = [
  sample('limit', 'create', { seconds: 6.9, writes: 1000 }),
  ...[9.1, 9.5, 12].map((seconds, index) => sample('native', 'create', { round: index + 1, seconds, writes: 1492 })),
  ...[7, 7.6, 8].map((seconds, index) => sample('ours', 'create', { round: index + 1, seconds, writes: 1031 })),
];
const lines = renderTable(summarise(samples, 1000)).split('\n');
const cells = (line: string | undefined): string[] => (line ?? '').trim().split(/ {3,}/);

describe('renderTable', () => {
  it('shows medians with their spread, the ratios, and whether the aims are reached', () => {
    expect(cells(lines[lines.indexOf('Wall time') + 1])).toEqual([
      '0 → 1,000 Ready',
      '6.90 s',
      '9.50 s (9.10–12.0)',
      '7.60 s (7.00–8.00)',
      '0.80 ≤ 0.80 reached',
      '1.10 > 1.10 missed',
    ]);
  });

  it('shows counts without a unit, and an aim that is no ratio', () => {
    const line = lines[lines.indexOf('Own API writes, Events included') + 1];
    expect(cells(line)).toEqual(['0 → 1,000 Ready', '1,000', '1,492', '1,031', '0.69', '1,031 > 1,030 missed']);
  });

  it('keeps columns straight', () => {
    const starts = ['ours / native', '0.80 ≤ 0.80', '0.69'].map((cell) => {
      return lines.find((line) => line.includes(cell))?.indexOf(cell);
    });
    expect(starts[0]).toBeGreaterThan(0);
    expect(new Set(starts).size).toBe(1);
  });

  it('ends with the score', () => {
    expect(lines.at(-1)).toMatch(/^\d+ of \d+ aims reached$/);
  });
});
