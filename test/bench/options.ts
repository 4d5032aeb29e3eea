// The command line of the benchmark.

import { parseArgs } from 'node:util';
import { CONTENDERS, type ContenderName } from './contenders/contender.ts';
import { USUAL, WORK_NAMES, type WorkName } from './work/works.ts';

export interface BenchOptions {
  readonly pods: number;
  readonly rounds: number;
  readonly works: readonly WorkName[];
  readonly contenders: readonly ContenderName[];
}

export const USAGE = `usage: bench [--pods N] [--rounds N] [--only WORK,…] [--contenders NAME,…]
  --pods N             size of the object that is scaled, rolled and healed (default 1000)
  --rounds N           how often everything is measured (default 3)
  --only WORK,…        ${WORK_NAMES.join(', ')}; or all
                       (default ${USUAL.join(',')})
  --contenders NAME,…  ${CONTENDERS.join(', ')} (default all)
`;

/** Reads the arguments; throws with the flag and the value that cannot be used. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      pods: { type: 'string', default: '1000' },
      rounds: { type: 'string', default: '3' },
      only: { type: 'string', default: USUAL.join(',') },
      contenders: { type: 'string', default: CONTENDERS.join(',') },
    },
  });
  return {
    pods: count('pods', values.pods),
    rounds: count('rounds', values.rounds),
    works: values.only === 'all' ? WORK_NAMES : chosen('only', values.only, WORK_NAMES),
    contenders: chosen('contenders', values.contenders, CONTENDERS),
  };
}

/** A whole number from 1. */
export function count(flag: string, value: string): number {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new Error(`--${flag}: must be a whole number from 1, got "${value}"`);
}

/** Some of the known names, in the order in which they are known. */
export function chosen<T extends string>(flag: string, value: string, known: readonly T[]): readonly T[] {
  const names = value.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !known.some((each) => each === name));
  if (unknown !== undefined) throw new Error(`--${flag}: there is no "${unknown}", only ${known.join(', ')}`);
  return known.filter((each) => names.includes(each));
}
