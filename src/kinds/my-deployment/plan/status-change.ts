// Which changes of a status are written at once. The beginning and the end of a change are, and so is what goes wrong;
// the counts in between are coalesced, because a rollout of a thousand pods changes them thousands of times.

import { findCondition, isConditionTrue } from '../../../runtime/conditions.ts';
import { sameMeaning } from '../../../workload/canonical.ts';
import type { MyDeploymentStatus } from '../types.gen.ts';
import { AVAILABLE, type Conditions, isUnderway, PROGRESSING } from './progress.ts';
import { RECONCILING, STALLED } from './reconciling.ts';

/** News is what people and programs wait for, and is written at once; details are coalesced. */
export type StatusChange = 'none' | 'details' | 'news';

/** Compares a status with the stored one. */
export function statusChange(stored: MyDeploymentStatus | undefined, next: MyDeploymentStatus): StatusChange {
  if (sameMeaning(stored ?? {}, next)) return 'none';
  if (stored?.observedGeneration !== next.observedGeneration || isAtRest(next)) return 'news';
  const [before, after] = [stored?.conditions ?? [], next.conditions ?? []];
  const types = new Set([...before, ...after].map(({ type }) => type));
  const changed = [...types].filter((type) => stateOf(before, type) !== stateOf(after, type));
  return changed.some((type) => isNews(type, before, after)) ? 'news' : 'details';
}

/** True when no pod is about to change, so that this status stays until something happens. */
function isAtRest({ conditions, terminatingReplicas = 0 }: MyDeploymentStatus): boolean {
  return terminatingReplicas === 0 && ![RECONCILING, STALLED].some((type) => isConditionTrue(conditions, type));
}

/** While a rollout is under way, only what goes wrong is news: Reconciling already says that it is not complete. */
function isNews(type: string, before: Conditions, after: Conditions): boolean {
  if (!isUnderway(findCondition(after, PROGRESSING)?.reason)) return true;
  if (type === AVAILABLE) return findCondition(before, type)?.status === 'True';
  return type !== PROGRESSING && type !== RECONCILING;
}

function stateOf(conditions: Conditions, type: string): string {
  const { status, reason } = findCondition(conditions, type) ?? {};
  return `${status} ${reason}`;
}
