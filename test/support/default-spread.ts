// The one thing in which a pod of a MyDeployment differs from a native one on purpose: the constraints that the scheduler
// assumes for pods of a ReplicaSet are written into it. Spelled out here once more, and not taken from the operator.

import { isDeepStrictEqual } from 'node:util';
import type { V1Pod } from '@kubernetes/client-node';
import type { KubeObject, Raw } from '../../src/runtime/object.ts';
import type { LabelSelector } from '../../src/workload/selector.ts';

type FullPod = KubeObject & Omit<Raw<V1Pod>, 'metadata'>;

/**
 * A pod of ours without the default constraints, which on nodes without zones are one, over nodes. Anything else in their
 * place stays, and shows as a difference.
 */
export function withoutDefaultSpread(pod: FullPod, selector: LabelSelector = {}): FullPod {
  const hash = pod.metadata.labels?.['pod-template-hash'];
  const ofRevision = { key: 'pod-template-hash', operator: 'In', values: [hash] };
  const overNodes = {
    topologyKey: 'kubernetes.io/hostname',
    maxSkew: 3,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ofRevision] },
  };
  const { topologySpreadConstraints, ...spec } = pod.spec ?? { containers: [] };
  return isDeepStrictEqual(topologySpreadConstraints, [overNodes]) ? { ...pod, spec } : pod;
}
