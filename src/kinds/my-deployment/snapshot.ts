// One key, the whole truth: a MyDeployment with the revisions and pods near it, and what they add up to. A revision plays
// the part that a ReplicaSet plays for a Deployment: it has a template, a number of pods it is meant to have, and pods.

import { apiVersionOf } from '../../runtime/resource.ts';
import { type Owner, REVISION_HASH_LABEL, TEMPLATE_HASH_LABEL } from '../../workload/build-pod.ts';
import { type Claim, claim } from '../../workload/claim.ts';
import { isActive, isAvailable, isReady, isTerminal, type Pod } from '../../workload/pod.ts';
import { type ControllerRevision, compareRevisions, sameTemplate } from '../../workload/revision.ts';
import { matcherOf } from '../../workload/selector.ts';
import { type Limits, limitsOf, protectedCount, type ResolvedSpec, withDefaults } from './defaults.ts';
import { shareClaim } from './hand-over.ts';
import { myDeployments } from './names.ts';
import { isOurRecord, type RevisionRecord, readRevision } from './record.ts';
import { reprieve } from './reprieve.ts';
import type { Spread } from './spread.ts';
import type { MyDeployment } from './types.gen.ts';

export interface Snapshot {
  readonly object: MyDeployment;
  /** Those of its namespace that it owns, and orphans. */
  readonly revisions: readonly ControllerRevision[];
  /** Those of its namespace that it owns, and orphans. Others' may be among them; they are ignored. */
  readonly pods: readonly Pod[];
  /** Over what new pods are spread whose template does not say. @default 'none' */
  readonly spread?: Spread;
}

export interface Revision extends RevisionRecord {
  /** How many pods it is meant to have. */
  readonly desired: number;
  /** Its pods that have not ended, terminating ones included. */
  readonly living: readonly Pod[];
  readonly active: readonly Pod[];
  readonly ready: number;
  readonly available: number;
}

export interface Rollout {
  readonly object: MyDeployment & Owner;
  readonly spec: ResolvedSpec;
  readonly limits: Limits;
  readonly now: number;
  readonly spread: Spread;
  /** From old to new. */
  readonly revisions: readonly Revision[];
  /** The revision of the spec's template; undefined while there is none. */
  readonly update: Revision | undefined;
  /** How many hash collisions new revisions have to steer clear of. */
  readonly collisionCount: number;
  readonly pods: Claim<Pod>;
  readonly orphanRevisions: readonly ControllerRevision[];
}

/** Pods whose revision nobody knows any more: older than all, and only ever fewer. */
const STRAYS: RevisionRecord = {
  name: '(unknown)',
  hash: '',
  aliases: [],
  number: 0,
  template: undefined,
  recorded: {},
  stored: undefined,
};

/** Sorts out what belongs to whom and counts it. */
export function observe({ object, revisions, pods, spread = 'none' }: Snapshot, now: number): Rollout {
  const spec = withDefaults(object.spec);
  const matches = matcherOf(spec.selector);
  const selected = ({ metadata }: Pod | ControllerRevision) => matches(metadata.labels);
  const claimedPods = shareClaim(object, claim(object, pods, { matches: selected, alive: isActive }), pods);
  const claimedRevisions = claim(object, revisions, {
    matches: (revision) => isOurRecord(revision.metadata.annotations) && selected(revision),
    alive: ({ metadata }) => metadata.deletionTimestamp === undefined,
  });
  // What is owned stays owned, whatever its labels: nothing that a revision could do elsewhere calls for letting it go.
  const owned = [...claimedRevisions.owned, ...claimedRevisions.release].sort(compareRevisions);
  const limits = limitsOf(spec);
  const counted = countPods(owned.map(readRevision), claimedPods.owned, { spec, limits, now });
  return {
    // Items of a list do not say of which kind they are.
    object: { ...object, apiVersion: apiVersionOf(myDeployments), kind: myDeployments.kind },
    spec,
    limits,
    now,
    spread,
    revisions: counted,
    update: counted.findLast(({ template }) => sameTemplate(template, spec.template)),
    collisionCount: object.status?.collisionCount ?? 0,
    pods: claimedPods,
    orphanRevisions: claimedRevisions.adopt,
  };
}

/** The revisions other than the update's, from old to new. */
export function oldRevisions({ revisions, update }: Pick<Rollout, 'revisions' | 'update'>): readonly Revision[] {
  return revisions.filter((revision) => revision !== update);
}

type Terms = Pick<Rollout, 'spec' | 'limits' | 'now'>;

/** The revisions of these records with their pods, led by the strays if there are any. */
export function countPods(
  records: readonly RevisionRecord[],
  pods: readonly Pod[],
  { spec, limits, now }: Terms,
): readonly Revision[] {
  const living = Map.groupBy(
    pods.filter((pod) => !isTerminal(pod)),
    recordFinder(records),
  );
  const all = living.has(STRAYS) ? [STRAYS, ...records] : records;
  const counted = all.map((record) => countRevision(record, living.get(record) ?? [], { ...spec, now }));
  return reprieve(counted, { limits, floor: protectedCount(spec, limits) });
}

interface Availability {
  readonly minReadySeconds: number;
  readonly now: number;
}

function countRevision(
  record: RevisionRecord,
  living: readonly Pod[],
  { minReadySeconds, now }: Availability,
): Revision {
  const active = living.filter(isActive);
  const ready = active.filter(isReady);
  return {
    ...record,
    // A revision that lost its count, or never had one, is meant to have what it has.
    desired: record.recorded.desired ?? active.length,
    living,
    active,
    ready: ready.length,
    available: ready.filter((pod) => isAvailable(pod, minReadySeconds, now)).length,
  };
}

/** Which revision a pod is of, by the hash in its labels; the later revision wins where two answer to one hash. */
function recordFinder(records: readonly RevisionRecord[]): (pod: Pod) => RevisionRecord {
  const named = records.flatMap((record) => record.aliases.map((alias) => [alias, record] as const));
  const byHash = new Map([...named, ...records.map((record) => [record.hash, record] as const)]);
  return ({ metadata: { labels = {} } }) =>
    byHash.get(labels[REVISION_HASH_LABEL] ?? '') ?? byHash.get(labels[TEMPLATE_HASH_LABEL] ?? '') ?? STRAYS;
}
