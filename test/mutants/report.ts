// What there is to say about a hunt: the score, the mutants that survived, and what is wrong with the list of equivalents.

import { type Equivalent, fits } from './equivalents.ts';
import type { Fate, MutantState } from './hunt.ts';
import type { Mutant } from './mutate.ts';

export interface Report {
  /** Of the mutants that count: those that compile and change something. */
  readonly noticed: number;
  readonly survivors: readonly Mutant[];
  /** The share of them that tests notice, in percent. */
  readonly score: number;
  /** All of the above for people. */
  readonly lines: readonly string[];
  /** Entries among the equivalents that are none. */
  readonly mistakes: readonly string[];
}

/** Counts what became of the mutants. */
export function reportOn(fates: readonly Fate[], equivalents: readonly Equivalent[]): Report {
  const isListed = ({ mutant }: Fate): boolean => equivalents.some((entry) => fits(entry, mutant));
  const having = (...outcomes: readonly MutantState[]): Fate[] =>
    fates.filter(({ outcome }) => outcomes.includes(outcome));
  const left = having('survived', 'unreached');
  const survivors = left.filter((fate) => !isListed(fate)).map(({ mutant }) => mutant);
  const noticed = having('killed', 'stopped').length;
  const score = noticed + survivors.length === 0 ? 100 : (100 * noticed) / (noticed + survivors.length);
  const wrong = having('killed', 'stopped', 'refused').filter(isListed);
  return {
    noticed,
    survivors,
    score,
    lines: [
      `mutants tried        ${fates.length}`,
      `noticed by a test    ${noticed}`,
      `do not compile       ${having('refused').length}`,
      `change nothing       ${left.length - survivors.length}`,
      `survived             ${survivors.length}`,
      ...survivors.map(describe),
      `score                ${score.toFixed(1)} %`,
    ],
    mistakes: wrong.map(({ mutant, outcome }) => `listed as equivalent, but ${outcome}: ${describe(mutant)}`),
  };
}

/** Entries that fit none of these mutants, which are all that there are. */
export function outdated(equivalents: readonly Equivalent[], mutants: readonly Mutant[]): readonly string[] {
  return equivalents
    .filter((entry) => !mutants.some((mutant) => fits(entry, mutant)))
    .map(
      ({ file, within, before, after }) => `listed as equivalent, but gone: ${file} ${within}\n- ${before}\n+ ${after}`,
    );
}

/** Where a mutant is and what it changes, as the list of equivalents has it. */
export function describe({ file, line, within, before, after }: Mutant): string {
  return `${file}:${line} ${within}\n- ${before}\n+ ${after}`;
}
