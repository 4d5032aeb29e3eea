// What to do about an ImoocPod, as a function of what there is: claim its pods, then run as many as it asks for; while it
// is being deleted, delete its pods. A plan that is made again after any part of it was executed continues from there.

import { type ConditionUpdate, setCondition } from '../../runtime/conditions.ts';
import { NO_REFUSALS, type Refusals } from '../../runtime/consistency/refusals.ts';
import type { KubeObject } from '../../runtime/object.ts';
import type { Action, Plan, PlannedEvent } from '../../workload/action.ts';
import { type Claim, claim, claimPods } from '../../workload/claim.ts';
import { podsToDelete } from '../../workload/deletion-order.ts';
import { isActive, isReady, isTerminal, type Pod } from '../../workload/pod.ts';
import { BURST } from '../../workload/pod-diff.ts';
import { isPodName } from '../../workload/pod-name.ts';
import type { PodOwner } from '../../workload/pod-owner.ts';
import { formatSelector, type Labels, matcherOf } from '../../workload/selector.ts';
import { DEFAULT_REPLICAS, FINALIZER, imoocPod, MAX_LISTED_NAMES, podTemplate } from './schema.ts';
import type { ImoocPod, ImoocPodStatus } from './types.gen.ts';

export interface Snapshot {
  readonly object: ImoocPod;
  /** Pods of its namespace that it owns, and pods without a controller. Pods of others are ignored. */
  readonly pods: readonly Pod[];
  readonly refusals?: Refusals;
}

export type ImoocPodPlan = Plan<ImoocPodStatus>;

/** With this finalizer the garbage collector orphans the pods, so that they outlive the ImoocPod. */
const ORPHAN = 'orphan';
/** How soon to look again at pods that could not be deleted. */
const LOOK_AGAIN_MS = 1000;
/** An ImoocPod has no revisions; its pods are reported under this name. */
const REVISION = 'busybox';

const labelsOf = ({ metadata: { name } }: ImoocPod): Labels => ({ app: name });

export function selects(object: ImoocPod, { metadata }: KubeObject): boolean {
  return matcherOf({ matchLabels: labelsOf(object) })(metadata.labels);
}

export const imoocPodOwner: PodOwner<ImoocPod, ImoocPodStatus, Snapshot> = {
  definition: imoocPod,
  finalizer: FINALIZER,
  selects,
  snapshot: (object, { pods, refusals }) => ({ object, pods, refusals }),
  plan,
};

/** Decides what to do now, and when to look again if nothing changes. */
export function plan({ object, pods, refusals: refused = NO_REFUSALS }: Snapshot, now: number): ImoocPodPlan {
  const claimed = claim(object, pods, {
    matches: (pod) => selects(object, pod),
    // Users label pods `app=nap`, too, so an orphan also needs a name that the operator chose, as with a StatefulSet.
    isMarked: ({ metadata }) => isPodName(metadata.name, object.metadata.name),
    alive: isActive,
    refused,
  });
  const report = { actions: [], status: statusOf(object, claimed, now), events: [], checkAgainAt: undefined };
  if (object.metadata.deletionTimestamp !== undefined) return { ...report, ...cleanUp(object, claimed.owned, now) };
  const claims = claimPods(claimed);
  // Claims are executed alone: the operator counts pods only when it knows which ones it owns.
  return claims.length > 0 ? { ...report, actions: claims } : { ...report, ...scale(object, claimed.owned, now) };
}

/** Pods that ended are deleted and replaced. */
function scale(object: ImoocPod, owned: readonly Pod[], now: number): Pick<ImoocPodPlan, 'actions' | 'events'> {
  const { replicas = DEFAULT_REPLICAS } = object.spec;
  const active = owned.filter(isActive);
  const tooMany = Math.min(BURST, Math.max(0, active.length - replicas));
  const surplus = podsToDelete(active, tooMany, { siblings: active, minReadySeconds: 0, now });
  const ended = owned.filter((pod) => isTerminal(pod) && pod.metadata.deletionTimestamp === undefined).slice(0, BURST);
  const missing = Math.min(BURST, Math.max(0, replicas - active.length));
  const source = { template: podTemplate(labelsOf(object)), selector: { matchLabels: labelsOf(object) } };
  return {
    actions: [
      ...surplus.map((pod) => deletion(pod, `${active.length} pods run, ${replicas} should`)),
      ...ended.map((pod) => deletion(pod, `it has ended: ${pod.status?.phase}`)),
      ...(missing > 0 ? [{ do: 'createPods', revision: REVISION, source, count: missing } as const] : []),
    ],
    events: [
      ...eventOf(missing, 'SuccessfulCreate', `Created ${missing} pods`),
      ...eventOf(surplus.length, 'SuccessfulDelete', `Deleted ${surplus.length} pods that were too many`),
      ...eventOf(ended.length, 'SuccessfulDelete', `Deleted ${ended.length} pods that had ended`),
    ],
  };
}

/** Deletes the pods, unless they have changed: once the garbage collector has orphaned them, the cache may not show it. */
function cleanUp(object: ImoocPod, owned: readonly Pod[], now: number): Partial<ImoocPodPlan> {
  const left = object.metadata.finalizers?.includes(ORPHAN) ? [] : owned;
  const staying = left.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return {
    actions: staying.slice(0, BURST).map((pod) => {
      const { resourceVersion } = pod.metadata;
      return { ...deletion(pod, 'its ImoocPod is being deleted'), resourceVersion };
    }),
    checkAgainAt: staying.length > 0 ? now + LOOK_AGAIN_MS : undefined,
    isCleanedUp: left.length === 0,
  };
}

function deletion({ metadata: { name, uid } }: Pod, because: string): Action & { do: 'deletePod' } {
  return { do: 'deletePod', name, uid, revision: REVISION, because };
}

function eventOf(count: number, reason: string, message: string): PlannedEvent[] {
  return count > 0 ? [{ type: 'Normal', reason, message }] : [];
}

function statusOf(object: ImoocPod, { owned }: Claim<Pod>, now: number): ImoocPodStatus {
  const { replicas = DEFAULT_REPLICAS } = object.spec;
  const { generation = 0, deletionTimestamp } = object.metadata;
  const active = owned.filter(isActive);
  const ready = active.filter(isReady).length;
  const isComplete = active.length === replicas && ready === replicas;
  const readiness: Omit<ConditionUpdate, 'type'> =
    deletionTimestamp === undefined
      ? {
          status: isComplete ? 'True' : 'False',
          reason: isComplete ? 'AllPodsReady' : 'PodsNotReady',
          message: `${ready} of ${replicas} pods are ready`,
        }
      : { status: 'False', reason: 'Deleting', message: `${owned.length} pods are left` };
  const update = { type: 'Ready', ...readiness, observedGeneration: generation };
  return {
    observedGeneration: generation,
    replicas: active.length,
    readyReplicas: ready,
    podNames: active
      .map(({ metadata }) => metadata.name)
      .sort()
      .slice(0, MAX_LISTED_NAMES),
    selector: formatSelector({ matchLabels: labelsOf(object) }),
    conditions: setCondition(object.status?.conditions, update, now),
  };
}
