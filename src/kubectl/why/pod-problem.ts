// A problem of one pod, with a sentence that can name several pods.

import type { Pod as FullPod } from '../../runtime/built-in.ts';
import type { CauseName } from './cause.ts';

export type ContainerStatus = NonNullable<NonNullable<FullPod['status']>['containerStatuses']>[number];

/** What is wrong with one pod. Pods with the same cause and detail are reported together. */
export interface PodProblem {
  readonly name: CauseName;
  readonly detail: string;
  readonly say: (pods: readonly FullPod[]) => string;
  /** Reasons of events that say more. */
  readonly events: readonly string[];
  readonly evidence: string;
  readonly advice?: string;
}

export function conditionOf({ status }: FullPod, type: string) {
  return status?.conditions?.find((condition) => condition.type === type);
}
