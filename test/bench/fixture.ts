// Samples made up for tests of what is computed from them.

import type { ContenderName } from './contenders/contender.ts';
import type { Sample } from './sample.ts';

/** A sample in which everything that is not named is zero. */
export function sample(contender: ContenderName, work: string, facts: Partial<Sample> = {}): Sample {
  return {
    contender,
    work,
    round: 1,
    seconds: 0,
    cpuSeconds: 0,
    peakRssMiB: 0,
    writes: 0,
    allWrites: 0,
    events: 0,
    reads: 0,
    leaseWrites: 0,
    dryRuns: 0,
    byVerb: {},
    ...facts,
  };
}
