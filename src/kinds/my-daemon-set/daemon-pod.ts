// The pod of a node: its template, and the hash of what distinguishes old pods from new ones. The scheduler binds the pod
// to its node, by affinity.

import { revisionHash } from '../../workload/hash.ts';
import { affinityTo } from '../../workload/node-affinity.ts';
import type { PodTemplate } from '../../workload/template-schema.ts';
import { tolerations } from './eligibility.ts';
import { NAME_LABEL } from './names.ts';

/** Pods with this hash run the image. Nothing else enters it: a new version of the operator must not replace every pod. */
export function imageHash(image: string): string {
  return revisionHash(image);
}

/** What runs on this node. */
export function daemonPodTemplate(set: string, image: string, node: string): PodTemplate {
  return {
    metadata: { labels: { [NAME_LABEL]: set } },
    spec: { containers: [{ name: 'app', image }], affinity: affinityTo(node), tolerations },
  };
}
