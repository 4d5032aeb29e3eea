// What a ControllerRevision remembers for us in its annotations: how many pods it is meant to have, as a ReplicaSet's
// spec.replicas does, and how large its owner was when that was decided. Whatever cannot be read counts as not there.

import type { Owner } from '../../../runtime/owner.ts';
import { buildRevision, type ControllerRevision, hashOf, templateOf } from '../../../workload/revision.ts';
import type { Labels } from '../../../workload/selector.ts';
import type { PodTemplate } from '../../../workload/template-schema.ts';
import { type Limits, maxTotalPods } from '../defaults.ts';
import type { MyDeployment } from '../types.gen.ts';

const PREFIX = 'mydeployment.kubebuilder.zq.com';
/** How many pods the revision is meant to have. */
export const REPLICAS = `${PREFIX}/replicas`;
/** The owner's replicas when that was decided: another number now means that somebody scales. */
export const DESIRED_REPLICAS = `${PREFIX}/desired-replicas`;
/** The owner's replicas and surge at that time: what the revision's share is a share of. */
export const MAX_REPLICAS = `${PREFIX}/max-replicas`;
/** Other hashes whose pods count as this revision's, separated by commas: pods taken over from a ReplicaSet. */
export const ALIASES = `${PREFIX}/pod-template-hash-aliases`;
/** The numbers that a revision had before its present one, separated by commas. */
export const REVISION_HISTORY = `${PREFIX}/revision-history`;
/** Why a revision came to be, in the words of whoever changed the object. */
export const CHANGE_CAUSE = 'kubernetes.io/change-cause';

/** A revision as it was read, or as it is planned. */
export interface RevisionRecord {
  readonly name: string;
  readonly hash: string;
  readonly aliases: readonly string[];
  readonly number: number;
  /** Undefined when it cannot be read: such a revision makes no more pods. */
  readonly template: PodTemplate | undefined;
  readonly recorded: {
    readonly desired?: number | undefined;
    readonly ownerReplicas?: number | undefined;
    readonly ownerMaxTotalPods?: number | undefined;
  };
  /** Undefined while it is only planned. */
  readonly stored: ControllerRevision | undefined;
}

/** True when these annotations are of our writing: another kind's history is none of our business. */
export function isOurRecord(annotations: Labels = {}): boolean {
  return annotations[REPLICAS] !== undefined;
}

export function readRevision(stored: ControllerRevision): RevisionRecord {
  const { name, annotations = {} } = stored.metadata;
  return {
    name,
    hash: hashOf(stored),
    aliases: (annotations[ALIASES] ?? '').split(',').filter(Boolean),
    number: stored.revision,
    template: templateOf(stored),
    recorded: {
      desired: readCount(annotations[REPLICAS]),
      ownerReplicas: readCount(annotations[DESIRED_REPLICAS]),
      ownerMaxTotalPods: readCount(annotations[MAX_REPLICAS]),
    },
    stored,
  };
}

export interface NextRevision {
  readonly name: string;
  readonly hash: string;
  /** How many hash collisions it steers clear of. */
  readonly collisionCount: number;
}

/** What the revision of the owner's template is to be called. A name that a stranger holds is found out on creating. */
export function nextRevision(
  owner: MyDeployment & Owner,
  records: readonly Pick<RevisionRecord, 'name'>[],
  collisionCount = owner.status?.collisionCount ?? 0,
): NextRevision {
  const { template } = owner.spec;
  const { metadata } = buildRevision(owner, { template, number: 0, collisionCount, annotations: {} });
  const { name, hash } = { name: metadata.name as string, hash: hashOf({ metadata } as ControllerRevision) };
  if (records.some((record) => record.name === name)) return nextRevision(owner, records, collisionCount + 1);
  return { name, hash, collisionCount };
}

/** A count of pods, or undefined when somebody wrote anything else there. */
export function readCount(text: string | undefined): number | undefined {
  const count = /^\d{1,10}$/.test(text ?? '') ? Number(text) : Number.NaN;
  return count < 2 ** 31 ? count : undefined;
}

/** The annotations that record a count decided under these limits. */
export function countAnnotations(limits: Limits, size: number): Labels {
  return {
    [REPLICAS]: String(size),
    [DESIRED_REPLICAS]: String(limits.replicas),
    [MAX_REPLICAS]: String(maxTotalPods(limits)),
  };
}

/** Those of the annotations that the stored revision does not carry yet. */
export function missingAnnotations({ stored }: RevisionRecord, annotations: Labels): Labels {
  const present = stored?.metadata.annotations ?? {};
  return Object.fromEntries(Object.entries(annotations).filter(([key, value]) => present[key] !== value));
}
