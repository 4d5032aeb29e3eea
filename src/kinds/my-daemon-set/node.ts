// Which changes of a node matter to MyDaemonSets: that it comes or goes, and its taints.

import type { Change } from '../../runtime/cache/informer.ts';
import type { Node } from '../../workload/node.ts';

/** True unless a node's update left its taints as they were. */
export function nodeMatters(change: Change<Node>): boolean {
  return change.type !== 'updated' || taintsOf(change.old) !== taintsOf(change.object);
}

function taintsOf({ spec }: Node): string {
  return JSON.stringify(spec?.taints ?? []);
}
