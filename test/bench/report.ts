// What is left of a run: a table, a JSON file with every sample, and an SVG chart.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderChart } from './chart.ts';
import { type Machine, machineSaid, roundsSaid } from './machine.ts';
import type { BenchOptions } from './options.ts';
import type { Sample } from './sample.ts';
import { summarise } from './summary.ts';
import { renderTable } from './table.ts';

export interface Run {
  readonly startedAt: Date;
  readonly machine: Machine;
  readonly options: BenchOptions;
  readonly samples: readonly Sample[];
  /** False when it was stopped, or failed, before its last round was over. */
  readonly complete: boolean;
}

/** The whole report as text. */
export function reportOf(run: Run): string {
  return `${titleOf(run)}\n${subtitleOf(run)}\n\n${renderTable(summarise(run.samples, run.options.pods))}`;
}

/** Writes the files and returns their paths. */
export async function writeReport(run: Run, folder: string): Promise<readonly string[]> {
  const rows = summarise(run.samples, run.options.pods);
  const name = join(folder, run.startedAt.toISOString().slice(0, 19).replaceAll(':', '-'));
  const files = {
    [`${name}.json`]: `${JSON.stringify({ ...run, rows }, null, 2)}\n`,
    [`${name}.svg`]: renderChart(rows, { title: titleOf(run), subtitle: subtitleOf(run) }),
  };
  await mkdir(folder, { recursive: true });
  await Promise.all(Object.entries(files).map(([path, content]) => writeFile(path, content)));
  return Object.keys(files);
}

function titleOf({ options }: Run): string {
  return `MyDeployment and the native Deployment, ${options.pods.toLocaleString('en-US')} pods`;
}

function subtitleOf({ options: { rounds }, machine, complete }: Run): string {
  return [roundsSaid(rounds), ...(complete ? [] : ['ended early']), machineSaid(machine)].join('; ');
}
