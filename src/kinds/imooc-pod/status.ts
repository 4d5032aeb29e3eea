// The status as it should read: counted anew each time, so that a wrong one heals by itself. Conditions start from the
// stored ones, to keep the time of their last transition.

import { type Condition, type Finding, setCondition } from '../../runtime/conditions.ts';
import { formatSelector } from '../../workload/selector.ts';
import { MAX_LISTED_NAMES } from './defaults.ts';
import { labelsOf, type Observed } from './snapshot.ts';
import type { ImoocPodStatus } from './types.gen.ts';

/** What there is to say about an ImoocPod and its pods. */
export function observedStatus(observed: Observed): ImoocPodStatus {
  const { object, active, ready, generation } = observed;
  const names = active.map(({ metadata }) => metadata.name).sort();
  return {
    observedGeneration: generation,
    replicas: active.length,
    readyReplicas: ready,
    podNames: names.slice(0, MAX_LISTED_NAMES),
    selector: formatSelector({ matchLabels: labelsOf(object) }),
    conditions: noteReadiness(observed),
  };
}

function noteReadiness({ object, active, ready, replicas, pods, generation, now }: Observed): readonly Condition[] {
  const isReady = active.length === replicas && ready === replicas;
  const readiness = {
    status: isReady ? 'True' : 'False',
    reason: isReady ? 'AllPodsReady' : 'PodsNotReady',
    message: `${ready} of ${replicas} pods are ready`,
  } as const;
  const farewell = { status: 'False', reason: 'Deleting', message: `${pods.owned.length} pods are left` } as const;
  const finding: Finding = {
    type: 'Ready',
    ...(object.metadata.deletionTimestamp === undefined ? readiness : farewell),
    observedGeneration: generation,
  };
  return setCondition(object.status?.conditions, finding, now);
}
