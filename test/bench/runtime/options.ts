// The command line of the runtime's benchmark.

import { parseArgs } from 'node:util';
import { chosen, count } from '../options.ts';

const PARTS = ['creates', 'latency', 'caches'] as const;
export type Part = (typeof PARTS)[number];

export interface RuntimeOptions {
  readonly rounds: number;
  /** Pods that each contender creates. */
  readonly creates: number;
  /** Pods that each cache holds. */
  readonly pods: number;
  /** How long changes come in, at each rate. */
  readonly seconds: number;
  readonly parts: readonly Part[];
}

export const USAGE = `usage: bench:runtime [--rounds N] [--creates N] [--pods N] [--seconds N] [--only PART,…]
  --rounds N     how often creates and caches are measured (default 3)
  --creates N    pods that each client creates (default 1000)
  --pods N       pods that each cache holds (default 10000)
  --seconds N    how long changes come in, at each rate (default 15)
  --only PART,…  ${PARTS.join(', ')} (default all)
`;

/** Reads the arguments; throws with the flag and the value that cannot be used. */
export function parseRuntimeOptions(args: readonly string[]): RuntimeOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '3' },
      creates: { type: 'string', default: '1000' },
      pods: { type: 'string', default: '10000' },
      seconds: { type: 'string', default: '15' },
      only: { type: 'string', default: PARTS.join(',') },
    },
  });
  return {
    rounds: count('rounds', values.rounds),
    creates: count('creates', values.creates),
    pods: count('pods', values.pods),
    seconds: count('seconds', values.seconds),
    parts: chosen('only', values.only, PARTS),
  };
}
