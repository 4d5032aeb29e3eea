// A pod from a revision's template. The template's spec is passed on untouched, so a field that we have never heard of
// still reaches the API server. The labels carry the bare hash: a name in them would not fit for owners with long names.

import type { KubeObject, Manifest, OwnerReference } from '../runtime/object.ts';
import type { Pod } from './pod.ts';
import type { LabelSelector } from './selector.ts';
import type { PodTemplate } from './template-schema.ts';

export const REVISION_HASH_LABEL = 'controller-revision-hash';
/** Known from ReplicaSets: people's spread constraints and dashboards select by it. */
export const TEMPLATE_HASH_LABEL = 'pod-template-hash';
/** The labels that the operator sets on a pod, whatever its template says about them. */
export const HASH_LABELS: readonly string[] = [REVISION_HASH_LABEL, TEMPLATE_HASH_LABEL];

/** A pod's name is also its hostname, which DNS limits to one label. */
const LONGEST_NAME = 63;
const SUFFIX_LENGTH = 5;

/** What of a revision goes into its pods. */
export interface PodSource {
  /** Marks its pods, in name and labels; absent for kinds that keep no revisions. */
  readonly hash?: string;
  readonly template: PodTemplate;
  /** By what its owner knows the pod again: a pod without it would be made over and over. */
  readonly selector: LabelSelector;
}

/** An object that can be named as the owner of another. */
export interface Owner extends KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The reference that makes `owner` the one controller of an object, and makes its foreground deletion wait for it. */
export function controllerReference({ apiVersion, kind, metadata: { name, uid } }: Owner): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The pod to create: what the template asks for, marked with its owner and revision. */
export function buildPod(owner: Owner, { hash, template }: Omit<PodSource, 'selector'>, name: string): Manifest<Pod> {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      ...(owner.metadata.namespace !== undefined && { namespace: owner.metadata.namespace }),
      labels: { ...labels, ...(hash !== undefined && { [REVISION_HASH_LABEL]: hash, [TEMPLATE_HASH_LABEL]: hash }) },
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ownerReferences: [controllerReference(owner)],
    },
    spec: template.spec,
  };
}

/** `<owner>-<hash>-<suffix>`, `<owner>-pod-<suffix>` without a hash; a long owner name is cut, so that the rest stays. */
export function podName(owner: string, hash = 'pod', suffix: string): string {
  const room = LONGEST_NAME - hash.length - SUFFIX_LENGTH - 2;
  return `${cutName(owner, room)}-${hash}-${suffix}`;
}

/** True when `podName` may have made this name. */
export function isPodName(name: string, owner: string, hash?: string): boolean {
  const stem = podName(owner, hash, '');
  return name.startsWith(stem) && name.length === stem.length + SUFFIX_LENGTH;
}

/** The first `length` characters of a name, without a separator at the end that would make `a.-b` of it. */
export function cutName(name: string, length: number): string {
  return name.length <= length ? name : name.slice(0, length).replace(/[-.]+$/, '');
}
