// What `make mutants` tries, for how long, and how many it has to notice, from the environment that it passes on.

import { parseBudget } from '../chaos/options.ts';

/** The share of mutants that the tests have to notice, in percent. */
export const AIM = 98;

export interface MutantOptions {
  /** Part of the path of the sources to mutate. */
  readonly only: string;
  /** How long to try; undefined for all mutants. */
  readonly budgetMs: number | undefined;
  /** Decides which mutants a budget is spent on. */
  readonly seed: number;
  /** The share of mutants that tests have to notice, in percent. */
  readonly aim: number;
}

export const USAGE = `usage: make mutants [ONLY=src/workload/] [BUDGET=1m [SEED=4711]] [AIM=98]
  ONLY    only sources with this in their path
  BUDGET  how long to try mutants that are picked by chance, such as 90s, 10m or 2h; without it all are tried
  SEED    picks the same ones again
  AIM     the score that is enough, in percent
`;

/** Reads ONLY, BUDGET, SEED and AIM; an empty value counts as none. */
export function parseOptions(env: Readonly<Record<string, string | undefined>>, chance: number): MutantOptions {
  return {
    only: env.ONLY || '',
    budgetMs: env.BUDGET ? parseBudget(env.BUDGET) : undefined,
    seed: env.SEED ? parseNumber('SEED', env.SEED, Number.MAX_SAFE_INTEGER) : chance,
    aim: env.AIM ? parseNumber('AIM', env.AIM, 100) : AIM,
  };
}

function parseNumber(name: string, text: string, most: number): number {
  const number = /^\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= most)) throw new Error(`${name} must be a number up to ${most}, got "${text}"`);
  return number;
}
