import { describe, expect, it } from '@jest/globals';
import { renderShardChart } from './chart.ts';
import { type Result, renderShardTable } from './report.ts';

const process = { rssMiB: 100, peakRssMiB: 120, idleCpu: 0.001, busyCpu: 0.1 };

function result(facts: Partial<Result>): Result {
  return {
    contender: 'ours',
    gate: 'on',
    emptyMiB: 80,
    machine: '2 cores, 8 GiB, load before 0.2; Kubernetes v1.37.1, Node v24.0.0',
    pods: 50_000,
    startSeconds: 4.25,
    processes: [process],
    apiServer: { ...process, idleCpu: 0.01, busyCpu: 0.2 },
    reactionMs: { p50: 4.4, p99: 20.6 },
    createdAtRest: 0,
    ...facts,
  };
}

const moves = { killed: { held: 14.02, replaced: 14.93 }, stopped: { held: 0.2, replaced: 1.25 } };
const four = [60, 90, 70, 88].map((added) => ({ ...process, rssMiB: 80 + added }));
const all = [
  result({ processes: four, gate: 'off', ...moves }),
  result({ processes: [{ ...process, rssMiB: 380 }] }),
  result({ contender: 'native', processes: [{ ...process, rssMiB: 700 }] }),
  result({ processes: four, ...moves }),
];

describe('the table of the benchmark of shards', () => {
  const rows = renderShardTable(all)
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()));

  it('has native first, then one process, then those that share, filtered first', () => {
    expect(rows.map(([, , processes, filtered]) => [processes, filtered])).toEqual([
      ['native', ''],
      ['1', ''],
      ['4', 'yes'],
      ['4', 'no'],
    ]);
  });

  it('compares what pods add to the largest process with what they add to one that has all', () => {
    expect(rows.map((cells) => cells.slice(5, 8))).toEqual([
      ['700', '620', ''],
      ['380', '300', ''],
      ['140–170', '90', '0.30'],
      ['140–170', '90', '0.30'],
    ]);
  });

  it('says how long ranges were without a holder', () => {
    expect(rows.map((cells) => cells.slice(13, 15))).toEqual([
      ['', ''],
      ['', ''],
      ['14.0 / 14.9', '0.2 / 1.3'],
      ['14.0 / 14.9', '0.2 / 1.3'],
    ]);
  });
});

it('draws the largest process of each crew, by pods and shards', () => {
  const chart = renderShardChart(all);
  expect(chart).toContain('>50,000 pods</text>');
  expect(chart).toContain('>50,000 pods, 4 shards</text>');
  const heights = (name: string): number[] =>
    [...chart.matchAll(new RegExp(`<rect class="${name}"[^>]* width="36" height="([\\d.]+)"`, 'g'))].map(([, height]) =>
      Number(height),
    );
  expect(heights('native')[0]).toBe(150);
  expect(heights('one')[0]).toBe(72.6);
  expect(heights('filtered')[0]).toBe(heights('unfiltered')[0]);
  expect(chart).toContain('2 cores, 8 GiB, Kubernetes v1.37.1, Node v24.0.0');
});
