// Plans for kinds whose pods are all alike: run as many as the object asks for, and delete them before the object goes.

import type { KubeObject } from '../runtime/object.ts';
import type { Action, Plan, PlannedEvent } from './action.ts';
import type { PodSource } from './build-pod.ts';
import { podsToDelete } from './deletion-order.ts';
import { isActive, isTerminal, type Pod } from './pod.ts';
import { BURST } from './pod-diff.ts';

export interface Replicas {
  readonly owned: readonly Pod[];
  readonly replicas: number;
  readonly source: PodSource;
  /** Such a kind has no revisions; its pods are reported under this name. */
  readonly revision: string;
}

/** With this finalizer the garbage collector orphans the pods, so that they outlive their owner. */
const ORPHAN = 'orphan';
/** How soon to look again at pods that could not be deleted. */
const LOOK_AGAIN_MS = 1000;

/** Creates missing pods and deletes surplus ones. Pods that ended are deleted and replaced. */
export function scalePods(
  { owned, replicas, source, revision }: Replicas,
  now: number,
): Pick<Plan<never>, 'actions' | 'events'> {
  const active = owned.filter(isActive);
  const tooMany = Math.min(BURST, Math.max(0, active.length - replicas));
  const surplus = podsToDelete(active, tooMany, { siblings: active, minReadySeconds: 0, now });
  const ended = owned.filter((pod) => isTerminal(pod) && pod.metadata.deletionTimestamp === undefined).slice(0, BURST);
  const missing = Math.min(BURST, Math.max(0, replicas - active.length));
  return {
    actions: [
      ...surplus.map((pod) => deletion(pod, revision, `${active.length} pods run, ${replicas} should`)),
      ...ended.map((pod) => deletion(pod, revision, `it has ended: ${pod.status?.phase}`)),
      ...(missing > 0 ? [{ do: 'createPods', revision, source, count: missing } as const] : []),
    ],
    events: [
      ...eventOf(missing, 'SuccessfulCreate', `Created ${missing} pods`),
      ...eventOf(surplus.length, 'SuccessfulDelete', `Deleted ${surplus.length} pods that were too many`),
      ...eventOf(ended.length, 'SuccessfulDelete', `Deleted ${ended.length} pods that had ended`),
    ],
  };
}

/** Deletes the pods, unless they have changed: once the garbage collector has orphaned them, the cache may not show it. */
export function cleanUpPods(
  { metadata }: KubeObject,
  { owned, revision }: Pick<Replicas, 'owned' | 'revision'>,
  now: number,
): Pick<Plan<never>, 'actions' | 'checkAgainAt' | 'isCleanedUp'> {
  const left = metadata.finalizers?.includes(ORPHAN) ? [] : owned;
  const staying = left.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  return {
    actions: staying.slice(0, BURST).map((pod) => {
      const { resourceVersion } = pod.metadata;
      return { ...deletion(pod, revision, 'its owner is being deleted'), resourceVersion };
    }),
    checkAgainAt: staying.length > 0 ? now + LOOK_AGAIN_MS : undefined,
    isCleanedUp: left.length === 0,
  };
}

function deletion({ metadata: { name, uid } }: Pod, revision: string, because: string): Action & { do: 'deletePod' } {
  return { do: 'deletePod', name, uid, revision, because };
}

function eventOf(count: number, reason: string, message: string): PlannedEvent[] {
  return count > 0 ? [{ type: 'Normal', reason, message }] : [];
}
