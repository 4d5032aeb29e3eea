// Everything that a plan needs to know about one policy: its target with revisions and pods, the other policies of that target,
// the Jobs of its gates, and what was measured since its status was written.

import type { Place } from '../../policy/gates.ts';
import type { RolloutPolicy } from '../../policy/types.gen.ts';
import type { Pod } from '../../workload/pod.ts';
import type { ControllerRevision } from '../../workload/revision.ts';
import type { Job } from './gates/job.ts';
import type { Outcome } from './gates/judge.ts';
import type { Target } from './target.ts';

export interface Snapshot {
  readonly policy: RolloutPolicy;
  /** Undefined when it is not there. */
  readonly target: Target | undefined;
  /** All policies about this target, this one included. */
  readonly policies: readonly RolloutPolicy[];
  /** Those that the target owns. */
  readonly revisions: readonly ControllerRevision[];
  /** Those that the target owns. */
  readonly pods: readonly Pod[];
  /** Those that the policy owns. */
  readonly jobs: readonly Job[];
  /** What came of measurements, and is not in the status yet. */
  readonly measured: readonly Measured[];
  /** The gates that are being measured. */
  readonly measuring: readonly Pick<Measured, 'gate' | 'place'>[];
}

/** The end of a measurement. */
export interface Measured {
  readonly gate: string;
  readonly place: Place;
  readonly outcome: Outcome;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** True when both are about the same stay in the same step. */
export function isSamePlace(one: Place, other: Place): boolean {
  return one.number === other.number && one.step === other.step && one.since === other.since;
}
