// What the report speaks of, and what we aim at: each number with the way it is read from the samples of one turn, and
// how large it may be. Ratios are of medians of one run, so the noise of the machine hits both sides alike.

import type { Sample } from './sample.ts';
import { percentile } from './statistics.ts';
import { PODS_EACH as PODS_AT_REST } from './work/at-rest.ts';
import { nodeCount } from './work/daemon.ts';
import { objectGrowthName, podGrowthName, scaled } from './work/growth.ts';
import { lostPods } from './work/heal.ts';
import { fleetSize, PODS_EACH } from './work/many.ts';

/** What one contender did in one round, by work. */
export type Turn = ReadonlyMap<string, Sample>;
export type Reader = (turn: Turn) => number | undefined;
export type Unit = 's' | 'ms' | 'MiB' | 'count' | 'times';

export interface Aim {
  /** Of what native needs. */
  readonly native?: number;
  /** Of what the limit needs to create all pods. */
  readonly limit?: number;
  /** In the metric's own unit. */
  readonly atMost?: number;
}

export interface Metric {
  readonly section: string;
  readonly title: string;
  readonly unit: Unit;
  readonly read: Reader;
  readonly aim?: Aim;
  /** What the limit's turn is compared by, where that makes sense. */
  readonly limit?: Reader;
}

export const WALL = 'Wall time';
export const STATUS_LAG = 'From the last pod until the status says so';
export const CPU = 'Controller CPU';
export const WRITES = 'Own API writes, Events included';

/** All metrics for a benchmark of this size. */
export function metricsFor(size: number): readonly Metric[] {
  return [
    ...perWork(WALL, 's', 'seconds', size).map((metric) => ({ ...metric, limit: of('create', 'seconds') })),
    ...statusLags(size),
    reaction('p50', 50, 0.8),
    reaction('p99', 99, 1),
    ...perWork(CPU, 's', 'cpuSeconds', size),
    ...perWork(WRITES, 'count', 'writes', size),
    ...otherRequests(),
    { section: 'Peak memory', title: 'whole turn', unit: 'MiB', read: peakMemory, aim: { native: 1 } },
    ...atRest(size),
    ...growth(size),
    ...inPlace(size),
    ...daemon(size),
  ];
}

type Field =
  | 'seconds'
  | 'syncedSeconds'
  | 'cpuSeconds'
  | 'peakRssMiB'
  | 'writes'
  | 'allWrites'
  | 'events'
  | 'reads'
  | 'leaseWrites'
  | 'dryRuns';

const AIMS: Readonly<Record<string, (size: number) => Readonly<Partial<Record<Field, Aim>>>>> = {
  create: (n) => ({
    seconds: { native: 0.8, limit: 1.1 },
    cpuSeconds: { native: 0.8 },
    writes: { atMost: 1.03 * n },
  }),
  roll: (n) => ({ seconds: { native: 0.75, limit: 2.1 }, cpuSeconds: { native: 0.8 }, writes: { atMost: 2.1 * n } }),
  heal: () => ({ seconds: { native: 0.8 } }),
  zero: (n) => ({ seconds: { native: 0.9 }, writes: { atMost: 1.02 * n } }),
  'many-create': () => ({ seconds: { native: 0.85 }, writes: { native: 1 } }),
  'many-roll': () => ({ seconds: { native: 0.85 }, writes: { native: 1 } }),
};

function titles(size: number): Readonly<Record<string, string>> {
  const [n, fleet] = [shown(size), `${shown(fleetSize(size))} × ${PODS_EACH}`];
  return {
    create: `0 → ${n} Ready`,
    roll: `roll ${n}, 25 % / 25 %`,
    surge: `roll ${n}, maxSurge 1`,
    heal: `heal ${shown(lostPods(size))}`,
    zero: `${n} → 0`,
    'many-create': `${fleet} created`,
    'many-roll': `${fleet} rolled`,
  };
}

/** The same reading of every everyday work. */
function perWork(section: string, unit: Unit, field: Field, size: number): Metric[] {
  return Object.entries(titles(size)).map(([work, title]) => {
    const aim = AIMS[work]?.(size)[field];
    return { section, title, unit, read: of(work, field), ...(aim && { aim }) };
  });
}

/** One number where there is one object, percentiles where there are many or where the work is repeated. */
function statusLags(size: number): Metric[] {
  const titleOf = titles(size);
  const lag = (work: string, title = titleOf[work] ?? work, percent = 50, atMost?: number): Metric => ({
    section: STATUS_LAG,
    title,
    unit: 'ms',
    read: (turn) => percentileOf(turn.get(work)?.statusLagsMs, percent),
    ...(atMost !== undefined && { aim: { atMost } }),
  });
  return [
    lag('freshness', '3 → 4 → 3, p50', 50, 50),
    lag('freshness', '3 → 4 → 3, p99', 99, 300),
    lag('roll', titleOf.roll, 50, 500),
    ...['create', 'heal', 'zero'].map((work) => lag(work)),
    ...['many-create', 'many-roll'].flatMap((work) => [
      lag(work, `${titleOf[work]}, p50`, 50),
      lag(work, `${titleOf[work]}, p99`, 99),
    ]),
  ];
}

