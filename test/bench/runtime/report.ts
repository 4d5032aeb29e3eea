// What a run of the runtime's benchmark says: three tables, and whether the aims are reached. Pure, so that what it
// claims can be checked by hand.

import { aligned } from '../columns.ts';
import { median, percentile } from '../statistics.ts';
import type { Latency } from './latency.ts';
import type { Measured } from './measured.ts';

/** What each contender measured, round by round. */
export type Results = Readonly<Record<string, readonly Measured[]>>;

export interface Aim {
  readonly title: string;
  readonly value: number;
  readonly bound: 'at least' | 'at most';
  readonly than: number;
}

/** `count` pods created by each contender. */
export function renderCreates(results: Results, count: number): string {
  const heading = [`${shown(count)} pods created`, 'creates/s', 'of undici', 'CPU each'];
  const limit = rateOf(results.undici, count);
  const rows = Object.entries(results).map(([who, rounds]) => {
    const rate = rateOf(rounds, count);
    const cpuMs = (middle(rounds, 'cpuSeconds') / count) * 1000;
    return [`  ${who}`, rate.toFixed(0), (rate / limit).toFixed(2), `${cpuMs.toFixed(2)} ms`];
  });
  return aligned([heading, ...rows]).join('\n');
}

/** `count` pods known to each contender's cache. */
export function renderCaches(results: Results, count: number): string {
  const heading = [`${shown(count)} pods cached`, 'time to synced', 'CPU', 'heap', 'peak RSS'];
  const rows = Object.entries(results).map(([who, rounds]) => [
    `  ${who}`,
    `${middle(rounds, 'seconds').toFixed(2)} s`,
    `${middle(rounds, 'cpuSeconds').toFixed(2)} s`,
    `${middle(rounds, 'heapMiB').toFixed(0)} MiB`,
    `${middle(rounds, 'peakRssMiB').toFixed(0)} MiB`,
  ]);
  return aligned([heading, ...rows]).join('\n');
}

/** What became of each rate of changes that was asked for. */
export function renderLatencies(latencies: ReadonlyMap<number, Latency>): string {
  const heading = [
    'changes/s',
    'events/s seen',
    'reconciles',
    'event to reconcile p50, p99',
    'write to reconcile p50, p99',
  ];
  const rows = [...latencies].map(([asked, { eventsPerSecond, waits, ages }]) => [
    `  ${shown(asked)}`,
    eventsPerSecond.toFixed(0),
    shown(waits.length),
    percentiles(waits),
    percentiles(ages),
  ]);
  return aligned([heading, ...rows]).join('\n');
}

/** Whether our client is close to the limit. */
export function aimsOfCreates({ ours, undici }: Results, count: number): readonly Aim[] {
  const value = rateOf(ours, count) / rateOf(undici, count);
  return [{ title: 'creates/s, of bare undici', value, bound: 'at least', than: 0.9 }];
}

/** Whether our cache costs half of what client-node's informer does. */
export function aimsOfCaches({ ours, 'client-node': informer }: Results): readonly Aim[] {
  const aim = (title: string, field: keyof Measured): Aim => {
    return { title, value: middle(ours, field) / middle(informer, field), bound: 'at most', than: 0.5 };
  };
  return [
    aim("time to synced, of the informer's", 'seconds'),
    aim("heap, of the informer's", 'heapMiB'),
    aim("peak RSS, of the informer's", 'peakRssMiB'),
  ];
}

/** One line an aim. */
export function renderAims(aims: readonly Aim[]): string {
  const rows = aims.map(({ title, value, bound, than }) => {
    const reached = bound === 'at least' ? value >= than : value <= than;
    return [`  ${title}`, value.toFixed(2), `${bound} ${than.toFixed(2)}`, reached ? 'reached' : 'missed'];
  });
  return ['Aims', ...aligned(rows)].join('\n');
}

function rateOf(rounds: readonly Measured[] | undefined, count: number): number {
  return count / middle(rounds, 'seconds');
}

function middle(rounds: readonly Measured[] = [], field: keyof Measured): number {
  return median(rounds.map((each) => each[field]));
}

function percentiles(values: readonly number[]): string {
  return [50, 99].map((percent) => `${percentile(values, percent).toFixed(2)} ms`).join(', ');
}

function shown(count: number): string {
  return count.toLocaleString('en-US');
}
