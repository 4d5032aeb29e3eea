import { describe, expect, it } from '@jest/globals';
import { sample } from './fixture.ts';
import { CPU, STATUS_LAG, WALL, WRITES } from './metrics.ts';
import type { Sample } from './sample.ts';
import { countAims, type Row, summarise } from './summary.ts';

const N = 1000;

function row(samples: readonly Sample[], section: string, title: string): Row | undefined {
  return summarise(samples, N).find((each) => each.section === section && each.title === title);
}

describe('summarise', () => {
  it('gives medians and spread of the rounds', () => {
    const rounds = [9.5, 9.1, 12].map((seconds, index) => sample('native', 'create', { seconds, round: index + 1 }));
    expect(row(rounds, WALL, '0 → 1,000 Ready')?.values).toEqual({ native: { median: 9.5, min: 9.1, max: 12 } });
  });

  it('compares a roll with native, and with what the limit needs to create', () => {
    const samples = [
      sample('limit', 'create', { seconds: 7 }),
      sample('native', 'roll', { seconds: 20 }),
      sample('ours', 'roll', { seconds: 14 }),
    ];
    expect(row(samples, WALL, 'roll 1,000, 25 % / 25 %')).toMatchObject({
      againstNative: { value: 0.7, atMost: 0.75, reached: true },
      againstLimit: { value: 2, atMost: 2.1, reached: true },
    });
  });

  it.each([
    { work: 'create', title: '0 → 1,000 Ready', atMost: 0.8 },
    { work: 'roll', title: 'roll 1,000, 25 % / 25 %', atMost: 0.75 },
    { work: 'heal', title: 'heal 100', atMost: 0.8 },
    { work: 'zero', title: '1,000 → 0', atMost: 0.9 },
    { work: 'many-create', title: '200 × 5 created', atMost: 0.85 },
    { work: 'many-roll', title: '200 × 5 rolled', atMost: 0.85 },
  ])('aims at $atMost of the time native needs for: $title', ({ work, title, atMost }) => {
    const samples = [sample('native', work, { seconds: 1 }), sample('ours', work, { seconds: 0.95 })];
    expect(row(samples, WALL, title)?.againstNative).toEqual({ value: 0.95, atMost, reached: false });
  });

  it('counts what is exactly as aimed at as reached', () => {
    const samples = [sample('native', 'heal', { seconds: 1 }), sample('ours', 'heal', { seconds: 0.8 })];
    expect(row(samples, WALL, 'heal 100')?.againstNative?.reached).toBe(true);
  });

  it.each([
    { work: 'create', title: '0 → 1,000 Ready', most: 1030 },
    { work: 'roll', title: 'roll 1,000, 25 % / 25 %', most: 2100 },
    { work: 'zero', title: '1,000 → 0', most: 1020 },
  ])('allows $most writes for: $title', ({ work, title, most }) => {
    const judged = (writes: number) => row([sample('ours', work, { writes })], WRITES, title)?.byItself?.reached;
    expect([judged(most), judged(most + 1)]).toEqual([true, false]);
  });

  it('judges CPU of create and roll against native, of nothing else', () => {
    const works = ['create', 'roll', 'heal', 'zero'];
    const samples = works.flatMap((work) => [
      sample('native', work, { cpuSeconds: 2 }),
      sample('ours', work, { cpuSeconds: 1 }),
    ]);
    const judged = summarise(samples, N).filter(({ section }) => section === CPU);
    expect(judged.map(({ againstNative }) => againstNative)).toEqual([
      { value: 0.5, atMost: 0.8, reached: true },
      { value: 0.5, atMost: 0.8, reached: true },
      { value: 0.5 },
      { value: 0.5 },
    ]);
  });

  it('takes percentiles of the reactions of each round', () => {
    const reactionsMs = Array.from({ length: 100 }, (_, index) => index + 1);
    const samples = [sample('ours', 'reaction', { reactionsMs })];
    const medianOf = (title: string) => row(samples, 'Reaction to a deleted pod', title)?.values.ours?.median;
    expect([medianOf('p50'), medianOf('p99')]).toEqual([50, 99]);
  });

  it('takes percentiles of the freshness of the status, and aims at numbers of its own', () => {
    const statusLagsMs = Array.from({ length: 100 }, (_, index) => 4 * (index + 1));
    const samples = [
      sample('ours', 'freshness', { statusLagsMs }),
      sample('ours', 'roll', { statusLagsMs: [500] }),
      sample('ours', 'many-roll', { statusLagsMs }),
    ];
    const of = (title: string) => row(samples, STATUS_LAG, title);
    expect(of('3 → 4 → 3, p50')?.byItself).toEqual({ value: 200, atMost: 50, reached: false });
    expect(of('3 → 4 → 3, p99')?.byItself).toEqual({ value: 396, atMost: 300, reached: false });
    expect(of('roll 1,000, 25 % / 25 %')?.byItself).toEqual({ value: 500, atMost: 500, reached: true });
    expect(of('200 × 5 rolled, p99')?.values.ours?.median).toBe(396);
  });

  it('takes the highest memory of all everyday works, not of those with ten times the pods', () => {
    const samples = [
      sample('ours', 'create', { peakRssMiB: 80 }),
      sample('ours', 'roll', { peakRssMiB: 90 }),
      sample('ours', 'start-up', { peakRssMiB: 300 }),
    ];
    expect(row(samples, 'Peak memory', 'whole turn')?.values.ours?.median).toBe(90);
    expect(row(samples, 'With 10,000 pods and 1,000 objects', 'peak memory')?.values.ours?.median).toBe(300);
  });

  it('adds up the other requests of a turn', () => {
    const samples = [sample('ours', 'create', { leaseWrites: 2 }), sample('ours', 'roll', { leaseWrites: 3 })];
    expect(row(samples, 'Requests of the whole turn', 'Lease renewals')?.values.ours?.median).toBe(5);
  });

  it('compares the cost of a pod among many with that among few', () => {
    const samples = [
      sample('ours', 'growth-pods-x0.1', { seconds: 1, cpuSeconds: 0.1 }),
      sample('ours', 'growth-pods-x5', { seconds: 60, cpuSeconds: 10 }),
    ];
    const growth = (what: string) =>
      row(samples, 'Growth: cost of each, against few', `5,000 pods against 100, ${what}`)?.byItself;
    expect(growth('time')).toEqual({ value: 1.2, atMost: 1.3, reached: true });
    expect(growth('CPU')).toEqual({ value: 2, atMost: 1.3, reached: false });
  });

  it('allows no write while idle', () => {
    const judged = (writes: number) =>
      row([sample('ours', 'idle', { writes })], 'With 10,000 pods and 1,000 objects', 'writes in 30 s of idling');
    expect([judged(0)?.byItself?.reached, judged(1)?.byItself?.reached]).toEqual([true, false]);
  });

  it('says how long a start takes until all is known, and until something is done', () => {
    const samples = [sample('ours', 'start-up', { syncedSeconds: 2, seconds: 3 })];
    const medianOf = (title: string) => row(samples, 'With 10,000 pods and 1,000 objects', title)?.values.ours?.median;
    expect([medianOf('start to synced'), medianOf('start to first repair')]).toEqual([2, 3]);
  });

  it('compares a rollout in place with one that replaces', () => {
    const section = 'Roll of 1,000 in place, against replacing';
    const samples = [
      sample('ours', 'roll', { seconds: 20, allWrites: 6000 }),
      sample('ours', 'in-place', { seconds: 8, allWrites: 4200 }),
    ];
    const verdict = (what: string) => row(samples, section, `${what}, against replacing`)?.byItself;
    expect(verdict('time')).toEqual({ value: 0.4, atMost: 1 / 2, reached: true });
    expect(verdict('writes of controller, scheduler and nodes')).toEqual({ value: 0.7, atMost: 2 / 3, reached: false });
  });

  it('keeps works of one pod a node apart, memory too', () => {
    const section = 'MyDaemonSet and the native DaemonSet, 200 nodes';
    const samples = [
      sample('native', 'daemon-roll', { seconds: 8, peakRssMiB: 70 }),
      sample('ours', 'daemon-roll', { seconds: 4, peakRssMiB: 90 }),
      sample('ours', 'create', { peakRssMiB: 80 }),
    ];
    expect(row(samples, section, 'rolled, 25 %, time')?.againstNative).toEqual({ value: 0.5 });
    expect(row(samples, section, 'peak memory')?.values.ours?.median).toBe(90);
    expect(row(samples, 'Peak memory', 'whole turn')?.values.ours?.median).toBe(80);
  });

  it('leaves out what was not measured', () => {
    const titles = summarise([sample('ours', 'heal')], N).filter(({ section }) => section === WALL);
    expect(titles.map(({ title }) => title)).toEqual(['heal 100']);
    expect(summarise([], N)).toEqual([]);
  });
});

describe('countAims', () => {
  it('counts every verdict that has an aim', () => {
    const samples = [
      sample('limit', 'create', { seconds: 1 }),
      sample('native', 'create', { seconds: 1 }),
      sample('ours', 'create', { seconds: 1.05, writes: 1031 }),
    ];
    const rows = summarise(samples, N).filter(({ section }) => section === WALL || section === WRITES);
    // Missed: time against native, writes. Reached: time against the limit.
    expect(countAims(rows)).toEqual({ reached: 1, total: 3 });
  });
});