function percentileOf(values: readonly number[] | undefined, percent: number): number | undefined {
  return values && values.length > 0 ? percentile(values, percent) : undefined;
}

function reaction(title: string, percent: number, native: number): Metric {
  const read: Reader = (turn) => percentileOf(turn.get('reaction')?.reactionsMs, percent);
  return { section: 'Reaction to a deleted pod', title, unit: 'ms', read, aim: { native } };
}

function otherRequests(): Metric[] {
  const section = 'Requests of the whole turn';
  const total =
    (field: Field): Reader =>
    (turn) =>
      turn.size === 0 ? undefined : [...turn.values()].reduce((sum, sample) => sum + (sample[field] ?? 0), 0);
  return [
    { section, title: 'Events (among the writes)', unit: 'count', read: total('events') },
    { section, title: 'reads', unit: 'count', read: total('reads') },
    { section, title: 'Lease renewals', unit: 'count', read: total('leaseWrites') },
    { section, title: 'dry runs', unit: 'count', read: total('dryRuns') },
  ];
}

/** With ten times the pods, memory is another question. */
const AT_REST = ['start-up', 'idle'];

function peakMemory(turn: Turn): number | undefined {
  const everyday = [...turn.values()].filter(({ work }) => !AT_REST.includes(work) && !/^(growth|daemon)-/.test(work));
  return everyday.length === 0 ? undefined : Math.max(...everyday.map(({ peakRssMiB }) => peakRssMiB));
}

function atRest(size: number): Metric[] {
  const section = `With ${shown(size * PODS_AT_REST)} pods and ${shown(size)} objects`;
  const [start, idle] = AT_REST as [string, string];
  return [
    { section, title: 'start to synced', unit: 's', read: of(start, 'syncedSeconds') },
    { section, title: 'start to first repair', unit: 's', read: of(start, 'seconds') },
    { section, title: 'CPU to start', unit: 's', read: of(start, 'cpuSeconds') },
    { section, title: 'peak memory', unit: 'MiB', read: of(start, 'peakRssMiB'), aim: { native: 1 } },
    { section, title: 'CPU in 30 s of idling', unit: 's', read: of(idle, 'cpuSeconds') },
    { section, title: 'writes in 30 s of idling', unit: 'count', read: of(idle, 'writes'), aim: { atMost: 0 } },
  ];
}

function growth(size: number): Metric[] {
  const section = 'Growth: cost of each, against few';
  const grown = (what: string, few: number, many: number, nameOf: (factor: number) => string): Metric[] => {
    const title = `${shown(scaled(size, many))} ${what} against ${shown(scaled(size, few))}`;
    const each = (field: Field, factor: number): Reader => {
      const read = of(nameOf(factor), field);
      return (turn) => quotient(read(turn), scaled(size, factor));
    };
    const compare =
      (field: Field): Reader =>
      (turn) =>
        quotient(each(field, many)(turn), each(field, few)(turn));
    const aim = { atMost: 1.3 };
    return [
      { section, title: `${title}, time`, unit: 'times', read: compare('seconds'), aim },
      { section, title: `${title}, CPU`, unit: 'times', read: compare('cpuSeconds'), aim },
    ];
  };
  return [...grown('pods', 0.1, 5, podGrowthName), ...grown('objects', 0.01, 1, objectGrowthName)];
}

/** The same rollout by replacing, and in the pods that are there. */
function inPlace(size: number): Metric[] {
  const section = `Roll of ${shown(size)} in place, against replacing`;
  const facts = (title: string, unit: Unit, field: Field, atMost?: number): Metric[] => {
    const [replaced, changed] = [of('roll', field), of('in-place', field)];
    const compare: Reader = (turn) => quotient(changed(turn), replaced(turn));
    const aim = atMost !== undefined && { aim: { atMost } };
    return [
      { section, title, unit, read: changed },
      { section, title: `${title}, against replacing`, unit: 'times', read: compare, ...aim },
    ];
  };
  return [
    ...facts('time', 's', 'seconds', 1 / 2),
    ...facts('CPU', 's', 'cpuSeconds'),
    ...facts('own writes', 'count', 'writes'),
    ...facts('writes of controller, scheduler and nodes', 'count', 'allWrites', 2 / 3),
  ];
}

function daemon(size: number): Metric[] {
  const section = `MyDaemonSet and the native DaemonSet, ${shown(nodeCount(size))} nodes`;
  const facts = (title: string, work: string): Metric[] => [
    { section, title: `${title}, time`, unit: 's', read: of(work, 'seconds') },
    { section, title: `${title}, CPU`, unit: 's', read: of(work, 'cpuSeconds') },
    { section, title: `${title}, writes`, unit: 'count', read: of(work, 'writes') },
  ];
  return [
    ...facts('a pod on each', 'daemon-create'),
    ...facts('rolled, 25 %', 'daemon-roll'),
    { section, title: 'peak memory', unit: 'MiB', read: of('daemon-roll', 'peakRssMiB') },
  ];
}

function quotient(value: number | undefined, by: number | undefined): number | undefined {
  return value === undefined || by === undefined || by === 0 ? undefined : value / by;
}

function of(work: string, field: Field): Reader {
  return (turn) => turn.get(work)?.[field];
}

function shown(count: number): string {
  return count.toLocaleString('en-US');
}
