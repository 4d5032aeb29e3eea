// The names that the pods of a node have had, because the next pod gets another name. Many clients delete pods by name
// alone, and a late delete must not hit the successor.
//
// Guarantee: a name counts as used only when its pod has been seen to disappear. A name whose create has not been seen
// is tried again, even by a second operator with its own cache, and gets AlreadyExists if the first attempt succeeded.

import { targetNode } from '../../workload/node-affinity.ts';
import type { Pod } from '../../workload/pod.ts';
import { nodePodName } from '../../workload/pod-name.ts';

/** How many names are used, by node. */
export type UsedNames = ReadonlyMap<string, number>;

/** Names that other pods have are skipped, so the name of this pod may be some attempts ahead. */
const LOOK_AHEAD = 16;

/** The used names after this pod of the set has disappeared. */
export function withUsedName(before: UsedNames, set: string, pod: Pod): UsedNames {
  const node = targetNode(pod);
  if (node === undefined) return before;
  const used = before.get(node) ?? 0;
  const attempts = Array.from({ length: LOOK_AHEAD }, (_, ahead) => used + ahead);
  const attempt = attempts.find((each) => nodePodName(set, node, each) === pod.metadata.name);
  return attempt === undefined ? before : new Map(before).set(node, attempt + 1);
}
