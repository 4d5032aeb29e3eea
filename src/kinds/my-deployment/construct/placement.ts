// What the template says about where pods run: over what they are spread, where a user decides that, and that the cluster
// autoscaler may move them, which it does with pods of a Deployment unasked.

import type * as kplus from 'cdk8s-plus-27';
import type { TopologySpread } from './props.ts';

const SAFE_TO_EVICT = 'cluster-autoscaler.kubernetes.io/safe-to-evict';

/** The constraints that spread the pods of each revision on its own, as a ReplicaSet's are. */
export function spreadConstraints(
  labelSelector: kplus.k8s.LabelSelector,
  spread: readonly TopologySpread[],
): kplus.k8s.TopologySpreadConstraint[] {
  return spread.map(({ topology, maxSkew = 1, whenUnsatisfiable = 'ScheduleAnyway' }) => ({
    topologyKey: topology.key,
    maxSkew,
    whenUnsatisfiable,
    labelSelector,
    matchLabelKeys: ['pod-template-hash'],
  }));
}

/** The annotation by which the autoscaler treats the pods as it treats those of a Deployment, or as it is told. */
export function evictionAnnotations(spec: kplus.k8s.PodSpec, safeToEvict?: boolean): Record<string, string> {
  if (safeToEvict === undefined && spec.volumes?.some(isLocal)) return {};
  return { [SAFE_TO_EVICT]: String(safeToEvict ?? true) };
}

/** Whether moving a pod loses what is in this volume. */
function isLocal({ hostPath, emptyDir }: kplus.k8s.Volume): boolean {
  return hostPath !== undefined || (emptyDir !== undefined && emptyDir.medium !== 'Memory');
}
