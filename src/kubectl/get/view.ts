// What the tree shows of a MyDeployment. The code of the operator decides which pods belong to which revision, so that the view
// and the operator agree.

import { RECONCILING } from '../../kinds/my-deployment/plan/reconciling.ts';
import { observe, type Revision, type Rollout, sum } from '../../kinds/my-deployment/plan/snapshot.ts';
import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import type { RolloutPolicy } from '../../policy/types.gen.ts';
import type { Pod as FullPod } from '../../runtime/built-in.ts';
import { findCondition } from '../../runtime/conditions.ts';
import type { Pod } from '../../workload/pod.ts';
import type { ControllerRevision } from '../../workload/revision.ts';
import { counted } from '../phrasing.ts';
import { standingOf } from '../policy/standing.ts';
import { type PolicyView, policyView } from '../policy/view.ts';
import { failureOf, rolloutState } from '../rollout/rollout-state.ts';
import type { PodShares } from './bar.ts';

export interface Facts {
  readonly object: MyDeployment;
  readonly revisions: readonly ControllerRevision[];
  readonly pods: readonly FullPod[];
  /** The RolloutPolicies of the namespace, as far as they can be read. */
  readonly policies: readonly RolloutPolicy[];
}

export interface RevisionView {
  readonly number: number;
  readonly name: string;
  readonly isNew: boolean;
  readonly images: readonly string[];
  readonly desired: number;
  readonly ready: number;
  readonly pods: readonly FullPod[];
}

export interface View {
  readonly name: string;
  readonly namespace: string;
  readonly createdAt: string | undefined;
  readonly state: 'Healthy' | 'Progressing' | 'Paused' | 'Degraded' | 'Terminating';
  /** What the state means, as the rest of a sentence. */
  readonly message: string;
  readonly strategy: string;
  readonly counts: {
    readonly wanted: number;
    readonly updated: number;
    readonly ready: number;
    readonly available: number;
    readonly old: number;
    readonly unavailable: number;
  };
  readonly shares: PodShares;
  /** Undefined where no policy is about the object. */
  readonly policy: PolicyView | undefined;
  /** Newest first; those without pods are left out, except for the newest. */
  readonly revisions: readonly RevisionView[];
}

/** The view of these facts at this time. */
export function viewOf(facts: Facts, now: number): View {
  return viewOfRollout(rolloutOf(facts, now), facts);
}

/** What the operator would see in these facts. */
export function rolloutOf(near: Omit<Facts, 'policies'>, now: number): Rollout {
  return observe({ ...near, pods: near.pods as readonly Pod[] }, now);
}

/** The same where the rollout is known; the pods are those that it was made from, with all their fields. */
export function viewOfRollout(rollout: Rollout, { pods, policies }: Pick<Facts, 'pods' | 'policies'>): View {
  const standing = standingOf({ ...rollout, policies });
  const { object, spec, revisions, update } = rollout;
  const wanted = spec.replicas;
  const updated = update?.active.length ?? 0;
  const available = sum(revisions, (revision) => revision.available);
  const old = sum(revisions, ({ active }) => active.length) - updated;
  const ready = update?.available ?? 0;
  const counts = {
    wanted,
    updated,
    ready: sum(revisions, (revision) => revision.ready),
    available,
    old,
    unavailable: Math.max(0, wanted - available),
  };
  return {
    name: object.metadata.name,
    namespace: object.metadata.namespace ?? '',
    createdAt: object.metadata.creationTimestamp,
    ...stateOf(object, counts),
    strategy: strategyOf(rollout),
    counts,
    shares: { ready, starting: updated - ready, old, missing: Math.max(0, wanted - updated - old) },
    policy: standing && policyView(standing, rollout.now),
    revisions: revisions.toReversed().flatMap((revision) => revisionView(revision, rollout, pods)),
  };
}

/** The state comes from the status, how far the rollout is from the pods, which are ahead of the status. */
function stateOf(object: MyDeployment, counts: View['counts']): Pick<View, 'state' | 'message'> {
  if (object.metadata.deletionTimestamp !== undefined) return { state: 'Terminating', message: 'is being deleted' };
  const { is } = rolloutState(object);
  if (is === 'failed') return { state: 'Degraded', message: failureOf(object.status) ?? 'failed' };
  if (object.spec.paused) return { state: 'Paused', message: 'no rollout while it is paused' };
  const reason = reconcilingReason(object);
  if (is === 'done' && reason === undefined)
    return { state: 'Healthy', message: 'all replicas are updated and available' };
  const message = `${progressOf(counts)}${reason === undefined ? '' : ` (${reason})`}`;
  return { state: 'Progressing', message };
}

function progressOf({ wanted, updated, available, old }: View['counts']): string {
  if (updated < wanted) return `${updated} of ${counted(wanted, 'replica')} updated`;
  if (old > 0) return `${counted(old, 'old replica')} left to remove`;
  if (updated > wanted) return `${counted(updated - wanted, 'replica')} too many`;
  return `${available} of ${counted(wanted, 'replica')} available`;
}

/** The reason of the Reconciling condition; undefined when it does not hold, or is about an earlier spec. */
function reconcilingReason({ metadata, status }: MyDeployment): string | undefined {
  const condition = findCondition(status?.conditions, RECONCILING);
  const isCurrent = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  return isCurrent && condition?.status === 'True' ? condition.reason : undefined;
}

function strategyOf({ spec, limits }: Rollout): string {
  if (spec.strategy.type === 'Recreate') return 'Recreate';
  return `RollingUpdate (surge ${limits.maxSurge}, unavailable ${limits.maxUnavailable})`;
}

function revisionView(revision: Revision, { update }: Rollout, pods: readonly FullPod[]): RevisionView[] {
  const isNew = revision === update;
  if (!isNew && revision.living.length === 0 && revision.desired === 0) return [];
  const uids = new Set(revision.living.map(({ metadata }) => metadata.uid));
  return [
    {
      number: revision.number,
      name: revision.name,
      isNew,
      images: [...new Set(revision.template?.spec.containers.flatMap(({ image }) => image ?? []))],
      desired: revision.desired,
      ready: revision.ready,
      pods: pods.filter(({ metadata }) => uids.has(metadata.uid)).toSorted(byAge),
    },
  ];
}

function byAge({ metadata: one }: FullPod, { metadata: other }: FullPod): number {
  const [young, old] = [one.creationTimestamp ?? '', other.creationTimestamp ?? ''];
  if (young !== old) return young < old ? -1 : 1;
  return one.name < other.name ? -1 : 1;
}
