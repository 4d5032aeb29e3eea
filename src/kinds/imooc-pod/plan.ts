// What to do about an ImoocPod, as a function of what there is: settle which pods are its own, then have as many as it
// asks for; on its way out, see its pods off. Planned again after any part was carried out, the rest follows.

import type { Action, Plan, PlannedEvent } from '../../workload/action.ts';
import { claimPods } from '../../workload/claim.ts';
import { podsToDelete } from '../../workload/deletion-order.ts';
import type { Pod } from '../../workload/pod.ts';
import { BURST } from '../../workload/pod-diff.ts';
import { podTemplate } from './pod.ts';
import { labelsOf, type Observed, observe, type Snapshot } from './snapshot.ts';
import { observedStatus } from './status.ts';
import type { ImoocPodStatus } from './types.gen.ts';

export interface ImoocPodPlan extends Plan<ImoocPodStatus> {
  /** Nothing is left to clean up: an object that is being deleted may go. */
  readonly mayGo: boolean;
}

/** By which the garbage collector is told to let the pods live; it sees to that itself. */
const ORPHAN = 'orphan';

/** How soon to look again after pods that could not be seen off. */
const LOOK_AGAIN_MS = 1000;

/** There is only one. */
const REVISION = 'busybox';

const NOTHING: ImoocPodPlan = { actions: [], status: undefined, events: [], checkAgainAt: undefined, mayGo: true };

/** Decides what to do now, and when to look again if nothing happens. */
export function plan(snapshot: Snapshot | undefined, now: number): ImoocPodPlan {
  if (snapshot === undefined) return NOTHING;
  const observed = observe(snapshot, now);
  if (snapshot.object.metadata.deletionTimestamp !== undefined) return cleanUp(observed);
  const claims = claimPods(observed.pods);
  // Claims come alone: what is ours has to be settled before anything is counted on.
  if (claims.length > 0) return { ...report(observed), actions: claims };
  return scale(observed);
}

function report(observed: Observed): ImoocPodPlan {
  return { ...NOTHING, status: observedStatus(observed), mayGo: false };
}

/** Pods that ended are replaced by new ones, and make room for them. */
function scale(observed: Observed): ImoocPodPlan {
  const { object, active, replicas, now } = observed;
  const tooMany = Math.min(BURST, Math.max(0, active.length - replicas));
  const surplus = podsToDelete(active, tooMany, { siblings: active, minReadySeconds: 0, now });
  const ended = observed.ended.slice(0, BURST);
  const missing = Math.min(BURST, Math.max(0, replicas - active.length));
  const source = { template: podTemplate(object), selector: { matchLabels: labelsOf(object) } };
  return {
    ...report(observed),
    actions: [
      ...surplus.map((pod) => deletion(pod, `${active.length} pods run, ${replicas} should`)),
      ...ended.map((pod) => deletion(pod, `it has ended: ${pod.status?.phase}`)),
      ...(missing > 0 ? [{ do: 'createPods', revision: REVISION, source, count: missing } as const] : []),
    ],
    events: announce({ missing, surplus: surplus.length, ended: ended.length }),
  };
}

function deletion({ metadata: { name, uid } }: Pod, because: string): Action & { do: 'deletePod' } {
  return { do: 'deletePod', name, uid, revision: REVISION, because };
}

/** Counts tell enough: the names are in the status. */
function announce(counts: Readonly<Record<'missing' | 'surplus' | 'ended', number>>): PlannedEvent[] {
  const told: readonly (readonly [number, string, string])[] = [
    [counts.missing, 'SuccessfulCreate', `Created ${counts.missing} pods`],
    [counts.surplus, 'SuccessfulDelete', `Deleted ${counts.surplus} pods that were too many`],
    [counts.ended, 'SuccessfulDelete', `Deleted ${counts.ended} pods that had ended`],
  ];
  return told
    .filter(([count]) => count > 0)
    .map(([, reason, message]): PlannedEvent => ({ type: 'Normal', reason, message }));
}

/**
 * Deletes the pods and waits until they are gone. Not those that somebody else touches: once the garbage collector has
 * orphaned the pods, nothing in the object tells of it any more, and the cache may still show them as ours.
 */
function cleanUp(observed: Observed): ImoocPodPlan {
  const { finalizers = [] } = observed.object.metadata;
  const left = finalizers.includes(ORPHAN) ? [] : observed.pods.owned;
  const staying = left.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return {
    ...report(observed),
    actions: staying.slice(0, BURST).map((pod) => {
      const { resourceVersion } = pod.metadata;
      return { ...deletion(pod, 'its ImoocPod is being deleted'), resourceVersion };
    }),
    checkAgainAt: staying.length > 0 ? observed.now + LOOK_AGAIN_MS : undefined,
    mayGo: left.length === 0,
  };
}
