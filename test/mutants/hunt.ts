// Looks for mutants that no test notices. First every test file runs without a mutant: it has to pass, and tells which of
// its tests reach which mutant. Then each mutant runs those tests that reach it, quick ones first, until one fails.

import { availableParallelism } from 'node:os';
import { readSources } from '../support/source-tree.ts';
import { bundleTest } from './bundle.ts';
import { refusedByCompiler } from './compiler.ts';
import { type Mutant, mutateSource } from './mutate.ts';
import { subjectsOf, testsOf } from './subjects.ts';
import type { RunRecord } from './test-program.ts';
import { TestThread } from './test-thread.ts';
import type { Programs, Run } from './worker.ts';

/** All mutants of some sources, and the programs of the tests that can notice them. */
export interface Ground {
  readonly mutants: readonly Mutant[];
  readonly programs: Programs;
}

/** What became of a mutant. */
export interface Fate {
  readonly mutant: Mutant;
  /** `refused` by the compiler; `survived` when all tests that reach it pass, `unreached` when there are none. */
  readonly outcome: 'killed' | 'endless' | 'refused' | 'survived' | 'unreached';
}

/** Mutates those of our sources whose path has `only` in it, and builds the tests that load them. */
export async function prepare(only = ''): Promise<Ground> {
  const sources = readSources('src');
  const subjects = subjectsOf(sources).filter((path) => path.includes(only));
  const mutated = new Map<string, string>();
  const mutants: Mutant[] = [];
  for (const file of subjects) {
    const { text, mutants: found } = mutateSource(file, sources.get(file) as string, mutants.length);
    mutated.set(file, text);
    mutants.push(...found);
  }
  const testFiles = testsOf(subjects, new Map([...sources, ...readSources('test')]));
  const texts = await Promise.all(testFiles.map((file) => bundleTest(file, mutated)));
  return { mutants, programs: new Map(testFiles.map((file, index) => [file, texts[index] as string])) };
}

export interface HuntOptions {
  readonly signal: AbortSignal;
  /** How long to try mutants; undefined for all of them. */
  readonly forMs?: number | undefined;
  /** @default one for each core */
  readonly threads?: number;
}

/** What becomes of these mutants, in the order given, until time is up or the signal ends the hunt. */
export async function hunt(
  { programs }: Ground,
  mutants: readonly Mutant[],
  { signal, forMs, threads: count = availableParallelism() }: HuntOptions,
): Promise<readonly Fate[]> {
  const threads = Array.from({ length: count }, () => new TestThread(programs));
  try {
    const reaching = await findRuns(programs, threads, signal);
    const fates = new Map<Mutant, Fate>();
    const end = forMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(forMs)]);
    await share(threads, end, mutants, async (thread, mutant) => {
      fates.set(mutant, { mutant, outcome: await outcomeOf(thread, mutant, reaching.get(mutant.id) ?? []) });
    });
    return await withoutRefused(mutants.flatMap((mutant) => fates.get(mutant) ?? []));
  } finally {
    await Promise.all(threads.map((thread) => thread.end()));
  }
}

/** Asks the compiler about those that are left, which are few. */
async function withoutRefused(fates: readonly Fate[]): Promise<readonly Fate[]> {
  const left = fates.filter(({ outcome }) => outcome === 'survived' || outcome === 'unreached');
  const refused = await refusedByCompiler(left.map(({ mutant }) => mutant));
  return fates.map((fate) => (refused.has(fate.mutant) ? { ...fate, outcome: 'refused' } : fate));
}

async function outcomeOf(thread: TestThread, mutant: Mutant, runs: readonly TimedRun[]): Promise<Fate['outcome']> {
  for (const { ms, ...run } of runs) {
    const record = await thread.run({ ...run, mutant: mutant.id, testTimeoutMs: 2000 + 10 * ms }, 20_000 + 20 * ms);
    if (record === undefined) return 'endless';
    if (record.error !== undefined) return 'killed';
  }
  return runs.length === 0 ? 'unreached' : 'survived';
}

type TimedRun = Omit<Run, 'testTimeoutMs'> & { readonly ms: number };

/** The runs that reach a mutant, by its number, the quickest first. Throws when a test fails although none is on. */
async function findRuns(
  programs: Programs,
  threads: readonly TestThread[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, readonly TimedRun[]>> {
  const runs: [number, TimedRun][] = [];
  await share(threads, signal, [...programs.keys()], async (thread, testFile) => {
    const record = await thread.run({ testFile, testTimeoutMs: 30_000 }, 120_000);
    if (record?.error !== undefined) throw new Error(`${testFile} fails without any mutant: ${record.error}`);
    if (record === undefined) throw new Error(`${testFile} does not come to an end`);
    runs.push(...runsOf(testFile, record));
  });
  runs.sort(([, one], [, other]) => one.ms - other.ms);
  return new Map([...Map.groupBy(runs, ([id]) => id)].map(([id, its]) => [id, its.map(([, run]) => run)]));
}

/** Which of the tests of a file reach a mutant: all of them if it is reached while the file loads. */
function runsOf(testFile: string, { tests, reachedOutside, switches }: RunRecord): [number, TimedRun][] {
  const mostSwitches = 1_000_000 + 20 * switches;
  const outside = new Set(reachedOutside);
  const reaching = new Map<number, number[]>();
  for (const [number, { reached }] of tests.entries()) {
    for (const id of reached) reaching.set(id, [...(reaching.get(id) ?? []), number]);
  }
  const msOf = (numbers: Iterable<number>): number =>
    [...numbers].reduce((sum, number) => sum + (tests[number]?.ms ?? 0), 0);
  return [
    ...[...outside].map((id): [number, TimedRun] => [id, { testFile, mostSwitches, ms: msOf(tests.keys()) }]),
    ...[...reaching]
      .filter(([id]) => !outside.has(id))
      .map(([id, only]): [number, TimedRun] => [id, { testFile, mostSwitches, only: new Set(only), ms: msOf(only) }]),
  ];
}

/** Works on the items, one at a time on each thread. */
async function share<Item>(
  threads: readonly TestThread[],
  signal: AbortSignal,
  items: readonly Item[],
  work: (thread: TestThread, item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    threads.map(async (thread) => {
      for (const item of left) {
        if (signal.aborted) return;
        await work(thread, item);
      }
    }),
  );
}
