// How far a rollout is, in the words of `kubectl rollout status`, because scripts match on them. What a step waits for is in the
// words of the operator.

import { PROGRESSING, TIMED_OUT } from '../../kinds/my-deployment/plan/progress.ts';
import { RECONCILING, STALLED } from '../../kinds/my-deployment/plan/reconciling.ts';
import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import { AWAITING_PROMOTION, GATE_PENDING, STEP_PAUSED } from '../../policy/conditions.ts';
import { type DeploymentCondition, findCondition } from '../../runtime/conditions.ts';
import { asClause, ended } from '../phrasing.ts';

export type RolloutState =
  | { readonly is: 'moving'; readonly line: string }
  /** Nothing happens until a person promotes or resumes it. */
  | { readonly is: 'waiting'; readonly line: string }
  | { readonly is: 'done'; readonly line: string }
  | { readonly is: 'failed'; readonly line: string };

/** Why a step of a RolloutPolicy is not left yet, as reasons of the Reconciling condition, in a few words. */
const STEP_HOLDS: ReadonlyMap<string, string> = new Map([
  [AWAITING_PROMOTION, 'waits for promotion'],
  [STEP_PAUSED, 'pauses'],
  [GATE_PENDING, 'waits for gates'],
]);

/** How far the rollout of this object is. */
export function rolloutState(object: MyDeployment): RolloutState {
  const { metadata, spec, status } = object;
  const name = `mydeployment "${metadata.name}"`;
  const { replicas = 1 } = spec;
  const { observedGeneration = 0, updatedReplicas: updated = 0, availableReplicas: available = 0 } = status ?? {};
  const step = stepHold(object);
  const isHeld = spec.paused === true || step?.reason === AWAITING_PROMOTION;
  const waiting = (what: string): RolloutState => ({
    is: isHeld ? 'waiting' : 'moving',
    line: `Waiting for ${name} rollout to finish: ${what}...`,
  });
  if ((metadata.generation ?? 0) > observedGeneration) {
    return { is: 'moving', line: 'Waiting for mydeployment spec update to be observed...' };
  }
  const failure = failureOf(status);
  if (failure !== undefined) return { is: 'failed', line: `${name} ${failure}` };
  if (step?.message) return waiting(`${asClause(step.message)}${isHeld ? advice(object) : ''}`);
  if (updated < replicas) return waiting(`${updated} out of ${replicas} new replicas have been updated`);
  const old = (status?.replicas ?? 0) - updated;
  if (old > 0) return waiting(`${old} old replicas are pending termination`);
  if (available < updated) return waiting(`${available} of ${updated} updated replicas are available`);
  return { is: 'done', line: `${name} successfully rolled out` };
}

/** What keeps the rollout at a step, in a few words; undefined when nothing does. */
export function stepHoldWords(object: MyDeployment): string | undefined {
  return STEP_HOLDS.get(stepHold(object)?.reason ?? '');
}

/** The condition that says that a step is not left yet. */
function stepHold({ metadata, status }: MyDeployment): DeploymentCondition | undefined {
  const condition = findCondition(status?.conditions, RECONCILING);
  const isCurrent = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  const isHold = condition?.status === 'True' && STEP_HOLDS.has(condition.reason ?? '');
  return isCurrent && isHold ? condition : undefined;
}

function advice({ metadata, spec }: MyDeployment): string {
  return ` (kubectl md rollout ${spec.paused ? 'resume' : 'promote'} ${metadata.name})`;
}

/** Why the operator counts the rollout as failed, as the rest of a sentence about it; undefined when it does not. */
export function failureOf(status: MyDeployment['status']): string | undefined {
  const progress = findCondition(status?.conditions, PROGRESSING);
  if (progress?.reason === TIMED_OUT) return 'exceeded its progress deadline';
  const stalled = findCondition(status?.conditions, STALLED);
  if (stalled?.status !== 'True') return undefined;
  return `is stalled (${stalled.reason ?? 'no reason given'}): ${ended(stalled.message ?? '')}`;
}

/** What to say when another revision rolls out than the one that was asked for; undefined when it is that one. */
export function wrongRevision(asked: number, running: number | undefined): string | undefined {
  if (asked === 0 || asked === running) return undefined;
  return `desired revision (${asked}) is different from the running revision (${running ?? 'none'})`;
}
