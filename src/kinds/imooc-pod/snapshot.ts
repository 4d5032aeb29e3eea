// One key, the whole truth: an ImoocPod with the pods near it, sorted by what they are to it.

import { isPodName } from '../../workload/build-pod.ts';
import { type Claim, claim } from '../../workload/claim.ts';
import { isActive, isReady, isTerminal, type Pod } from '../../workload/pod.ts';
import { NO_REFUSALS, type Refusals } from '../../workload/refusals.ts';
import type { Labels } from '../../workload/selector.ts';
import { withDefaults } from './defaults.ts';
import type { ImoocPod } from './types.gen.ts';

export interface Snapshot {
  readonly object: ImoocPod;
  /** Those of its namespace that it owns, and orphans. Others' may be among them; they are ignored. */
  readonly pods: readonly Pod[];
  /** Claims to do without, because they were refused a moment ago. @default none */
  readonly refused?: Refusals;
}

export interface Observed {
  readonly object: ImoocPod;
  readonly generation: number;
  readonly now: number;
  /** How many pods there should be. */
  readonly replicas: number;
  readonly pods: Claim<Pod>;
  readonly active: readonly Pod[];
  readonly ready: number;
  /** Done or failed for good, and not being deleted. */
  readonly ended: readonly Pod[];
}

/** The labels that its pods have and others have not. */
export function labelsOf({ metadata: { name } }: Pick<ImoocPod, 'metadata'>): Labels {
  return { app: name };
}

/** True when the pod carries those labels. */
export function selects(object: Pick<ImoocPod, 'metadata'>, { metadata: { labels = {} } }: Pod): boolean {
  return Object.entries(labelsOf(object)).every(([key, value]) => labels[key] === value);
}

/**
 * Sorts out which pods are its own, and counts them. Anybody may label a pod `app=nap`, so an orphan has to have a name of
 * our making as well, as with a StatefulSet.
 */
export function observe({ object, pods, refused = NO_REFUSALS }: Snapshot, now: number): Observed {
  const claimed = claim(object, pods, {
    matches: (pod) => selects(object, pod),
    isMarked: ({ metadata }) => isPodName(metadata.name, object.metadata.name),
    alive: isActive,
    refused,
  });
  const active = claimed.owned.filter(isActive);
  return {
    object,
    generation: object.metadata.generation ?? 0,
    now,
    replicas: withDefaults(object.spec).replicas,
    pods: claimed,
    active,
    ready: active.filter(isReady).length,
    ended: claimed.owned.filter((pod) => isTerminal(pod) && pod.metadata.deletionTimestamp === undefined),
  };
}
