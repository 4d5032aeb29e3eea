// Rolls out a new image node by node: which pods of an old image are deleted next. On a node without an available pod
// nothing is lost, so its old pod is deleted at once. Of the other nodes, as many are replaced as maxUnavailable
// allows.
//
//   10 nodes, maxUnavailable 3, all served by the old image: 3 go
//   a new pod is ready, 2 are not yet: 1 goes
//   the new image never works: 3 nodes are without and it stops there, until the image is changed again
//
// Nodes that should not have a pod do not count, so a node that is down for long does not block the update.

import type { Pod } from '../../workload/pod.ts';
import { unavailableLimit } from './defaults.ts';
import { type DaemonState, isServed, isUpdated, wantedNodes } from './snapshot.ts';

/** The pods to be replaced now. */
export function podsToReplace(state: DaemonState): readonly Pod[] {
  const outdated = state.nodeStates.filter(
    ({ current, eligibility }) => eligibility !== 'leave' && current !== undefined && !isUpdated(state, current),
  );
  const serving = outdated.filter(isServed);
  const idle = outdated.filter((nodeState) => !isServed(nodeState));
  return [...idle, ...serving.slice(0, budget(state))].map(({ current }) => current as Pod);
}

function budget(state: DaemonState): number {
  const wanted = wantedNodes(state);
  const without = wanted.filter((nodeState) => !isServed(nodeState)).length;
  return Math.max(0, unavailableLimit(state.spec, wanted.length) - without);
}
