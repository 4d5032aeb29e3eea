// What there is to say about a hunt: the score, the mutants that survived, and what is wrong with the list of equivalents.

import { type Equivalent, fits } from './equivalents.ts';
import type { Fate } from './hunt.ts';
import type { Mutant } from './mutate.ts';

export interface Report {
  readonly lines: readonly string[];
  /** The share of mutants that tests notice, in percent. */
  readonly score: number;
  readonly survivors: readonly Mutant[];
  /** Entries among the equivalents that are none. */
  readonly mistakes: readonly string[];
}

/** Counts what became of the mutants. Those that do not compile and those that change nothing do not count. */
export function reportOn(fates: readonly Fate[], equivalents: readonly Equivalent[]): Report {
  const isListed = ({ mutant }: Fate): boolean => equivalents.some((entry) => fits(entry, mutant));
  const count = (...outcomes: readonly Fate['outcome'][]): number =>
    fates.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const left = fates.filter(({ outcome }) => outcome === 'survived' || outcome === 'unreached');
  const survivors = left.filter((fate) => !isListed(fate));
  const killed = count('killed', 'endless');
  const score = killed + survivors.length === 0 ? 100 : (100 * killed) / (killed + survivors.length);
  const wrong = fates.filter((fate) => isListed(fate) && !left.includes(fate));
  return {
    score,
    survivors: survivors.map(({ mutant }) => mutant),
    mistakes: wrong.map(({ mutant, outcome }) => `listed as equivalent, but ${outcome}: ${describe(mutant)}`),
    lines: [
      `mutants              ${fates.length} tried`,
      `noticed by a test    ${killed}`,
      `do not compile       ${count('refused')}`,
      `change nothing       ${left.length - survivors.length}`,
      `survived             ${survivors.length}`,
      ...survivors.map(({ mutant }) => describe(mutant)),
      `score                ${score.toFixed(1)} %`,
    ],
  };
}

/** Entries that fit none of these mutants, which are all that there are in the files of the entries. */
export function outdated(equivalents: readonly Equivalent[], mutants: readonly Mutant[]): readonly string[] {
  return equivalents
    .filter((entry) => !mutants.some((mutant) => fits(entry, mutant)))
    .map(
      ({ file, within, before, after }) =>
        `listed as equivalent, but not there: ${file} ${within}\n- ${before}\n+ ${after}`,
    );
}

/** Where a mutant is and what it changes, as the list of equivalents has it. */
export function describe({ file, line, within, before, after }: Mutant): string {
  return `${file}:${line} ${within}\n- ${before}\n+ ${after}`;
}
