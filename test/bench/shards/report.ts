// The measurements of shards as a table in Markdown: one row for each crew, by contender and number of pods.

import type { Figures, ProcessCost } from './trial.ts';

export interface Result extends Figures {
  readonly contender: 'native' | 'ours';
  readonly gate: 'on' | 'off';
  /** The memory of one process that has nothing to keep. */
  readonly emptyMiB: number;
  readonly machine: string;
}

const HEADINGS = [
  'pods',
  'processes',
  'API server filters',
  'start s',
  'memory each MiB',
  'added by pods MiB',
  'of one process',
  'CPU at rest each',
  'CPU with changes each',
  'reaction p50 / p99 ms',
  'API server at rest',
  'API server with changes',
  'killed: held / replaced s',
  'stopped: held / replaced s',
];

/** In the order of the table. */
export function ordered(results: readonly Result[]): Result[] {
  const rank = ({ contender, pods, processes, gate }: Result): number =>
    (contender === 'native' ? 0 : 1e9) + pods * 100 + processes.length * 2 + Number(gate === 'off');
  return [...results].sort((one, other) => rank(one) - rank(other));
}

/** What pods add to the largest process. */
export function addedMiB({ processes, emptyMiB }: Result): number {
  return most(processes, 'rssMiB') - emptyMiB;
}

export function most(processes: readonly ProcessCost[], field: keyof ProcessCost): number {
  return Math.max(...processes.map((each) => each[field]));
}

export function renderShardTable(results: readonly Result[]): string {
  const rows = ordered(results).map((result) => cellsOf(result, results));
  return [HEADINGS, HEADINGS.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellsOf(result: Result, all: readonly Result[]): string[] {
  const { contender, pods, processes, gate, startSeconds, apiServer, reactionMs, killed, stopped } = result;
  const single = all.find((each) => each.contender === contender && each.pods === pods && each.processes.length === 1);
  const isShared = processes.length > 1;
  return [
    pods.toLocaleString('en-US'),
    contender === 'native' ? 'native' : String(processes.length),
    isShared ? (gate === 'on' ? 'yes' : 'no') : '',
    startSeconds.toFixed(1),
    spread(processes, 'rssMiB', (value) => value.toFixed(0)),
    addedMiB(result).toFixed(0),
    isShared && single ? (addedMiB(result) / addedMiB(single)).toFixed(2) : '',
    spread(processes, 'idleCpu', percent),
    spread(processes, 'busyCpu', percent),
    `${reactionMs.p50.toFixed(0)} / ${reactionMs.p99.toFixed(0)}`,
    percent(apiServer.idleCpu),
    percent(apiServer.busyCpu),
    killed ? `${killed.held.toFixed(1)} / ${killed.replaced.toFixed(1)}` : '',
    stopped ? `${stopped.held.toFixed(1)} / ${stopped.replaced.toFixed(1)}` : '',
  ];
}

/** Of a core. */
function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function spread(processes: readonly ProcessCost[], field: keyof ProcessCost, shown: (value: number) => string): string {
  const [least, greatest] = [Math.min(...processes.map((each) => each[field])), most(processes, field)];
  return shown(least) === shown(greatest) ? shown(greatest) : `${shown(least)}–${shown(greatest)}`;
}
