// Where a rollout under a RolloutPolicy stands, from the records of the attempt and the results of the gates. Pure: `get`, `why`,
// the verbs and everything else that speaks of steps reads it from here.

import { limitsOf, withDefaults } from '../../kinds/my-deployment/defaults.ts';
import type { RevisionRecord } from '../../kinds/my-deployment/plan/record.ts';
import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import type { AttemptRecords, Rejection, StepRecord } from '../../policy/attempt.ts';
import { durationMs } from '../../policy/duration.ts';
import { type GateVerdict, gateVerdict } from '../../policy/gates.ts';
import { refusalOf } from '../../policy/governing.ts';
import { type Step, type StepSize, stepsDigest } from '../../policy/steps.ts';
import type { RolloutPolicy } from '../../policy/types.gen.ts';
import { presentRevision } from '../revisions.ts';
import { policyFor } from './read-policies.ts';

export interface StandingFacts {
  readonly object: MyDeployment;
  /** The revisions of the object, from old to new. */
  readonly revisions: readonly RevisionRecord[];
  /** The policies of its namespace. */
  readonly policies: readonly RolloutPolicy[];
}

export interface Standing<P extends Phase = Phase> {
  readonly object: MyDeployment;
  readonly revisions: readonly RevisionRecord[];
  readonly policy: RolloutPolicy;
  /** Why the policy is not accepted, as a clause; undefined when it is. The rollout holds meanwhile. */
  readonly notAccepted: string | undefined;
  readonly size: StepSize;
  readonly phase: P;
}

export interface Rolling {
  readonly is: 'rolling';
  readonly revision: RevisionRecord;
  readonly record: StepRecord;
  /** Undefined after the last step: the rest has the pace of the strategy. */
  readonly step: Step | undefined;
  readonly gates: GateVerdict;
}

export interface Rejected {
  readonly is: 'rejected';
  readonly revision: RevisionRecord;
  readonly rejection: Rejection;
}

export type Phase =
  /** The operator has not seen the newest template or the newest steps yet. */
  { readonly is: 'unseen' } | { readonly is: 'idle'; readonly revision: RevisionRecord } | Rolling | Rejected;

/** Undefined when no policy is about the object. */
export function standingOf({ object, revisions, policies }: StandingFacts): Standing | undefined {
  const policy = policyFor(object, policies);
  if (policy === undefined) return undefined;
  return {
    object,
    revisions,
    policy,
    notAccepted: refusalOf(policy, object)?.message,
    size: limitsOf(withDefaults(object.spec)),
    phase: phaseOf({ object, revisions }, policy),
  };
}

/** What is recorded of the present attempt at a revision under this policy. The rest is history. */
export function recordsUnder(
  { attempt: { completed, step, rejected }, number }: RevisionRecord,
  { metadata: { uid } }: RolloutPolicy,
): Pick<AttemptRecords, 'completed' | 'step' | 'rejected'> {
  return {
    completed: completed === number ? completed : undefined,
    step: step?.number === number && step.policy === uid ? step : undefined,
    rejected: rejected?.number === number && rejected.policy === uid ? rejected : undefined,
  };
}

/** Tells which revisions of the object were rejected under the policy that governs it. */
export function rejectionTest(
  object: MyDeployment,
  policies: readonly RolloutPolicy[],
): (revision: RevisionRecord) => boolean {
  const policy = policyFor(object, policies);
  return (revision) => policy !== undefined && recordsUnder(revision, policy).rejected !== undefined;
}

/** What a step waits for, all of it; nothing while it is about to be left. */
export type Wait =
  | { readonly for: 'resume' }
  | { readonly for: 'replicas' }
  | { readonly for: 'pods' }
  | { readonly for: 'retry'; readonly message: string }
  | { readonly for: 'gates'; readonly message: string }
  | { readonly for: 'promotion' }
  | { readonly for: 'time'; readonly until: number };

export function waitsOf({ object, phase, size }: Standing<Rolling>, now: number): readonly Wait[] {
  const { step, record, gates } = phase;
  const paused: Wait[] = object.spec.paused ? [{ for: 'resume' }] : [];
  if (step === undefined) return paused;
  if (gates.is === 'failed') return [...paused, { for: 'retry', message: gates.message }];
  const isEmpty = size.replicas === 0;
  if (record.since === undefined) return [...paused, { for: isEmpty ? 'replicas' : 'pods' }];
  return [
    ...paused,
    ...(isEmpty ? [{ for: 'replicas' } as const] : []),
    ...(gates.is === 'pending' ? [{ for: 'gates', message: gates.message } as const] : []),
    ...pauseOf(step, record, now),
  ];
}

function pauseOf({ pause }: Step, { since = 0, promoted }: StepRecord, now: number): Wait[] {
  if (pause === undefined || promoted) return [];
  if (pause.until !== undefined) return [{ for: 'promotion' }];
  const until = since + (durationMs(pause.duration ?? '') ?? 0);
  return now < until ? [{ for: 'time', until }] : [];
}

function phaseOf({ object, revisions }: Omit<StandingFacts, 'policies'>, policy: RolloutPolicy): Phase {
  const revision = presentRevision(object, revisions);
  const seen = object.status?.updateRevision;
  if (revision === undefined || (seen !== undefined && seen !== revision.name)) return { is: 'unseen' };
  const { completed, step: record, rejected: rejection } = recordsUnder(revision, policy);
  if (rejection !== undefined) return { is: 'rejected', revision, rejection };
  if (record === undefined || completed !== undefined) return { is: 'idle', revision };
  if (record.steps !== stepsDigest(policy.spec)) return { is: 'unseen' };
  const step = policy.spec.steps?.[record.step - 1];
  const gates: GateVerdict = step === undefined ? { is: 'passed' } : gateVerdict(policy, step, record);
  return { is: 'rolling', revision, record, step, gates };
}
