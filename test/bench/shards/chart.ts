// The measurements of shards as a picture: growth of one process beside the native controllers, and what sharing makes of it.

import { type Group, renderBarChart, type Series } from '../bar-chart.ts';
import { addedMiB, most, ordered, type Result } from './report.ts';

const SERIES: readonly Series[] = [
  { name: 'native', label: 'native Deployment', color: '#2f81f7' },
  { name: 'one', label: 'MyDeployment', color: '#e16f24' },
  { name: 'filtered', label: 'shards, filtered', color: '#2da44e' },
  { name: 'unfiltered', label: 'shards, not filtered', color: '#8250df' },
];

interface Figure {
  readonly heading: string;
  readonly read: (result: Result) => number;
  readonly digits: number;
}

const FIGURES: readonly Figure[] = [
  { heading: 'Memory that pods add to a process, MiB', read: addedMiB, digits: 0 },
  {
    heading: 'CPU of a process while 1 % of the pods change each minute, percent of a core',
    read: ({ processes }) => 100 * most(processes, 'busyCpu'),
    digits: 1,
  },
  {
    heading: 'CPU of the API server meanwhile, percent of a core',
    read: ({ apiServer }) => 100 * apiServer.busyCpu,
    digits: 1,
  },
  {
    heading: 'Start of all processes until the first repair everywhere, seconds',
    read: ({ startSeconds }) => startSeconds,
    digits: 1,
  },
];

/** Of several processes the largest value is drawn. */
export function renderShardChart(results: readonly Result[]): string {
  const groups = Map.groupBy(ordered(results), groupOf);
  const panels = FIGURES.map(({ heading, read, digits }) => ({
    heading,
    groups: [...groups].map(([title, members]): Group => {
      const bars = members.map((result) => {
        const value = read(result);
        return [seriesOf(result), { value, label: value.toFixed(digits) }] as const;
      });
      return { title, bars: Object.fromEntries(bars) };
    }),
  }));
  const subtitle = [...new Set(results.map(({ machine }) => machine.replace(/load before [\d.]+; /, '')))].join('; ');
  return renderBarChart({
    title: 'MyDeployment with many pods, in one process and in several',
    subtitle,
    series: SERIES,
    panels,
  });
}

function groupOf({ pods, processes }: Result): string {
  const count = `${pods.toLocaleString('en-US')} pods`;
  return processes.length === 1 ? count : `${count}, ${processes.length} shards`;
}

function seriesOf({ contender, processes, gate }: Result): string {
  if (contender === 'native') return 'native';
  if (processes.length === 1) return 'one';
  return gate === 'on' ? 'filtered' : 'unfiltered';
}
