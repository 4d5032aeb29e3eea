// What the annotations of a ControllerRevision record: how many pods it should have, as a ReplicaSet's spec.replicas
// does, and its owner's size when that was decided. Unreadable values count as absent.

import { type AttemptRecords, readAttempt } from '../../../policy/attempt.ts';
import type { Owner } from '../../../runtime/owner.ts';
import { buildRevision, type ControllerRevision, hashOf, templateOf } from '../../../workload/revision.ts';
import type { Labels } from '../../../workload/selector.ts';
import type { PodTemplate } from '../../../workload/template-schema.ts';
import { type Limits, maxTotalPods } from '../defaults.ts';
import { ANNOTATIONS } from '../names.ts';
import type { MyDeployment } from '../types.gen.ts';

/** How many pods the revision should have. */
export const REPLICAS = `${ANNOTATIONS}/replicas`;
/** The owner's replicas when that was decided: another number now means that a user or an autoscaler is scaling. */
export const DESIRED_REPLICAS = `${ANNOTATIONS}/desired-replicas`;
/** The owner's replicas and surge at that time, of which the revision's count is a share. */
export const MAX_REPLICAS = `${ANNOTATIONS}/max-replicas`;
/** Other hashes whose pods count as this revision's, separated by commas: pods taken over from a ReplicaSet. */
export const ALIASES = `${ANNOTATIONS}/pod-template-hash-aliases`;
/** The numbers that a revision had before its present one, separated by commas. */
export const REVISION_HISTORY = `${ANNOTATIONS}/revision-history`;
/** Why a revision was created, from the change-cause annotation of the object. */
export const CHANGE_CAUSE = 'kubernetes.io/change-cause';

/** A revision as it was read, or as it is planned. */
export interface RevisionRecord {
  readonly name: string;
  readonly hash: string;
  readonly aliases: readonly string[];
  readonly number: number;
  /** Undefined when it cannot be read: then no more pods of the revision are created. */
  readonly template: PodTemplate | undefined;
  readonly recorded: {
    readonly desired?: number | undefined;
    readonly ownerReplicas?: number | undefined;
    readonly ownerMaxTotalPods?: number | undefined;
  };
  /** What is recorded of attempts to roll it out under a policy. */
  readonly attempt: AttemptRecords;
  /** Undefined while it is only planned. */
  readonly stored: ControllerRevision | undefined;
}

/** True when the operator wrote these annotations: the history of other kinds is ignored. */
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
    attempt: readAttempt(annotations),
    stored,
  };
}

export interface NextRevision {
  readonly name: string;
  readonly hash: string;
  /** How many hash collisions to avoid. */
  readonly collisionCount: number;
}

/** The name for the revision of the owner's template. Whether another object has that name shows when it is created. */
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

/** A count of pods, or undefined for any other text. */
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

/** The annotations that the stored revision does not have yet. */
export function missingAnnotations({ stored }: RevisionRecord, annotations: Labels): Labels {
  const present = stored?.metadata.annotations ?? {};
  return Object.fromEntries(Object.entries(annotations).filter(([key, value]) => present[key] !== value));
}
