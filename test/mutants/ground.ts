// What a hunt needs: the mutants of some sources, and the tests that have to notice them, built together with them.

import { readSources, type SourceTree } from '../support/source-tree.ts';
import { bundleTest } from './bundle.ts';
import { type Mutant, mutateSource } from './mutate.ts';
import { subjectsOf, testsOf } from './subjects.ts';
import type { Programs } from './worker.ts';

export interface Ground {
  /** Numbered from 0. */
  readonly mutants: readonly Mutant[];
  readonly programs: Programs;
}

/** All mutants of those of our pure sources whose path has `only` in it, and the tests of ours that load them. */
export function groundOf(only: string): Promise<Ground> {
  const sources = readSources('src');
  const subjects = subjectsOf(sources).filter((path) => path.includes(only));
  const testFiles = testsOf(subjects, new Map([...sources, ...readSources('test')]));
  return prepare(new Map(subjects.map((path) => [path, sources.get(path) as string])), testFiles);
}

/** Mutates these sources, and builds these tests with them. */
export async function prepare(sources: SourceTree, testFiles: readonly string[]): Promise<Ground> {
  const mutated = new Map<string, string>();
  const mutants: Mutant[] = [];
  for (const [file, source] of sources) {
    const { text, mutants: found } = mutateSource(file, source, mutants.length);
    mutated.set(file, text);
    mutants.push(...found);
  }
  const built = testFiles.map(async (file) => [file, await bundleTest(file, mutated)] as const);
  return { mutants, programs: new Map(await Promise.all(built)) };
}
