// Hands pods over between a ReplicaSet and a MyDeployment, for `kubectl md migrate`. An annotation names the
// ReplicaSet. While it is set, the pods of that ReplicaSet count as the MyDeployment's, so that whichever of the two
// owners stops maintaining the count, the other maintains it. The operator deletes none of them meanwhile, since the
// ReplicaSet owns some.

import { controllerOf } from '../../../runtime/object.ts';
import type { Claim } from '../../../workload/claim.ts';
import type { Pod } from '../../../workload/pod.ts';
import { ANNOTATIONS } from '../names.ts';
import type { MyDeployment } from '../types.gen.ts';

/** The ReplicaSet whose pods the MyDeployment receives: it adopts each pod that the ReplicaSet releases. */
export const TAKES_PODS_FROM = `${ANNOTATIONS}/takes-pods-from`;
/** The ReplicaSet that receives the pods: the MyDeployment releases each pod and does not adopt it again. */
export const GIVES_PODS_TO = `${ANNOTATIONS}/gives-pods-to`;

/** The ReplicaSet of a hand-over; undefined when there is none. */
export function handOverPartner({ metadata: { annotations = {} } }: MyDeployment): string | undefined {
  return annotations[GIVES_PODS_TO] ?? annotations[TAKES_PODS_FROM];
}

/** The claim during a hand-over, for these pods of the namespace. */
export function shareClaim(object: MyDeployment, claimed: Claim<Pod>, pods: readonly Pod[]): Claim<Pod> {
  const partner = handOverPartner(object);
  if (partner === undefined || object.metadata.deletionTimestamp !== undefined) return claimed;
  const theirs = pods.filter((pod) => {
    const owner = controllerOf(pod);
    return owner?.kind === 'ReplicaSet' && owner.name === partner;
  });
  const { owned, adopt, release } = claimed;
  return object.metadata.annotations?.[GIVES_PODS_TO] === undefined
    ? { owned: [...owned, ...theirs], adopt, release }
    : { owned: [...owned, ...adopt, ...theirs], adopt: [], release: [...release, ...owned] };
}
