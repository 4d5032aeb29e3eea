// From counts to pods: for each revision, what has to be created or deleted so that it has the pods it is meant to have.
//
// Guarantees: creates and deletes may run at the same time and in any order without ever exceeding maxTotalPods, because
// room for new pods is counted before any pod of this plan is gone. A roll of 10 with a surge of 3 that goes from 10 old
// to 8 old and 5 new creates 3 new ones and deletes 2 old ones; the other 2 new ones are created by the next plan, which
// sees 8 + 3 pods. No count is written a second time for that.
//
// A pod that goes because it serves nobody, while too few serve, goes only if that is still so: one that has become
// available meanwhile is refused by the API server, and the next plan decides with that in mind.

import type { Action } from './action.ts';
import type { PodSource } from './build-pod.ts';
import { type DeletionContext, podsToDelete } from './deletion-order.ts';
import { isAvailable, type Pod } from './pod.ts';

/** The most pods of one revision that one plan creates or deletes; the rest follow when the cache has seen these. */
export const BURST = 500;

export interface PodGroup {
  readonly revision: string;
  /** Undefined when nobody knows the template any more: such pods can only become fewer. */
  readonly source: PodSource | undefined;
  readonly active: readonly Pod[];
  readonly desired: number;
}

export interface PodDiffContext extends DeletionContext {
  /** The most active pods that all groups together may have. */
  readonly maxTotalPods: number;
  /** The fewest pods that have to be available. */
  readonly minAvailable: number;
}

/** The pods to delete and to create, groups in the given order: the first have the first claim on free room. */
export function podDiff(groups: readonly PodGroup[], context: PodDiffContext): Action[] {
  const deletes = deletePods(groups, context);
  const active = sum(groups.map((group) => group.active.length));
  // Counts that are already above the maximum (it was lowered in mid-rollout) still have their lost pods replaced; pods
  // of an unknown template are no count that anybody decided, they only take up room.
  const decided = sum(groups.map(({ source, desired }) => (source === undefined ? 0 : desired)));
  let room = Math.max(context.maxTotalPods, decided) - active;
  const creates = groups.flatMap((group): Action[] => {
    const count = Math.max(0, Math.min(group.desired - group.active.length, BURST, room));
    if (group.source === undefined || count === 0) return [];
    room -= count;
    return [{ do: 'createPods', revision: group.revision, source: group.source, count }];
  });
  return [...deletes, ...creates];
}

function deletePods(groups: readonly PodGroup[], context: PodDiffContext): Action[] {
  const doomed = groups
    .map((group) => ({ group, pods: surplus(group, context) }))
    .filter(({ pods }) => pods.length > 0);
  if (doomed.length === 0) return [];
  const isServing = (pod: Pod): boolean => isAvailable(pod, context.minReadySeconds, context.now);
  const serving = groups.flatMap((group) => group.active.filter(isServing)).length;
  const isShort = serving - doomed.flatMap(({ pods }) => pods.filter(isServing)).length < context.minAvailable;
  return doomed.flatMap(({ group, pods }) =>
    pods.map((pod) => deletePod(group, pod, isShort && !isServing(pod) ? 'if unchanged' : 'in any case')),
  );
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
