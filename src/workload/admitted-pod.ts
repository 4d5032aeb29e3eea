// What admission made of a pod. Mutating webhooks and policies may change a pod, and most changes do not matter here.
// But an owner does not recognize a pod that lost its owner reference or a label that the owner selects by: the owner
// would count it as missing and create another one, without end.

import { controllerOf, type Manifest } from '../runtime/object.ts';
import type { PodSource } from './build-pod.ts';
import { targetNode } from './node-affinity.ts';
import type { Pod } from './pod.ts';
import { formatSelector, selectsEverything, unmetPart } from './selector.ts';

/** What the pod lost that its owner recognizes it by, as text; undefined when it lost nothing. */
export function lostOnAdmission(made: Manifest<Pod>, pod: Pod, { selector }: PodSource): string | undefined {
  const owner = made.metadata.ownerReferences?.[0];
  if (controllerOf(pod)?.uid !== owner?.uid) return 'its owner reference';
  if (pod.metadata.name !== made.metadata.name) return `its name "${made.metadata.name}"`;
  const unmet = unmetPart(selector, pod.metadata.labels);
  if (!selectsEverything(unmet)) return `the labels ${formatSelector(unmet)}`;
  const node = targetNode(made);
  return node === undefined || targetNode(pod) === node ? undefined : `its affinity to node "${node}"`;
}

/** Why no pod may be created from this source; undefined when it is sound. */
export function cannotMatch(made: Manifest<Pod>, { selector }: PodSource): string | undefined {
  const unmet = unmetPart(selector, made.metadata.labels);
  return selectsEverything(unmet) ? undefined : `no pod of this template can match ${formatSelector(unmet)}`;
}
