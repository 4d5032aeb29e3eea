// Tries mutants and judges the tests by them: all mutants, or a sample in so much time.

import { readFile } from 'node:fs/promises';
import { parseEquivalents } from './equivalents.ts';
import { groundOf } from './ground.ts';
import { hunt } from './hunt.ts';
import type { MutantOptions } from './options.ts';
import { outdated, type Report, reportOn } from './report.ts';
import { sample } from './sample.ts';

/** Tries the mutants that the options ask for. */
export async function trial(
  { only, budgetMs, seed }: Omit<MutantOptions, 'aim'>,
  signal: AbortSignal,
): Promise<Report> {
  const equivalents = parseEquivalents(await readFile('test/mutants/equivalents.txt', 'utf8'));
  const { mutants, programs } = await groundOf(only);
  const picked = budgetMs === undefined ? mutants : sample(mutants, seed);
  const fates = await hunt(programs, picked, { signal, forMs: budgetMs });
  const report = reportOn(fates, equivalents);
  const listed = equivalents.filter(({ file }) => file.includes(only));
  return { ...report, mistakes: [...report.mistakes, ...outdated(listed, mutants)] };
}
