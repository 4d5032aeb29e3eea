// Shortens a schedule that fails to one from which nothing more can be taken away: first halves, then smaller and smaller
// parts of its steps are left out for as long as it still fails in the same way.

import { runSchedule, type Verdict } from './run.ts';
import type { Schedule, Step } from './schedule.ts';

export interface Shrunk {
  readonly schedule: Schedule;
  readonly verdict: Verdict;
  /** Runs that it took. */
  readonly runs: number;
}

/** The shortest schedule found that breaks the same promise. */
export async function shrink(schedule: Schedule, verdict: Verdict, mostRuns = 400): Promise<Shrunk> {
  let best = { schedule, verdict };
  let runs = 0;
  const kind = kindOf(verdict);
  const tryWith = async (steps: readonly Step[]): Promise<boolean> => {
    runs += 1;
    const shorter = { ...best.schedule, steps };
    const outcome = await runSchedule(shorter);
    if (kindOf(outcome) !== kind) return false;
    best = { schedule: shorter, verdict: outcome };
    return true;
  };
  for (let size = Math.ceil(schedule.steps.length / 2); size >= 1 && runs < mostRuns; ) {
    const isShorter = await leaveOneOut(best.schedule.steps, size, tryWith);
    if (!isShorter) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return { ...best, runs };
}

async function leaveOneOut(
  steps: readonly Step[],
  size: number,
  tryWith: (steps: readonly Step[]) => Promise<boolean>,
): Promise<boolean> {
  for (let from = 0; from < steps.length; from += size) {
    if (await tryWith([...steps.slice(0, from), ...steps.slice(from + size)])) return true;
  }
  return false;
}

/** Which promise was broken, whatever the numbers and names. */
export function kindOf({ broken }: Verdict): string | undefined {
  const [first] = broken?.split('\n') ?? [];
  return first
    ?.replace(/\{.*\}/, '{}')
    .replace(/\b(?:web|orphan|bare|stranger)-\S+/g, 'NAME')
    .replace(/\d+/g, 'N');
}
