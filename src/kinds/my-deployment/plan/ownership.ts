// Which pods and revisions belong to a MyDeployment. The selector alone does not decide: users select by `app=web` and
// also run other pods with that label. As with the ReplicaSets of a Deployment, the hash in a pod's labels counts, too:
// an orphan is adopted if it has the hash of one of the MyDeployment's revisions, and a pod that has lost its hash is
// released.
//
// A pod with a hash that no revision has stays owned: a user has deleted the revision, or the cache does not show it
// yet. If it were released, no controller would ever delete it.

import { NO_REFUSALS, type Refusals } from '../../../runtime/consistency/refusals.ts';
import type { KubeObject } from '../../../runtime/object.ts';
import type { Owner } from '../../../runtime/owner.ts';
import { REVISION_HASH_LABEL, TEMPLATE_HASH_LABEL } from '../../../workload/build-pod.ts';
import { type Claim, claim } from '../../../workload/claim.ts';
import { isActive, type Pod } from '../../../workload/pod.ts';
import { type ControllerRevision, compareRevisions, sameTemplate } from '../../../workload/revision.ts';
import { type LabelSelector, matcherOf } from '../../../workload/selector.ts';
import type { MyDeployment } from '../types.gen.ts';
import { shareClaim } from './hand-over.ts';
import { isOurRecord, nextRevision, type RevisionRecord, readRevision } from './record.ts';

/** The objects that may belong to a MyDeployment. */
export interface Near {
  /** Revisions of its namespace that it owns, and orphans. */
  readonly revisions: readonly ControllerRevision[];
  /** Pods of its namespace that it owns, and orphans. Pods of other owners are ignored. */
  readonly pods: readonly Pod[];
  /** Claims that the plan leaves out, because the API server refused them a moment ago. @default none */
  readonly refusals?: Refusals;
}

export interface Ownership {
  /** From old to new. */
  readonly records: readonly RevisionRecord[];
  /** The record of the spec's template; undefined while there is none. */
  readonly update: RevisionRecord | undefined;
  readonly pods: Claim<Pod>;
  readonly orphanRevisions: readonly ControllerRevision[];
}

/** Determines what belongs to the MyDeployment. */
export function ownershipOf(object: MyDeployment & Owner, near: Near): Ownership {
  const { selector, template } = object.spec;
  const { refusals: refused = NO_REFUSALS } = near;
  const matches = matcherOf(selector);
  const revisions = claim(object, near.revisions, {
    matches: ({ metadata }) => matches(metadata.labels),
    isMarked: ({ metadata }) => isOurRecord(metadata.annotations),
    alive: ({ metadata }) => metadata.deletionTimestamp === undefined,
    refused,
  });
  // An owned revision stays owned, whatever its labels: no other owner could use it.
  const records = [...revisions.owned, ...revisions.release].sort(compareRevisions).map(readRevision);
  const update = records.findLast((record) => sameTemplate(record.template, template));
  const adopted = revisions.adopt.map(readRevision);
  const recordOf = recordFinder([...records, ...adopted, ...(update ? [] : nextRecord(object, records, near))]);
  const pods = claim(object, near.pods, {
    matches: (pod) => matches(pod.metadata.labels) && carriesHash(pod),
    isMarked: (pod) => recordOf(pod) !== undefined,
    alive: isActive,
    refused,
  });
  return { records, update, pods: shareClaim(object, pods, near.pods), orphanRevisions: revisions.adopt };
}

/** How pods of a revision are recognized: by the MyDeployment's selector and the hash, as with a ReplicaSet. */
export function selectorOf({ matchExpressions = [], ...selector }: LabelSelector, hash: string): LabelSelector {
  const ofRevision = { key: TEMPLATE_HASH_LABEL, operator: 'In', values: [hash] } as const;
  return { ...selector, matchExpressions: [...matchExpressions, ofRevision] };
}

type Hashed = Pick<RevisionRecord, 'hash' | 'aliases'>;

/** The revision of a pod, by the hash in its labels; of two revisions with one hash, the later one. */
export function recordFinder<R extends Hashed>(records: readonly R[]): (pod: KubeObject) => R | undefined {
  const named = records.flatMap((record) => record.aliases.map((alias) => [alias, record] as const));
  const byHash = new Map([...named, ...records.map((record) => [record.hash, record] as const)]);
  return ({ metadata: { labels = {} } }) =>
    byHash.get(labels[REVISION_HASH_LABEL] ?? '') ?? byHash.get(labels[TEMPLATE_HASH_LABEL] ?? '');
}

function carriesHash({ metadata: { labels = {} } }: Pod): boolean {
  return labels[REVISION_HASH_LABEL] !== undefined || labels[TEMPLATE_HASH_LABEL] !== undefined;
}

/**
 * The revision that the template is about to get, so that a MyDeployment that is created again adopts the pods of its
 * predecessor. None when a revision of that name exists: if it is adopted, its pods are adopted with it.
 */
function nextRecord(object: MyDeployment & Owner, records: readonly RevisionRecord[], near: Near): Hashed[] {
  const next = nextRevision(object, records);
  return near.revisions.some(({ metadata }) => metadata.name === next.name) ? [] : [{ ...next, aliases: [] }];
}
