// Handing pods over between a ReplicaSet and a MyDeployment, which is how `kubectl md migrate` turns one workload into the
// other. An annotation names the ReplicaSet. As long as it is there, that ReplicaSet's pods count as if they were ours, so
// whichever of the two stops keeping the count, the other one keeps it; and we delete none, since some are not ours.

import { controllerOf } from '../../../runtime/object.ts';
import type { Claim } from '../../../workload/claim.ts';
import type { Pod } from '../../../workload/pod.ts';
import type { MyDeployment } from '../types.gen.ts';

const PREFIX = 'mydeployment.kubebuilder.zq.com';
/** The ReplicaSet whose pods come to us: each is adopted as soon as it lets go of it. */
export const TAKES_PODS_FROM = `${PREFIX}/takes-pods-from`;
/** The ReplicaSet that our pods go to: each is let go of, and not adopted again. */
export const GIVES_PODS_TO = `${PREFIX}/gives-pods-to`;

/** The ReplicaSet that pods come from or go to, if they do. */
export function handOverPartner({ metadata: { annotations = {} } }: MyDeployment): string | undefined {
  return annotations[GIVES_PODS_TO] ?? annotations[TAKES_PODS_FROM];
}

/** The claim as the hand-over has it, out of these pods of the namespace. */
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
