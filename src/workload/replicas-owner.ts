// A kind whose pods are all alike: its template, and how many pods an object asks for, are all that it declares. Orphans are
// adopted, pods are created and deleted, and deleted before the object goes; the status counts and names them.

import { type ConditionUpdate, setCondition } from '../runtime/conditions.ts';
import { NO_REFUSALS } from '../runtime/consistency/refusals.ts';
import type { Plan } from './action.ts';
import type { PodSource } from './build-pod.ts';
import { claim, claimPods } from './claim.ts';
import { isActive, isReady } from './pod.ts';
import { isPodName } from './pod-name.ts';
import type { Neighbourhood, PodOwner } from './pod-owner.ts';
import { cleanUpPods, type Replicas, scalePods } from './replicas.ts';
import { MAX_LISTED_NAMES, type ReplicasStatus } from './replicas-schema.ts';
import type { Owning } from './report.ts';
import { formatSelector, matcherOf } from './selector.ts';

/** What distinguishes such a kind from others. */
export interface ReplicasKind<T extends Owning<ReplicasStatus>> extends Pick<Replicas, 'revision'> {
  readonly definition: PodOwner<T, ReplicasStatus, never>['definition'];
  /** Keeps an object until its pods are gone. */
  readonly finalizer: string;
  readonly replicas: (object: T) => number;
  /** Running pods are not compared with the template, so a change of it applies to new pods only. */
  readonly source: (object: T) => PodSource;
}

/** Everything that a plan needs to know about one object. */
export interface ReplicasSnapshot<T> extends Pick<Neighbourhood, 'pods'>, Partial<Pick<Neighbourhood, 'refusals'>> {
  readonly object: T;
}

export type ReplicasPlan = Plan<ReplicasStatus>;

/** Declares how the operator treats objects of such a kind. */
export function replicasOwner<T extends Owning<ReplicasStatus>>(
  kind: ReplicasKind<T>,
): PodOwner<T, ReplicasStatus, ReplicasSnapshot<T>, ReplicasPlan> {
  return {
    definition: kind.definition,
    finalizer: kind.finalizer,
    selects: (object, { metadata }) => matcherOf(kind.source(object).selector)(metadata.labels),
    snapshot: (object, { pods, refusals }) => ({ object, pods, refusals }),
    plan: (snapshot, now) => planReplicas(kind, snapshot, now),
  };
}

/** Decides what to do now. A plan that is made again after any part of it was executed continues from there. */
function planReplicas<T extends Owning<ReplicasStatus>>(
  kind: ReplicasKind<T>,
  { object, pods, refusals: refused = NO_REFUSALS }: ReplicasSnapshot<T>,
  now: number,
): ReplicasPlan {
  const source = kind.source(object);
  const matches = matcherOf(source.selector);
  const claimed = claim(object, pods, {
    matches: ({ metadata }) => matches(metadata.labels),
    // Users may label pods in the same way, so an orphan also needs a name that the operator chose, as with a StatefulSet.
    isMarked: ({ metadata }) => isPodName(metadata.name, object.metadata.name, source.hash),
    alive: isActive,
    refused,
  });
  const replicas = { owned: claimed.owned, replicas: kind.replicas(object), source, revision: kind.revision };
  const report = { status: statusOf(object, replicas, now), events: [], checkAgainAt: undefined };
  if (object.metadata.deletionTimestamp !== undefined) return { ...report, ...cleanUpPods(object, replicas, now) };
  const claims = claimPods(claimed);
  // Claims are executed alone: the operator counts pods only when it knows which ones it owns.
  return claims.length > 0 ? { ...report, actions: claims } : { ...report, ...scalePods(replicas, now) };
}

function statusOf({ metadata, status }: Owning<ReplicasStatus>, replicas: Replicas, now: number): ReplicasStatus {
  const { generation = 0, deletionTimestamp } = metadata;
  const { owned, replicas: desired, source } = replicas;
  const active = owned.filter(isActive);
  const ready = active.filter(isReady).length;
  const isComplete = active.length === desired && ready === desired;
  const readiness: Omit<ConditionUpdate, 'type'> =
    deletionTimestamp === undefined
      ? {
          status: isComplete ? 'True' : 'False',
          reason: isComplete ? 'AllPodsReady' : 'PodsNotReady',
          message: `${ready} of ${desired} pods are ready`,
        }
      : { status: 'False', reason: 'Deleting', message: `${owned.length} pods are left` };
  const names = active.map((pod) => pod.metadata.name).sort();
  return {
    observedGeneration: generation,
    replicas: active.length,
    readyReplicas: ready,
    podNames: names.slice(0, MAX_LISTED_NAMES),
    selector: formatSelector(source.selector),
    conditions: setCondition(status?.conditions, { type: 'Ready', ...readiness, observedGeneration: generation }, now),
  };
}
