// What the tree shows of a MyDeployment, read with the operator's own eyes: which pods count to which revision is decided
// by the same code that decides it there.

import { observe, type Revision, type Rollout } from '../../kinds/my-deployment/plan/snapshot.ts';
import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import type { Pod as FullPod } from '../../runtime/built-in.ts';
import type { Pod } from '../../workload/pod.ts';
import type { ControllerRevision } from '../../workload/revision.ts';
import { rolloutState } from '../rollout/status-words.ts';
import { counted } from '../words.ts';
import type { PodShares } from './bar.ts';

export interface Facts {
  readonly object: MyDeployment;
  readonly revisions: readonly ControllerRevision[];
  readonly pods: readonly FullPod[];
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
  /** What the state means, in a sentence. */
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
  /** Newest first; those without pods are left out, except for the newest. */
  readonly revisions: readonly RevisionView[];
}

/** The view of these facts at this time. */
export function viewOf(facts: Facts, now: number): View {
  const rollout = observe(facts as Facts & { pods: readonly Pod[] }, now);
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
    revisions: revisions.toReversed().flatMap((revision) => revisionView(revision, rollout, facts.pods)),
  };
}

/** The state is the operator's word; how far it is comes from the pods, which are ahead of the status. */
function stateOf(
  object: MyDeployment,
  { wanted, updated, available, old }: View['counts'],
): Pick<View, 'state' | 'message'> {
  if (object.metadata.deletionTimestamp !== undefined) return { state: 'Terminating', message: 'is being deleted' };
  const { is } = rolloutState(object);
  if (is === 'failed') return { state: 'Degraded', message: 'exceeded its progress deadline' };
  if (object.spec.paused) return { state: 'Paused', message: 'no rollout while it is paused' };
  if (is === 'done') return { state: 'Healthy', message: 'all replicas are updated and available' };
  if (updated < wanted) return { state: 'Progressing', message: `${updated} of ${counted(wanted, 'replica')} updated` };
  if (old > 0) return { state: 'Progressing', message: `${counted(old, 'old replica')} left to remove` };
  return { state: 'Progressing', message: `${available} of ${counted(wanted, 'replica')} available` };
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

function sum(revisions: readonly Revision[], count: (revision: Revision) => number): number {
  return revisions.reduce((total, revision) => total + count(revision), 0);
}
