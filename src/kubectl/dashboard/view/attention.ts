// How much attention an object needs. Two people may look at the same page: what waits for one of them comes first, then what moves
// by itself, then what fails, then the rest. Pure.

import { RECONCILING } from '../../../kinds/my-deployment/plan/reconciling.ts';
import type { Rollout } from '../../../kinds/my-deployment/plan/snapshot.ts';
import { resultOf } from '../../../policy/gates.ts';
import type { Pod } from '../../../runtime/built-in.ts';
import { findCondition } from '../../../runtime/conditions.ts';
import type { View } from '../../get/view.ts';
import { podSummary } from '../../pod-status.ts';
import type { Standing } from '../../policy/standing.ts';
import { isRolling } from '../../policy/step-words.ts';
import { paused, replicaFailure, stalled } from '../../why/object-causes.ts';
import type { Group, Shares } from '../protocol.ts';

/** The reason of Reconciling while a step waits for a person. */
const AWAITING_PROMOTION = 'AwaitingPromotion';

export function groupOf(view: View, rollout: Rollout, standing: Standing | undefined): Group {
  if (view.state === 'Healthy') return 'rest';
  if (waitsForPerson(rollout)) return 'waits';
  if (isFailing(view, rollout) || hasBrokenGate(standing)) return 'fails';
  // A pause without anything to roll out needs no decision.
  return view.state === 'Paused' ? 'rest' : 'moves';
}

/** Whether nothing goes on before a user promotes or resumes it. */
export function waitsForPerson(rollout: Rollout): boolean {
  const condition = findCondition(rollout.object.status?.conditions, RECONCILING);
  const isHeld = condition?.status === 'True' && condition.reason === AWAITING_PROMOTION;
  return isHeld || paused(causeFacts(rollout)).length > 0;
}

function isFailing({ state, revisions }: View, rollout: Rollout): boolean {
  const facts = causeFacts(rollout);
  if (state === 'Degraded' || stalled(facts).length > 0 || replicaFailure(facts).length > 0) return true;
  return revisions.some(({ pods }) => failing(pods) > 0);
}

/** True when a gate of the present step cannot be measured: the rollout holds until a user looks after what it asks. */
function hasBrokenGate(standing: Standing | undefined): boolean {
  if (standing === undefined || !isRolling(standing)) return false;
  const { policy, phase } = standing;
  const results = phase.step?.gates?.map((name) => resultOf(policy.status?.gates ?? [], name, phase.record)) ?? [];
  return results.some((result) => result?.state === 'Error');
}

/** How many of these pods fail. */
export function failing(pods: readonly Pod[]): number {
  return pods.filter((pod) => podSummary(pod).health === 'failing').length;
}

/** The shares of the bar, with new pods that fail apart from those that start. */
export function sharesWithFailures({ shares, revisions }: View): Shares {
  const failed = failing(revisions.find(({ isNew }) => isNew)?.pods ?? []);
  const unready = Math.min(failed, shares.starting);
  return { ...shares, starting: shares.starting - unready, failing: unready };
}

/** The rules about the object alone read nothing else. */
function causeFacts(rollout: Rollout) {
  const nothing = { policies: [], pods: [], events: [], nodes: [], claims: [], budgets: [], lease: undefined };
  return { ...nothing, rollout, now: rollout.now };
}
