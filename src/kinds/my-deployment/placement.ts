// What Kubernetes does for pods of a Deployment without being asked, and does not for pods of a custom kind: spreads them
// over nodes and zones, and lets the cluster autoscaler move them.

import * as kplus from 'cdk8s-plus-27';
import type { TopologySpread } from './construct-props.ts';

/** As evenly as the scheduler spreads pods of a Deployment. */
const OVER_NODES: readonly TopologySpread[] = [{ topology: kplus.Topology.HOSTNAME, maxSkew: 3 }];

const SAFE_TO_EVICT = 'cluster-autoscaler.kubernetes.io/safe-to-evict';

/** The constraints that spread the pods of each revision on its own, as a ReplicaSet's are. */
export function spreadConstraints(
  labelSelector: kplus.k8s.LabelSelector,
  spread: readonly TopologySpread[] = OVER_NODES,
): kplus.k8s.TopologySpreadConstraint[] {
  return spread.map(({ topology, maxSkew = 1, whenUnsatisfiable = 'ScheduleAnyway' }) => ({
    topologyKey: topology.key,
    maxSkew,
    whenUnsatisfiable,
    labelSelector,
    matchLabelKeys: ['pod-template-hash'],
  }));
}

/**
 * Prefers zones with fewer of the pods. Not a second constraint: where nodes have no zone label, the scheduler would then
 * heed neither, for it passes over nodes that lack the key of any constraint a pod has.
 */
export function preferOtherZones(scheduling: kplus.WorkloadScheduling): void {
  scheduling.spread({ topology: kplus.Topology.ZONE, weight: 1 });
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
