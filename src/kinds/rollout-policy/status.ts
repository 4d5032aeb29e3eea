// The status of a policy: a projection of what is recorded on the revisions of its target, the results of its gates, and
// conditions. Nothing is decided by it, but the results of gates.

import { POLICY_NOT_ACCEPTED } from '../../policy/conditions.ts';
import type { GateResult } from '../../policy/gates.ts';
import type { Refusal } from '../../policy/governing.ts';
import type { RolloutPolicy, RolloutPolicyStatus } from '../../policy/types.gen.ts';
import {
  type Condition,
  type ConditionUpdate,
  findCondition,
  removeCondition,
  setCondition,
  timestamp,
} from '../../runtime/conditions.ts';
import type { Standing } from './standing.ts';
import type { Target } from './target.ts';

export const ACCEPTED = 'Accepted';
const READY = 'Ready';
const RECONCILING = 'Reconciling';
const STALLED = 'Stalled';

/** What the status is about. */
export interface Findings {
  readonly policy: RolloutPolicy;
  readonly target: Target | undefined;
  readonly refusal: Refusal | undefined;
  readonly standing: Standing | undefined;
  readonly gates: readonly GateResult[];
}

export function statusOf(findings: Findings, now: number): RolloutPolicyStatus {
  const { policy, gates } = findings;
  return {
    observedGeneration: policy.metadata.generation ?? 0,
    steps: policy.spec.steps?.length ?? 0,
    ...placeOf(findings),
    ...(gates.length > 0 && { gates }),
    conditions: conditionsOf(findings, now),
  };
}

/** Only the policy that governs reports where the rollout stands. */
function placeOf({ standing, refusal }: Findings): RolloutPolicyStatus {
  if (standing === undefined || refusal?.reason === 'Conflicted') return {};
  const { revision, number, record, rejected, isComplete, stable } = standing;
  const present = isComplete || rejected ? undefined : record;
  return {
    revision: revision.metadata.name,
    number,
    ...(stable !== undefined && { stableRevision: stable }),
    ...(present && { step: present.step }),
    ...(present?.since !== undefined && { stepStartedAt: timestamp(present.since) }),
    ...(rejected && {
      rejected: {
        number,
        reason: rejected.reason,
        message: rejected.message,
        at: timestamp(rejected.at),
        ...(rejected.by !== undefined && { by: rejected.by }),
      },
    }),
  };
}

function conditionsOf(findings: Findings, now: number): readonly Condition[] {
  const { policy } = findings;
  const observedGeneration = policy.metadata.generation ?? 0;
  const stored = policy.status?.conditions as readonly Condition[] | undefined;
  const progress = progressOf(findings);
  const others = [RECONCILING, STALLED].filter((type) => type !== progress?.type);
  const kept = others.reduce((conditions, type) => removeCondition(conditions, type), stored);
  const updates = [acceptedOf(findings), readyOf(progress), ...(progress ? [progress] : [])];
  return updates.reduce<readonly Condition[]>(
    (conditions, update) => setCondition(conditions, { ...update, observedGeneration }, now),
    kept ?? [],
  );
}

function acceptedOf({ policy, refusal }: Findings): ConditionUpdate {
  if (refusal !== undefined) return { type: ACCEPTED, status: 'False', ...refusal };
  const message = `Governs MyDeployment "${policy.spec.targetRef.name}"`;
  return { type: ACCEPTED, status: 'True', reason: ACCEPTED, message };
}

/** What people and tools wait for that know no other condition. */
function readyOf(progress: ConditionUpdate | undefined): ConditionUpdate {
  if (progress !== undefined) return { ...progress, type: READY, status: 'False' };
  return { type: READY, status: 'True', reason: 'NothingUnderWay', message: 'No rollout is under way' };
}

/**
 * At most one of Reconciling and Stalled. A policy that waits for its target is reconciling, one that is refused is stalled; one
 * that governs has those of its target.
 */
function progressOf({ target, refusal }: Findings): ConditionUpdate | undefined {
  if (refusal?.reason === 'TargetNotFound') return { type: RECONCILING, status: 'True', ...refusal };
  if (refusal !== undefined) {
    return { type: STALLED, status: 'True', reason: POLICY_NOT_ACCEPTED, message: refusal.message };
  }
  const type = [STALLED, RECONCILING].find(
    (each) => findCondition(target?.status?.conditions, each)?.status === 'True',
  );
  if (type === undefined) return undefined;
  const { reason = type, message = '' } = findCondition(target?.status?.conditions, type) ?? {};
  return { type, status: 'True', reason, message };
}
