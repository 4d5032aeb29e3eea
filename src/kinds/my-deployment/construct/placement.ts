// Where the pods of a MyDeployment run: the spread constraints of the props, and the annotation that lets the cluster
// autoscaler move the pods, which it does with pods of a Deployment by default.

import type * as kplus from 'cdk8s-plus-27';
import type { TopologySpread } from './props.ts';

const SAFE_TO_EVICT = 'cluster-autoscaler.kubernetes.io/safe-to-evict';

/** Constraints that spread the pods of each revision separately, as those of a ReplicaSet are. */
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

/** The annotation that tells the autoscaler whether it may evict the pods; by default as for a Deployment. */
export function evictionAnnotations(spec: kplus.k8s.PodSpec, safeToEvict?: boolean): Record<string, string> {
  if (safeToEvict === undefined && spec.volumes?.some(isLocal)) return {};
  return { [SAFE_TO_EVICT]: String(safeToEvict ?? true) };
}

/** Whether evicting a pod loses the data in this volume. */
function isLocal({ hostPath, emptyDir }: kplus.k8s.Volume): boolean {
  return hostPath !== undefined || (emptyDir !== undefined && emptyDir.medium !== 'Memory');
}
