// The report as a picture: for each of time, CPU and writes a group of bars for every work, one bar a contender.

import { type Panel, renderBarChart, type Series } from './bar-chart.ts';
import { CONTENDERS, type ContenderName } from './contenders/contender.ts';
import { formatted } from './format.ts';
import { CPU, WALL, WRITES } from './metrics.ts';
import type { Row } from './summary.ts';

export interface ChartProps {
  readonly title: string;
  readonly subtitle: string;
}

const PANELS: Readonly<Record<string, string>> = {
  [WALL]: 'Time until all pods are as asked, seconds',
  [CPU]: 'CPU of the controller, seconds',
  [WRITES]: 'API writes of the controller, Events included',
};

const SERIES: Readonly<Record<ContenderName, Omit<Series, 'name'>>> = {
  limit: { label: 'bare client (limit)', color: '#8c959f' },
  native: { label: 'native Deployment', color: '#2f81f7' },
  ours: { label: 'MyDeployment', color: '#e16f24' },
};

/** Renders the rows that can be drawn as one SVG document. */
export function renderChart(rows: readonly Row[], props: ChartProps): string {
  const panels = Object.entries(PANELS)
    .map(([section, heading]) => ({ heading, groups: rows.filter((row) => row.section === section).map(groupOf) }))
    .filter(({ groups }) => groups.length > 0);
  return renderBarChart({ ...props, panels, series: CONTENDERS.map((name) => ({ name, ...SERIES[name] })) });
}

function groupOf({ title, values, unit }: Row): Panel['groups'][number] {
  const bars = Object.entries(values).map(([name, { median }]) => [
    name,
    { value: median, label: formatted(median, unit) },
  ]);
  return { title, bars: Object.fromEntries(bars) };
}
