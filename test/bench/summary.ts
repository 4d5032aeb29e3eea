// From samples to statements: medians with their spread for each contender, ratios of medians, and whether the aims are
// reached. Pure, so that what the report claims can be checked by hand.

import { CONTENDERS, type ContenderName } from './contenders/contender.ts';
import { type Metric, metricsFor, type Reader, type Turn, type Unit } from './metrics.ts';
import type { Sample } from './sample.ts';
import { ratio, type Spread, spreadOf } from './statistics.ts';

/** A number and, where we have an aim, whether it is reached. */
export interface Verdict {
  readonly value: number;
  readonly atMost?: number;
  readonly reached?: boolean;
}

export interface Row {
  readonly section: string;
  readonly title: string;
  readonly unit: Unit;
  readonly values: Readonly<Partial<Record<ContenderName, Spread>>>;
  /** Ours, as a multiple of native's median. */
  readonly againstNative?: Verdict;
  /** Ours, as a multiple of what the limit needs to create all pods. */
  readonly againstLimit?: Verdict;
  /** Ours, where the aim is a number and not a ratio. */
  readonly byItself?: Verdict;
}

/** The rows of the report, without those of which nothing was measured. */
export function summarise(samples: readonly Sample[], size: number): readonly Row[] {
  const turns = new Map(CONTENDERS.map((name) => [name, turnsOf(samples, name)]));
  const read = (name: ContenderName, reader: Reader): Spread | undefined =>
    spreadOf((turns.get(name) ?? []).map(reader).filter((value) => value !== undefined));
  return metricsFor(size)
    .map((metric) => rowOf(metric, read))
    .filter(({ values }) => values.native !== undefined || values.ours !== undefined);
}

/** How many aims there are among these rows, and how many are reached. */
export function countAims(rows: readonly Row[]): { readonly reached: number; readonly total: number } {
  const verdicts = rows.flatMap(({ againstNative, againstLimit, byItself }) => [againstNative, againstLimit, byItself]);
  const judged = verdicts.filter((verdict) => verdict?.reached !== undefined);
  return { reached: judged.filter((verdict) => verdict?.reached).length, total: judged.length };
}

function rowOf(metric: Metric, read: (name: ContenderName, reader: Reader) => Spread | undefined): Row {
  const { section, title, unit, aim = {} } = metric;
  const [limit, native, ours] = CONTENDERS.map((name) => read(name, metric.read));
  const all = metric.limit && read('limit', metric.limit);
  const againstNative = unit === 'times' ? undefined : ratio(ours?.median, native?.median);
  const againstLimit = ratio(ours?.median, all?.median);
  return {
    section,
    title,
    unit,
    values: { ...(limit && { limit }), ...(native && { native }), ...(ours && { ours }) },
    ...(againstNative !== undefined && { againstNative: judge(againstNative, aim.native) }),
    ...(againstLimit !== undefined && { againstLimit: judge(againstLimit, aim.limit) }),
    ...(ours && aim.atMost !== undefined && { byItself: judge(ours.median, aim.atMost) }),
  };
}

function judge(value: number, atMost: number | undefined): Verdict {
  return atMost === undefined ? { value } : { value, atMost, reached: value <= atMost };
}

/** One for each round, in order. */
function turnsOf(samples: readonly Sample[], contender: ContenderName): Turn[] {
  const rounds = Map.groupBy(
    samples.filter((sample) => sample.contender === contender),
    ({ round }) => round,
  );
  return [...rounds.values()].map((own) => new Map(own.map((sample) => [sample.work, sample])));
}
