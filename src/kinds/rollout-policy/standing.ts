// Where the rollout of a target stands under a policy: what the controller of MyDeployments has recorded of the present attempt
// on the target's revisions. A record of another attempt, another policy or other steps says nothing.

import { type AttemptRecords, type Rejection, readAttempt, type StepRecord } from '../../policy/attempt.ts';
import { stepsDigest } from '../../policy/steps.ts';
import type { RolloutPolicy } from '../../policy/types.gen.ts';
import type { ControllerRevision } from '../../workload/revision.ts';
import type { Target } from './target.ts';

export interface Standing {
  /** The revision of the target's template. */
  readonly revision: ControllerRevision;
  readonly number: number;
  /** The step that was recorded last; an attempt that has ended keeps it. */
  readonly record: StepRecord | undefined;
  readonly rejected: Rejection | undefined;
  readonly isComplete: boolean;
  /** The name of the revision to go back to; undefined when there is none. */
  readonly stable: string | undefined;
}

/** Undefined while the revision of the template is not recorded. */
export function standingOf(
  { metadata: { uid }, spec }: RolloutPolicy,
  target: Target,
  revisions: readonly ControllerRevision[],
): Standing | undefined {
  const revision = revisions.find(({ metadata }) => metadata.name === target.status?.updateRevision);
  if (revision === undefined) return undefined;
  const number = revision.revision;
  const { completed, step, rejected } = recordsOf(revision);
  const isPresent = (record: { readonly number: number; readonly policy: string }): boolean =>
    record.number === number && record.policy === uid;
  const record = step && isPresent(step) && step.steps === stepsDigest(spec) ? step : undefined;
  const rejection = rejected && isPresent(rejected) ? rejected : undefined;
  return {
    revision,
    number,
    record,
    rejected: rejection,
    isComplete: completed === number,
    stable: rejection?.stable ?? (completed === number ? undefined : record?.stable) ?? lastComplete(revisions),
  };
}

function lastComplete(revisions: readonly ControllerRevision[]): string | undefined {
  const completed = revisions.flatMap((revision) => {
    const number = recordsOf(revision).completed;
    return number === undefined ? [] : [{ name: revision.metadata.name, number }];
  });
  return completed.toSorted((one, other) => one.number - other.number).at(-1)?.name;
}

function recordsOf({ metadata }: ControllerRevision): AttemptRecords {
  return readAttempt(metadata.annotations);
}
