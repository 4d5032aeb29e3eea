// The report for a terminal: who needed how much, and how that compares with what we aim at.

import { aligned } from './columns.ts';
import { CONTENDERS } from './contenders/contender.ts';
import { formatted } from './format.ts';
import type { Unit } from './metrics.ts';
import type { Spread } from './statistics.ts';
import { countAims, type Row, type Verdict } from './summary.ts';

const HEADINGS = ['', ...CONTENDERS, 'ours / native', 'ours / limit', 'aim of its own'];

/** Renders rows as aligned columns, a section at a time. */
export function renderTable(rows: readonly Row[]): string {
  const [headings = '', ...lines] = aligned([HEADINGS, ...rows.map(cellsOf)]);
  const { reached, total } = countAims(rows);
  const sections = [...new Set(rows.map(({ section }) => section))].map((section) => [
    section,
    ...lines.filter((_, index) => rows[index]?.section === section),
  ]);
  return [[headings], ...sections, [`${reached} of ${total} aims reached`]]
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function cellsOf({ title, unit, values, againstNative, againstLimit, byItself }: Row): string[] {
  return [
    `  ${title}`,
    ...CONTENDERS.map((name) => spread(values[name], unit)),
    verdict(againstNative, 'times'),
    verdict(againstLimit, 'times'),
    verdict(byItself, unit),
  ];
}

/** `9.5 s (9.1–9.9)`; one round has no spread. */
function spread(value: Spread | undefined, unit: Unit): string {
  if (value === undefined) return '';
  const { median, min, max } = value;
  const [middle, low, high] = [median, min, max].map((each) => formatted(each, unit));
  const label = unit === 'count' || unit === 'times' ? middle : `${middle} ${unit}`;
  return low === high ? `${label}` : `${label} (${low}–${high})`;
}

/** `0.77 ≤ 0.80 reached`. */
function verdict(value: Verdict | undefined, unit: Unit): string {
  if (value === undefined) return '';
  const measured = formatted(value.value, unit);
  if (value.atMost === undefined) return measured;
  const aim = formatted(value.atMost, unit);
  return value.reached ? `${measured} ≤ ${aim} reached` : `${measured} > ${aim} missed`;
}
