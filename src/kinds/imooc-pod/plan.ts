// What to do about an ImoocPod, as a function of what there is: claim its pods, then run as many as it asks for; while it
// is being deleted, delete its pods. A plan that is made again after any part of it was executed continues from there.

import { type ConditionUpdate, setCondition } from '../../runtime/conditions.ts';
import { NO_REFUSALS, type Refusals } from '../../runtime/consistency/refusals.ts';
import type { KubeObject } from '../../runtime/object.ts';
import type { Plan } from '../../workload/action.ts';
import { type Claim, claim, claimPods } from '../../workload/claim.ts';
import { isActive, isReady, type Pod } from '../../workload/pod.ts';
import { isPodName } from '../../workload/pod-name.ts';
import type { PodOwner } from '../../workload/pod-owner.ts';
import { cleanUpPods, type Replicas, scalePods } from '../../workload/replicas.ts';
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
  const replicas = replicasOf(object, claimed);
  if (object.metadata.deletionTimestamp !== undefined) return { ...report, ...cleanUpPods(object, replicas, now) };
  const claims = claimPods(claimed);
  // Claims are executed alone: the operator counts pods only when it knows which ones it owns.
  return claims.length > 0 ? { ...report, actions: claims } : { ...report, ...scalePods(replicas, now) };
}

function replicasOf(object: ImoocPod, { owned }: Claim<Pod>): Replicas {
  const labels = labelsOf(object);
  const source = { template: podTemplate(labels), selector: { matchLabels: labels } };
  return { owned, replicas: object.spec.replicas ?? DEFAULT_REPLICAS, source, revision: 'busybox' };
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
