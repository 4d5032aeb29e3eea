// Whether a terminating pod takes up room. Natively it does not: its successor is created as soon as its deletion has begun, so
// for a while more pods run than replicas + maxSurge. Under podReplacementPolicy: TerminationComplete every pod that has not ended
// counts, and nothing is created beyond the maximum: in rollouts, steps and rollbacks, when scaling, and for lost pods. Deletions
// do not wait, because they only free room.
//
//   3 replicas, surge 1: at most 4 pods                          old  terminating  new  total
//   room for one                                                  3        0        1     4
//   it is available, so an old one leaves, and has to end first   2        1        1     4
//   it has ended                                                  2        0        2     4

import { isTerminating } from '../../../workload/pod.ts';
import type { Rollout } from './snapshot.ts';

/** How many terminating pods count towards the maximum. */
export function terminatingThatCount({ spec, course, revisions }: Rollout): number {
  const { podReplacementPolicy: native } = spec as NativeSpec;
  // Once a Deployment's spec has the field, it wins.
  if ((native ?? course.policy?.spec.pods?.podReplacementPolicy) !== 'TerminationComplete') return 0;
  return revisions.reduce((sum, { living }) => sum + living.filter(isTerminating).length, 0);
}

/** What a Deployment's spec gets with KEP-5882. */
interface NativeSpec {
  readonly podReplacementPolicy?: string;
}
