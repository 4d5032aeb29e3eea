// What may follow on a command line, from the table of commands. Pure: names in the cluster are asked for as data.

import { wordsOf } from './arguments.ts';
import { type Command, commands, type Flag, globalFlags } from './commands.ts';
import { shells } from './completion-script.ts';

export interface Candidate {
  readonly word: string;
  readonly summary?: string;
}

export type Answer =
  | { readonly from: 'table'; readonly candidates: readonly Candidate[] }
  /** The shell's own completion of file names. */
  | { readonly from: 'files' }
  /** Names of objects in the cluster, with this before each. */
  | { readonly from: 'cluster'; readonly prefixes: readonly ('' | 'md/' | 'deployment/')[] };

/** What may come in place of the last word, which may be empty or half written. */
export function candidatesFor(words: readonly string[]): Answer {
  const typed = words.at(-1) ?? '';
  const before = wordsOf(words.slice(0, -1));
  const command = commands.find(({ path }) => path.every((word, index) => before[index] === word));
  const flag = flagBefore(command, words.at(-2) ?? '');
  if (flag !== undefined) return flag.value === 'FILE' ? { from: 'files' } : { from: 'table', candidates: [] };
  if (typed.startsWith('-')) return fromTable(flagsOf(command).map(spelled), typed);
  if (command === undefined) return fromTable(nextWords(before), typed);
  const isLast = before.length > command.path.length && !command.selects;
  return isLast ? { from: 'table', candidates: [] } : argumentOf(command, typed);
}

/** The flag whose value comes next. */
function flagBefore(command: Command | undefined, word: string): Flag | undefined {
  return flagsOf(command).find(
    ({ name, short, value }) => value !== undefined && (word === `--${name}` || word === `-${short}`),
  );
}

function argumentOf({ completes }: Command, typed: string): Answer {
  switch (completes) {
    case 'shell':
      return fromTable(
        shells.map((word) => ({ word })),
        typed,
      );
    case 'mydeployment':
      return { from: 'cluster', prefixes: typed.startsWith('md/') ? ['md/'] : [''] };
    case 'workload':
      return { from: 'cluster', prefixes: ['deployment/', 'md/'] };
    case undefined:
      return { from: 'table', candidates: [] };
    default:
      return completes satisfies never;
  }
}

function nextWords(before: readonly string[]): Candidate[] {
  const fitting = commands.filter(({ path }) => before.every((word, index) => path[index] === word));
  const words = new Map(fitting.map(({ path, summary }) => [path[before.length] as string, { path, summary }]));
  return [...words].map(([word, { path, summary }]) =>
    path.length === before.length + 1 ? { word, summary } : { word },
  );
}

function flagsOf(command: Command | undefined): readonly Flag[] {
  return [...(command?.flags ?? []), ...globalFlags];
}

function spelled({ name, value, summary }: Flag): Candidate {
  return { word: value === undefined ? `--${name}` : `--${name}=`, summary };
}

function fromTable(candidates: readonly Candidate[], typed: string): Answer {
  return { from: 'table', candidates: candidates.filter(({ word }) => word.startsWith(typed)) };
}
