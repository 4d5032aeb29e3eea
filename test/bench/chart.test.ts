import { describe, expect, it } from '@jest/globals';
import { renderChart } from './chart.ts';
import { sample } from './fixture.ts';
import { summarise } from './summary.ts';

const samples = [
  sample('limit', 'create', { seconds: 5, writes: 1000 }),
  sample('native', 'create', { seconds: 10, writes: 1500 }),
  sample('ours', 'create', { seconds: 8, writes: 1030 }),
  sample('native', 'heal', { seconds: 2 }),
  sample('ours', 'heal', { seconds: 1 }),
];
const chart = renderChart(summarise(samples, 1000), { title: 'A < B & C', subtitle: 'two cores' });

/** Heights of the bars of one contender, in the order they are drawn. */
function heights(svg: string, contender: string): number[] {
  const bars = svg.matchAll(new RegExp(`<rect class="${contender}"[^>]* width="36" height="([\\d.]+)"`, 'g'));
  return [...bars].map(([, height]) => Number(height));
}

describe('renderChart', () => {
  it('draws bars as high as the medians, each panel by its own highest', () => {
    // Seconds (create, heal), then writes; CPU was zero throughout and lies flat between them.
    expect(heights(chart, 'native')).toEqual([150, 30, 0, 0, 150, 0]);
    expect(heights(chart, 'ours')).toEqual([120, 15, 0, 0, 103, 0]);
    expect(heights(chart, 'limit')).toEqual([75, 0, 100]);
  });

  it('writes the number on every bar and the work below', () => {
    for (const label of ['10.0', '8.00', '5.00', '1,500', '1,030', '0 → 1,000 Ready', 'heal 100']) {
      expect(chart).toContain(`>${label.replace('>', '&gt;')}</text>`);
    }
  });

  it('names only those who took part', () => {
    expect(chart).toContain('bare client (limit)');
    const two = renderChart(
      summarise(
        samples.filter(({ contender }) => contender !== 'limit'),
        1000,
      ),
      { title: '', subtitle: '' },
    );
    expect(two).not.toContain('bare client (limit)');
    expect(two).toContain('MyDeployment');
  });

  it('draws no bar outside the page', () => {
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(chart) ?? [];
    for (const [, x, y, w, h] of chart.matchAll(/x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="([\d.]+)"/g)) {
      expect(Math.min(Number(x), Number(y))).toBeGreaterThanOrEqual(0);
      expect(Number(x) + Number(w)).toBeLessThanOrEqual(Number(width));
      expect(Number(y) + Number(h)).toBeLessThanOrEqual(Number(height));
    }
  });

  it('escapes what it is given', () => {
    expect(chart).toContain('<title>A &lt; B &amp; C</title>');
    expect(chart).not.toContain('A < B');
  });

  it('can be read on a dark page, too', () => {
    expect(chart).toContain('@media (prefers-color-scheme: dark)');
    expect(chart).toContain('class="page"');
  });
});
