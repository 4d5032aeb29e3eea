// What to do about a policy: what its status should say, which gates to measure, and which Jobs of earlier attempts to delete.

import type { Place } from '../../policy/gates.ts';
import type { RolloutPolicyStatus } from '../../policy/types.gen.ts';
import type { PlannedEvent } from '../../workload/action.ts';
import { refusal } from './acceptance.ts';
import { type Job, numberOf } from './gates/job.ts';
import type { Measurement } from './gates/measurement.ts';
import { NO_GATES, planGates } from './gates/plan-gates.ts';
import type { Snapshot } from './snapshot.ts';
import { type Standing, standingOf } from './standing.ts';
import { statusOf } from './status.ts';

export interface PolicyPlan {
  readonly status: RolloutPolicyStatus;
  /** What is measured for another place is given up; undefined when nothing is measured at all. */
  readonly place: Place | undefined;
  readonly measure: readonly Measurement[];
  readonly deleteJobs: readonly Job[];
  /** Recorded after the status was written. */
  readonly events: readonly PlannedEvent[];
  readonly checkAgainAt: number | undefined;
}

export function plan(snapshot: Snapshot, now: number): PolicyPlan {
  const { policy, target, revisions } = snapshot;
  const refused = refusal(snapshot);
  const standing = target && standingOf(policy, target, revisions);
  const gates = standing ? planGates(snapshot, { target, standing, governs: refused === undefined, now }) : NO_GATES;
  return {
    status: statusOf({ policy, target, refusal: refused, standing, gates: gates.results }, now),
    place: standing?.record,
    measure: gates.measure,
    deleteJobs: standing ? jobsOfEarlierAttempts(snapshot, standing) : [],
    events: gates.events,
    checkAgainAt: gates.checkAgainAt,
  };
}

/** Jobs are kept until the next attempt, so that people can read their logs. */
function jobsOfEarlierAttempts({ jobs }: Snapshot, { number }: Standing): readonly Job[] {
  return jobs.filter((job) => numberOf(job) < number && job.metadata.deletionTimestamp === undefined);
}
