// Mutants in an order of chance that a seed repeats, so that a budget is spent on all files alike.

import { randomFrom } from '../support/random.ts';
import type { Mutant } from './mutate.ts';

export function sample(mutants: readonly Mutant[], seed: number): readonly Mutant[] {
  const random = randomFrom(seed);
  return mutants
    .map((mutant) => ({ mutant, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ mutant }) => mutant);
}
