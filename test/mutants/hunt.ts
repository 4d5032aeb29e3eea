// Looks for mutants that no test notices. First every test file runs without a mutant: it has to pass, and tells which of
// its tests reach which mutant. Then each mutant runs those tests that reach it, quick ones first, until one fails.

import { availableParallelism } from 'node:os';
import { refusedByCompiler } from './compiler.ts';
import type { Mutant } from './mutate.ts';
import { reachOf, type TimedRun } from './reach.ts';
import type { RunRecord } from './test-program.ts';
import { TestThread } from './test-thread.ts';
import type { Programs } from './worker.ts';

/** What became of a mutant. */
export interface Fate {
  readonly mutant: Mutant;
  readonly outcome: MutantState;
}

export type MutantState =
  /** A test fails. */
  | 'killed'
  /** The tests do not come to an end, or crash. */
  | 'stopped'
  /** It does not compile. */
  | 'refused'
  /** All tests that reach it pass. */
  | 'survived'
  /** No test reaches it. */
  | 'unreached';

export interface HuntOptions {
  readonly signal: AbortSignal;
  /** How long to try mutants; undefined for all of them. */
  readonly forMs?: number | undefined;
}

/** What becomes of these mutants, in the order given, until time is up or the signal ends the hunt. */
export async function hunt(
  programs: Programs,
  mutants: readonly Mutant[],
  { signal, forMs }: HuntOptions,
): Promise<readonly Fate[]> {
  const threads = Array.from({ length: availableParallelism() }, () => new TestThread(programs));
  try {
    const reach = reachOf(await runAll(threads, programs, signal));
    const end = forMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(forMs)]);
    const outcomes = await share(threads, end, mutants, (thread, mutant) =>
      outcomeOf(thread, mutant, reach.get(mutant.id) ?? []),
    );
    return await withoutRefused([...outcomes].map(([mutant, outcome]) => ({ mutant, outcome })));
  } finally {
    await Promise.all(threads.map((thread) => thread.end()));
  }
}

/** What every test file does without a mutant. Throws when one fails. */
async function runAll(
  threads: readonly TestThread[],
  programs: Programs,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, RunRecord>> {
  return share(threads, signal, [...programs.keys()], async (thread, testFile) => {
    const record = await thread.run({ testFile, testTimeoutMs: 30_000 }, 120_000);
    if (record === undefined) throw new Error(`${testFile} does not come to an end`);
    if (record.error !== undefined) throw new Error(`${testFile} fails without any mutant: ${record.error}`);
    return record;
  });
}

async function outcomeOf(thread: TestThread, mutant: Mutant, runs: readonly TimedRun[]): Promise<MutantState> {
  for (const { ms, ...run } of runs) {
    const record = await thread.run({ ...run, mutant: mutant.id, testTimeoutMs: 2000 + 10 * ms }, 20_000 + 20 * ms);
    if (record === undefined) return 'stopped';
    if (record.error !== undefined) return 'killed';
  }
  return runs.length === 0 ? 'unreached' : 'survived';
}

/** Asks the compiler about those that are left, which are few. */
async function withoutRefused(fates: readonly Fate[]): Promise<readonly Fate[]> {
  const left = fates.filter(({ outcome }) => outcome === 'survived' || outcome === 'unreached');
  const refused = await refusedByCompiler(left.map(({ mutant }) => mutant));
  return fates.map((fate) => (refused.has(fate.mutant) ? { ...fate, outcome: 'refused' } : fate));
}

/** Works on the items, one at a time on each thread, until the signal ends it. In the order of the items. */
async function share<Item, Result>(
  threads: readonly TestThread[],
  signal: AbortSignal,
  items: readonly Item[],
  work: (thread: TestThread, item: Item) => Promise<Result>,
): Promise<ReadonlyMap<Item, Result>> {
  const results = new Map<Item, Result>();
  const left = items.values();
  const drain = async (thread: TestThread): Promise<void> => {
    for (const item of left) {
      if (signal.aborted) return;
      results.set(item, await work(thread, item));
    }
  };
  await Promise.all(threads.map(drain));
  return new Map(items.filter((item) => results.has(item)).map((item) => [item, results.get(item) as Result] as const));
}
