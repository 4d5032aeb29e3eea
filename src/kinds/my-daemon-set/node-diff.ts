// What has to change on one node, whatever the image: pods where none may be, pods that have ended, several pods, no
// pod.

import { isActive, isTerminal, type Pod } from '../../workload/pod.ts';
import type { DaemonState, NodeState } from './snapshot.ts';

export interface Removal {
  readonly pod: Pod;
  readonly because: string;
}

export interface NodeDiff {
  readonly removals: readonly Removal[];
  /** A pod that failed is among them. */
  readonly hasFailed: boolean;
  /** When a pod that failed too soon after the last one may be removed. */
  readonly waitUntil: number | undefined;
}

/** True when a pod is to be created: the node should have one, and no earlier pod is left. */
export function lacksPod({ eligibility, pods }: NodeState): boolean {
  return eligibility === 'run' && pods.length === 0;
}

/** The pods to delete from a node. */
export function nodeDiffOf(state: DaemonState, nodeState: NodeState): NodeDiff {
  const staying = nodeState.pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (nodeState.eligibility === 'leave') {
    const because = `node ${nodeState.node} does not take it`;
    return { removals: staying.map((pod) => ({ pod, because })), hasFailed: false, waitUntil: undefined };
  }
  const surplus = staying.filter((pod) => isActive(pod) && pod !== nodeState.current);
  const ended = staying.filter(isTerminal);
  const failed = ended.filter(({ status }) => status?.phase === 'Failed');
  const waitMs = state.waits.get(nodeState.node) ?? 0;
  const mayRemoveFailed = waitMs <= 0;
  return {
    removals: [
      ...surplus.map((pod) => ({ pod, because: `node ${nodeState.node} has another` })),
      ...ended
        .filter((pod) => mayRemoveFailed || !failed.includes(pod))
        .map((pod) => ({ pod, because: `it has ended: ${pod.status?.phase}` })),
    ],
    hasFailed: failed.length > 0 && mayRemoveFailed,
    waitUntil: failed.length > 0 && !mayRemoveFailed ? state.now + waitMs : undefined,
  };
}
