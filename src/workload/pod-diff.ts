// For each revision, the pods to create or delete so that the revision has its desired count.
//
// Guarantees: creates and deletes may run at the same time and in any order without ever exceeding maxTotalPods, because
// room for new pods is counted before any pod of this plan is gone. A roll of 10 with a surge of 3 that goes from 10 old
// to 8 old and 5 new creates 3 new ones and deletes 2 old ones; the other 2 new ones are created by the next plan, which
// sees 8 + 3 pods. No count is written a second time for that.
//
// A pod that is deleted because it is not available, while too few are available, is deleted only if that is still so:
// the API server refuses the delete of a pod that has become available meanwhile, and the next plan takes that into
// account.

import type { Action } from './action.ts';
import type { PodSource } from './build-pod.ts';
import { type DeletionContext, podsToDelete } from './deletion-order.ts';
import { isAvailable, type Pod } from './pod.ts';

/** The most pods of one revision that one plan creates or deletes; the rest follow when the cache shows these. */
export const BURST = 500;

export interface PodGroup {
  readonly revision: string;
  /** Undefined when the template is not known any more: such pods are never created, only deleted. */
  readonly source: PodSource | undefined;
  readonly active: readonly Pod[];
  readonly desired: number;
}

export interface PodDiffContext extends DeletionContext {
  /** The most active pods that all groups together may have. */
  readonly maxTotalPods: number;
  /** The fewest pods that have to be available. */
  readonly minAvailable: number;
  /** How many terminating pods take up room until they have ended. @default 0 */
  readonly terminating?: number;
}

/** The pods to delete and to create. The first groups get free room first. */
export function podDiff(groups: readonly PodGroup[], context: PodDiffContext): Action[] {
  const deletes = deletePods(groups, context);
  const active = sum(groups.map((group) => group.active.length));
  // Counts that are above the maximum already (it was lowered in mid-rollout) still have their lost pods replaced. Pods
  // of an unknown template have no desired count; they only take up room.
  const decided = sum(groups.map(({ source, desired }) => (source === undefined ? 0 : desired)));
  let room = Math.max(context.maxTotalPods, decided) - active - (context.terminating ?? 0);
  const creates = groups.flatMap((group): Action[] => {
    const count = Math.max(0, Math.min(group.desired - group.active.length, BURST, room));
    if (group.source === undefined || count === 0) return [];
    room -= count;
    return [{ do: 'createPods', revision: group.revision, source: group.source, count }];
  });
  return [...deletes, ...creates];
}

function deletePods(groups: readonly PodGroup[], context: PodDiffContext): Action[] {
  const doomed = surplusPods(groups, context);
  if (doomed.length === 0) return [];
  const isServing = (pod: Pod): boolean => isAvailable(pod, context.minReadySeconds, context.now);
  const serving = groups.flatMap((group) => group.active.filter(isServing)).length;
  const isShort = serving - doomed.flatMap(({ pods }) => pods.filter(isServing)).length < context.minAvailable;
  return doomed.flatMap(({ group, pods }) =>
    pods.map((pod) => deletePod(group, pod, isShort && !isServing(pod) ? 'if unchanged' : 'in any case')),
  );
}

/** Where deletions are spread over domains, what one group loses counts for the next. */
function surplusPods(groups: readonly PodGroup[], context: PodDiffContext): { group: PodGroup; pods: Pod[] }[] {
  let { siblings } = context;
  return groups.flatMap((group) => {
    const pods = surplus(group, { ...context, siblings });
    if (pods.length === 0) return [];
    const gone = new Set(pods);
    if (context.domainOf !== undefined) siblings = siblings.filter((pod) => !gone.has(pod));
    return [{ group, pods }];
  });
}

function surplus({ active, desired }: PodGroup, context: PodDiffContext): Pod[] {
  const count = Math.min(active.length - desired, BURST);
  return count <= 0 ? [] : podsToDelete(active, count, context);
}

function deletePod({ active, desired, revision }: PodGroup, pod: Pod, when: 'if unchanged' | 'in any case'): Action {
  const { name, uid, resourceVersion } = pod.metadata;
  return {
    do: 'deletePod',
    name,
    uid,
    ...(when === 'if unchanged' && { resourceVersion }),
    revision,
    because: `revision ${revision} has ${active.length} pods and needs ${desired}`,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
