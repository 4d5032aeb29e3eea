// Which tests reach a mutant: only those can notice it. Known from one run of every test file without a mutant.

import type { RunRecord } from './test-program.ts';
import type { Run } from './worker.ts';

/** A run of tests that reach a mutant, and how long they take without it. */
export interface TimedRun extends Pick<Run, 'testFile' | 'only' | 'mostSwitches'> {
  readonly ms: number;
}

/** By the number of the mutant, the quickest runs first. */
export type Reach = ReadonlyMap<number, readonly TimedRun[]>;

/** The reach of the tests of these files, by their records. */
export function reachOf(records: ReadonlyMap<string, RunRecord>): Reach {
  const runs = [...records].flatMap(([testFile, record]) => runsOf(testFile, record));
  runs.sort(([, one], [, other]) => one.ms - other.ms);
  return new Map([...Map.groupBy(runs, ([id]) => id)].map(([id, its]) => [id, its.map(([, run]) => run)]));
}

/** One run for each mutant that a file reaches. All tests run if it is reached while the file loads. */
function runsOf(testFile: string, { tests, reachedOutside, switches }: RunRecord): [number, TimedRun][] {
  const mostSwitches = 1_000_000 + 20 * switches;
  const all = new Set(tests.keys());
  const reaching = new Map<number, Set<number>>();
  for (const [number, { reached }] of tests.entries()) {
    for (const id of reached) reaching.set(id, (reaching.get(id) ?? new Set()).add(number));
  }
  for (const id of reachedOutside) reaching.set(id, all);
  return [...reaching].map(([id, only]) => {
    const ms = [...only].reduce((sum, number) => sum + (tests[number]?.ms ?? 0), 0);
    return [id, { testFile, mostSwitches, ms, ...(only !== all && { only }) }];
  });
}
