// Which pods and revisions near a MyDeployment are its own. Its selector alone does not say: users select by `app=web`,
// and run a pod of their own with that label. So, as with the ReplicaSets of a Deployment, the hash in a pod's labels counts,
// too: an orphan is adopted if it carries the hash of a revision of ours, and a pod that has lost its hash is let go.
//
// A pod with a hash that no revision has stays: somebody deleted the record of its template, or the cache does not show it
// yet. It would be wrong to let it go, where nobody would ever remove it.

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

/** What there is near a MyDeployment. */
export interface Near {
  /** Those of its namespace that it owns, and orphans. */
  readonly revisions: readonly ControllerRevision[];
  /** Those of its namespace that it owns, and orphans. Others' may be among them; they are ignored. */
  readonly pods: readonly Pod[];
  /** Claims to do without, because they were refused a moment ago. @default none */
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

/** Sorts out what belongs to the MyDeployment. */
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
  // What is owned stays owned, whatever its labels: nothing that a revision could do elsewhere calls for letting it go.
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

/** By what the pods of a revision are known again: the MyDeployment's selector and the hash, as with a ReplicaSet. */
export function selectorOf({ matchExpressions = [], ...selector }: LabelSelector, hash: string): LabelSelector {
  const ofRevision = { key: TEMPLATE_HASH_LABEL, operator: 'In', values: [hash] } as const;
  return { ...selector, matchExpressions: [...matchExpressions, ofRevision] };
}

type Hashed = Pick<RevisionRecord, 'hash' | 'aliases'>;

/** Which revision a pod is of, by the hash in its labels; the later revision wins where two answer to one hash. */
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
 * The record that the template is about to get: a MyDeployment that is created again takes back the pods that its
 * predecessor left. None when there is a revision of that name: if it is to be adopted, its pods go with it.
 */
function nextRecord(object: MyDeployment & Owner, records: readonly RevisionRecord[], near: Near): Hashed[] {
  const next = nextRevision(object, records);
  return near.revisions.some(({ metadata }) => metadata.name === next.name) ? [] : [{ ...next, aliases: [] }];
}
