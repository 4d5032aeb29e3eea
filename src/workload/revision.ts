// History as ControllerRevisions: one object for each distinct pod template, named by the hash of its data and numbered
// in the order of use. Templates are compared by meaning, never by stored bytes, so that another serialization of the
// same template does not start a rollout (in Kubernetes 1.34 it did).

import type { KubeObject, Manifest } from '../runtime/object.ts';
import { controllerReference, type Owner } from '../runtime/owner.ts';
import { canonical, canonicalJson, sameMeaning } from './canonical.ts';
import { revisionHash } from './hash.ts';
import { timeOf } from './pod.ts';
import { cutName } from './pod-name.ts';
import type { Labels } from './selector.ts';
import type { PodTemplate } from './template-schema.ts';

export const HASH_LABEL = 'controller.kubernetes.io/hash';

/** Leaves room for the hash in a name of at most 253 characters. */
const LONGEST_OWNER = 223;

export interface ControllerRevision extends KubeObject {
  readonly revision: number;
  readonly data?: unknown;
}

/** What a new revision is made of. */
export interface RevisionSource {
  readonly template: PodTemplate;
  readonly number: number;
  readonly collisionCount: number;
  readonly annotations: Labels;
}

/**
 * The object that records a template. The same source always gives the same name, so a retry finds the first attempt.
 */
export function buildRevision(owner: Owner, source: RevisionSource): Manifest<ControllerRevision> {
  const data = revisionData(source.template);
  const hash = revisionHash(canonicalJson(data), source.collisionCount);
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${cutName(owner.metadata.name, LONGEST_OWNER)}-${hash}`,
      ...(owner.metadata.namespace !== undefined && { namespace: owner.metadata.namespace }),
      labels: { ...source.template.metadata?.labels, [HASH_LABEL]: hash },
      annotations: source.annotations,
      ownerReferences: [controllerReference(owner)],
    },
    data,
    revision: source.number,
  };
}

/** A template as revision data: a patch that restores exactly this template. */
export function revisionData(template: PodTemplate): unknown {
  return canonical({ spec: { template: { ...template, $patch: 'replace' } } });
}

/** The template that a revision recorded; undefined when its data has another form. */
export function templateOf(revision: Pick<ControllerRevision, 'data'>): PodTemplate | undefined {
  const data = revision.data as { spec?: { template?: PodTemplate & { $patch?: string } } } | undefined;
  const recorded = data?.spec?.template;
  if (typeof recorded !== 'object' || recorded === null) return undefined;
  const { $patch: _, ...template } = recorded;
  return template;
}

/** True when pods made from both templates would be the same. */
export function sameTemplate(one: PodTemplate | undefined, other: PodTemplate | undefined): boolean {
  return one !== undefined && sameMeaning(one, other);
}

/** The hash that pods of this revision carry in their labels. */
export function hashOf({ metadata }: KubeObject): string {
  return metadata.labels?.[HASH_LABEL] ?? metadata.name.slice(metadata.name.lastIndexOf('-') + 1);
}

/** From old to new: by number, then by age, then by name. */
export function compareRevisions(one: ControllerRevision, other: ControllerRevision): number {
  const age = ({ metadata }: KubeObject): number => timeOf(metadata.creationTimestamp) ?? 0;
  const byName = one.metadata.name < other.metadata.name ? -1 : Number(one.metadata.name > other.metadata.name);
  return one.revision - other.revision || age(one) - age(other) || byName;
}
