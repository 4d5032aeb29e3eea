// Which nodes run the pod: all nodes whose taints it tolerates. It has the tolerations of native DaemonSets' pods: it
// stays on nodes that are not ready or unreachable, and is scheduled to nodes that are cordoned or under pressure.

import type { Node, Taint } from '../../workload/node.ts';

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';
const CORDONED = 'node.kubernetes.io/unschedulable';
const SHORTAGES = ['disk', 'memory', 'pid'].map((what) => `node.kubernetes.io/${what}-pressure`);

export const tolerations = [
  ...[NOT_READY, UNREACHABLE].map((key) => ({ key, operator: 'Exists', effect: 'NoExecute' })),
  ...[...SHORTAGES, CORDONED].map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' })),
];

/**
 * - `run`: the node should have a pod
 * - `keep`: it should not get one, but one that is there stays, as with any taint that only forbids scheduling
 * - `leave`: it must not have one
 */
export type Eligibility = 'run' | 'keep' | 'leave';

/** What a node's taints mean for the pod. */
export function eligibilityOf({ spec }: Node): Eligibility {
  const objections = (spec?.taints ?? []).filter((taint) => !isTolerated(taint)).map(({ effect }) => effect);
  if (objections.includes('NoExecute')) return 'leave';
  return objections.includes('NoSchedule') ? 'keep' : 'run';
}

function isTolerated({ key, effect }: Taint): boolean {
  return tolerations.some((toleration) => toleration.key === key && toleration.effect === effect);
}
