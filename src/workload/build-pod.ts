// Builds a pod from a revision's template. The template's spec is copied untouched, so fields that this operator does
// not know still reach the API server. The labels carry the hash alone: a revision's name would not fit into a label
// for owners with long names.

import type { Manifest } from '../runtime/object.ts';
import { controllerReference, type Owner } from '../runtime/owner.ts';
import type { Pod } from './pod.ts';
import type { LabelSelector } from './selector.ts';
import type { PodTemplate } from './template-schema.ts';

export const REVISION_HASH_LABEL = 'controller-revision-hash';
/** Known from ReplicaSets: spread constraints and dashboards select by it. */
export const TEMPLATE_HASH_LABEL = 'pod-template-hash';
/** The labels that the operator sets on a pod, whatever its template says about them. */
export const HASH_LABELS: readonly string[] = [REVISION_HASH_LABEL, TEMPLATE_HASH_LABEL];

/** What of a revision goes into its pods. */
export interface PodSource {
  /** Marks its pods in name and labels; absent for kinds that keep no revisions. */
  readonly hash?: string;
  readonly template: PodTemplate;
  /** The labels that the owner selects by. A pod without them would be created over and over. */
  readonly selector: LabelSelector;
}

/** The pod to create: the template, marked with its owner and revision. */
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
