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
//
// Where pods can be changed in place, a pod that one revision has too many and another lacks is changed from the one to the other.
// That takes as much availability as its deletion would, and adds no pod.

import type { Action } from './action.ts';
import type { PodSource } from './build-pod.ts';
import { type DeletionContext, podsToDelete } from './deletion-order.ts';
import type { PodChange } from './in-place/pod-change.ts';
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
  /** @default pods are never changed in place */
  readonly inPlace?: InPlace;
}

/** How pods are changed in place. */
export interface InPlace {
  /** The next step of a pod from one revision to another; undefined when surplus pods are deleted without further ado. */
  readonly change: (pod: Pod, from: PodGroup, to: PodGroup) => PodChange | undefined;
  /** The rest of a change, for a pod that stays of its revision; undefined when there is nothing to do about it. */
  readonly finish: (pod: Pod, group: PodGroup) => PodChange | undefined;
}

type Impossible = Extract<PodChange, { is: 'impossible' }>;
type DeletePod = Extract<Action, { do: 'deletePod' }>;

/** A pod that its revision has too many. */
interface Surplus {
  readonly pod: Pod;
  readonly group: PodGroup;
  /** The revision that it is to belong to instead, and how; undefined when it is deleted. */
  readonly successor?: { readonly group: PodGroup; readonly change: PodChange };
}

/** The pods to delete, to create, and to change. The first groups get free room, and pods that are changed, first. */
export function podDiff(groups: readonly PodGroup[], context: PodDiffContext): Action[] {
  const doomed = withSuccessors(surplusPods(groups, context), groups, context);
  const active = sum(groups.map((group) => group.active.length));
  // Counts that are above the maximum already (it was lowered in mid-rollout) still have their lost pods replaced. Pods
  // of an unknown template have no desired count; they only take up room.
  const decided = sum(groups.map(({ source, desired }) => (source === undefined ? 0 : desired)));
  let room = Math.max(context.maxTotalPods, decided) - active - (context.terminating ?? 0);
  const creates = groups.flatMap((group): Action[] => {
    const coming = doomed.filter((each) => each.successor?.group === group && isChanged(each)).length;
    const count = Math.max(0, Math.min(group.desired - group.active.length - coming, BURST, room));
    if (group.source === undefined || count === 0) return [];
    room -= count;
    return [{ do: 'createPods', revision: group.revision, source: group.source, count }];
  });
  return [...removePods(doomed, groups, context), ...finishChanges(doomed, groups, context), ...creates];
}

/** Of surplus pods, those that become pods of revisions that lack some. */
function withSuccessors(
  surplus: readonly Surplus[],
  groups: readonly PodGroup[],
  { inPlace }: PodDiffContext,
): readonly Surplus[] {
  if (inPlace === undefined || surplus.length === 0) return surplus;
  const lacking = new Map(groups.map((group) => [group, group.desired - group.active.length]));
  return surplus.map((doomed) => {
    const to = groups.find((group) => group.source !== undefined && (lacking.get(group) ?? 0) > 0);
    const change = to && inPlace.change(doomed.pod, doomed.group, to);
    if (to === undefined || change === undefined) return doomed;
    if (change.is !== 'impossible') lacking.set(to, (lacking.get(to) as number) - 1);
    return { ...doomed, successor: { group: to, change } };
  });
}

/** True of a pod that becomes one of another revision, now or after a while. */
function isChanged({ successor }: Surplus): boolean {
  return successor !== undefined && successor.change.is !== 'impossible';
}

/** Takes surplus pods from their revisions: by a change in place, or by a deletion. */
function removePods(doomed: readonly Surplus[], groups: readonly PodGroup[], context: PodDiffContext): Action[] {
  const isServing = (pod: Pod): boolean => isAvailable(pod, context.minReadySeconds, context.now);
  const serving = groups.flatMap((group) => group.active.filter(isServing)).length;
  const isShort = serving - doomed.filter(({ pod }) => isServing(pod)).length < context.minAvailable;
  return doomed.flatMap(({ pod, group, successor }): Action[] => {
    if (successor !== undefined && successor.change.is !== 'impossible') {
      return updatePod(pod, successor.group, successor.change);
    }
    const because = `revision ${group.revision} has ${group.active.length} pods and needs ${group.desired}`;
    const deletion = deletePod(pod, group, because, isShort && !isServing(pod) ? 'if unchanged' : 'in any case');
    return [successor === undefined ? deletion : { ...deletion, notInPlace: (successor.change as Impossible).because }];
  });
}

/** Brings changes of pods that stay to an end. A pod for which that is impossible is replaced by its revision. */
function finishChanges(doomed: readonly Surplus[], groups: readonly PodGroup[], { inPlace }: PodDiffContext): Action[] {
  if (inPlace === undefined) return [];
  const leaving = new Set(doomed.map(({ pod }) => pod));
  return groups.flatMap((group) =>
    group.active.flatMap((pod): Action[] => {
      const change = leaving.has(pod) ? undefined : inPlace.finish(pod, group);
      if (change === undefined) return [];
      if (change.is !== 'impossible') return updatePod(pod, group, change);
      const because = 'its change in place cannot be finished';
      return [{ ...deletePod(pod, group, because, 'if unchanged'), notInPlace: change.because }];
    }),
  );
}

function updatePod(pod: Pod, { revision }: PodGroup, change: Exclude<PodChange, { is: 'impossible' }>): Action[] {
  if (change.is === 'waiting') return [];
  const { name, uid, resourceVersion } = pod.metadata;
  return [{ do: 'updatePod', name, uid, resourceVersion, revision, patches: change.patches, because: change.what }];
}

/** Where deletions are spread over domains, what one group loses counts for the next. */
function surplusPods(groups: readonly PodGroup[], context: PodDiffContext): Surplus[] {
  let { siblings } = context;
  return groups.flatMap((group) => {
    const pods = surplus(group, { ...context, siblings });
    if (pods.length === 0) return [];
    const gone = new Set(pods);
    if (context.domainOf !== undefined) siblings = siblings.filter((pod) => !gone.has(pod));
    return pods.map((pod) => ({ pod, group }));
  });
}

function surplus({ active, desired }: PodGroup, context: PodDiffContext): Pod[] {
  const count = Math.min(active.length - desired, BURST);
  return count <= 0 ? [] : podsToDelete(active, count, context);
}

function deletePod(pod: Pod, { revision }: PodGroup, because: string, when: 'if unchanged' | 'in any case'): DeletePod {
  const { name, uid, resourceVersion } = pod.metadata;
  return { do: 'deletePod', name, uid, ...(when === 'if unchanged' && { resourceVersion }), revision, because };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
