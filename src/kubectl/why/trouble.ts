// What is wrong with one pod, and how to say it of several at once.

import type { FullPod } from '../resources.ts';
import type { Cause } from './finding.ts';

export type ContainerStatus = NonNullable<NonNullable<FullPod['status']>['containerStatuses']>[number];

/** What is wrong with one pod. Pods with the same cause and detail are one finding. */
export interface Trouble {
  readonly cause: Cause;
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
