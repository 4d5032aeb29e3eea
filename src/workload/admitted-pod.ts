// What admission made of a pod. Mutating webhooks and policies may change a pod on its way in, and most changes are none
// of our business. But without its owner reference or a label that its owner selects by, the owner would not know the pod
// again, would count it as missing and make another one, without end.

import { controllerOf, type Manifest } from '../runtime/object.ts';
import type { PodSource } from './build-pod.ts';
import { targetNode } from './node-affinity.ts';
import type { Pod } from './pod.ts';
import { formatSelector, selectsEverything, unmetPart } from './selector.ts';

/** What the pod lost that its owner knows it by, in words; undefined when it is as it was made. */
export function lostOnAdmission(made: Manifest<Pod>, pod: Pod, { selector }: PodSource): string | undefined {
  const owner = made.metadata.ownerReferences?.[0];
  if (controllerOf(pod)?.uid !== owner?.uid) return 'its owner reference';
  if (pod.metadata.name !== made.metadata.name) return `its name "${made.metadata.name}"`;
  const unmet = unmetPart(selector, pod.metadata.labels);
  if (!selectsEverything(unmet)) return `the labels ${formatSelector(unmet)}`;
  const node = targetNode(made);
  return node === undefined || targetNode(pod) === node ? undefined : `its affinity to node "${node}"`;
}

/** Why no pod may be made from this source; undefined when all is well. */
export function cannotMatch(made: Manifest<Pod>, { selector }: PodSource): string | undefined {
  const unmet = unmetPart(selector, made.metadata.labels);
  return selectsEverything(unmet) ? undefined : `no pod of this template can match ${formatSelector(unmet)}`;
}
