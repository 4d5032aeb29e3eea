// A new image, node by node: which pods of an old image go next. A node that is not served loses nothing, so its old pod
// goes at once. Of the nodes that are served, only so many may be given up that no more than maxUnavailable are without.
//
//   10 nodes, maxUnavailable 3, all served by the old image: 3 go
//   a new pod is ready, 2 are not yet: 1 goes
//   the new image never works: 3 nodes are without and it stops there, until the image is changed again
//
// Nodes that should not have a pod do not count: one that is down for long holds up nothing.

import type { Pod } from '../../workload/pod.ts';
import { unavailableLimit } from './defaults.ts';
import { type Fleet, isServed, isUpdated, wantedPosts } from './snapshot.ts';

/** The pods to be replaced now. */
export function podsToReplace(fleet: Fleet): readonly Pod[] {
  const outdated = fleet.posts.filter(
    ({ current, eligibility }) => eligibility !== 'leave' && current !== undefined && !isUpdated(fleet, current),
  );
  const serving = outdated.filter(isServed);
  const idle = outdated.filter((post) => !isServed(post));
  return [...idle, ...serving.slice(0, budget(fleet))].map(({ current }) => current as Pod);
}

function budget(fleet: Fleet): number {
  const wanted = wantedPosts(fleet);
  const without = wanted.filter((post) => !isServed(post)).length;
  return Math.max(0, unavailableLimit(fleet.spec, wanted.length) - without);
}
