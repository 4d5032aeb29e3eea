// Which names the pods of a node have had: the next one gets another. Much in a cluster deletes pods by name alone, and
// what is late must not hit a successor.
//
// Guarantee: a name is spent only when its pod has been seen to go. One whose creation has not been seen is tried again,
// even by a second operator with a cache of its own, and then meets the first attempt instead of making a second pod.

import { targetNode } from '../../workload/node-affinity.ts';
import type { Pod } from '../../workload/pod.ts';
import { daemonPodName } from './daemon-pod.ts';

/** How many names are spent, by node. */
export type SpentNames = ReadonlyMap<string, number>;

/** Names in use by strangers are skipped, so the one that was had may be some way ahead. */
const LOOK_AHEAD = 16;

/** The names spent after this pod of the set has gone. */
export function spend(before: SpentNames, set: string, pod: Pod): SpentNames {
  const node = targetNode(pod);
  if (node === undefined) return before;
  const spent = before.get(node) ?? 0;
  const attempts = Array.from({ length: LOOK_AHEAD }, (_, ahead) => spent + ahead);
  const had = attempts.find((attempt) => daemonPodName(set, node, attempt) === pod.metadata.name);
  return had === undefined ? before : new Map(before).set(node, had + 1);
}
