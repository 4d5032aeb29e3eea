// Mutants that no test can notice, because they change nothing that can be seen. Each entry says why; the lines are those
// that `make mutants` prints. An entry that fits no mutant, or one that a test notices after all, is an error.

export interface Equivalent {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly because: string;
}

export const equivalents: readonly Equivalent[] = [];
