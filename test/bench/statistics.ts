// The few numbers that a benchmark may quote of its samples. Nothing is averaged: a mean hides the one bad round, a
// median with its extremes shows it.

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The middle value, or the middle of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const middle = sorted.length / 2;
  return (at(sorted, Math.ceil(middle) - 1) + at(sorted, Math.floor(middle))) / 2;
}

/** The smallest value that `percent` of all values do not exceed: always one that was really measured. */
export function percentile(values: readonly number[], percent: number): number {
  return at(ascending(values), Math.max(0, Math.ceil((percent / 100) * values.length) - 1));
}

/** Undefined when nothing was measured. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** How many times `reference` the value is; undefined where that says nothing. */
export function ratio(value: number | undefined, reference: number | undefined): number | undefined {
  return value === undefined || reference === undefined || reference === 0 ? undefined : value / reference;
}

function ascending(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

function at(sorted: readonly number[], index: number): number {
  const value = sorted[index];
  if (value === undefined) throw new Error('no values to choose from');
  return value;
}
