// What a pod's status says: whether it is active, ready, available or terminating. The type names every field that
// planning reads, so it is also the list of fields that the cache keeps of a pod.

import type { KubeObject } from '../runtime/object.ts';
import { IN_PLACE } from './in-place/names.ts';
import { hasInPlaceGate } from './in-place/record.ts';
import type { Resources } from './in-place/resources.ts';

export interface Pod extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly affinity?: PodAffinity;
    readonly initContainers?: readonly { readonly name: string; readonly restartPolicy?: string }[];
    /** These and the containers are kept of pods that can be changed in place. */
    readonly readinessGates?: readonly { readonly conditionType: string }[];
    readonly containers?: readonly { readonly name: string; readonly image?: string; readonly resources?: Resources }[];
  };
  readonly status?: {
    /** The last generation of the pod that its kubelet has seen. */
    readonly observedGeneration?: number;
    readonly phase?: string;
    /** Why the kubelet refused or evicted the pod. */
    readonly reason?: string;
    readonly conditions?: readonly PodCondition[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly (ContainerStatus & { readonly name: string })[];
  };
}

/** Its states are kept of containers that fail. */
export interface ContainerStatus {
  readonly name?: string;
  readonly containerID?: string;
  readonly restartCount?: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

interface ContainerState {
  readonly running?: { readonly startedAt?: string };
  readonly waiting?: { readonly reason?: string };
  readonly terminated?: { readonly exitCode?: number; readonly reason?: string; readonly message?: string };
}

/** Of a pod's affinity, what ties it to a node by name. */
export interface PodAffinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: {
      readonly nodeSelectorTerms: readonly { readonly matchFields?: readonly FieldRequirement[] }[];
    };
  };
}

interface FieldRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly lastTransitionTime?: string;
}

/** True when its containers have ended for good: a failed or evicted pod is not counted, and is replaced. */
export function isTerminal(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/** True when the pod counts towards its owner's replicas. */
export function isActive(pod: Pod): boolean {
  return !isTerminal(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** True while the pod is terminating: no longer counted, but its containers may still run. */
export function isTerminating(pod: Pod): boolean {
  return !isTerminal(pod) && pod.metadata.deletionTimestamp !== undefined;
}

/** True while the pod is being changed in place: it is not ready then, whatever its status says. */
export function isBeingChanged({ metadata }: Pod): boolean {
  return metadata.annotations?.[IN_PLACE] !== undefined;
}

export function isReady(pod: Pod): boolean {
  return readyCondition(pod) !== undefined;
}

/**
 * When the pod last became ready, in milliseconds; undefined when it is not ready or its condition has no time. Where containers
 * are changed in place the last start counts: it may be so fast that the kubelet never says that the pod is not ready.
 */
export function readySince(pod: Pod): number | undefined {
  const ready = readyCondition(pod);
  const since = timeOf(ready?.lastTransitionTime);
  return since === undefined || !hasInPlaceGate(pod) ? since : Math.max(since, ...startsOf(pod));
}

function startsOf({ status }: Pod): number[] {
  const started = (status?.containerStatuses ?? []).map(({ state }) => timeOf(state?.running?.startedAt));
  return started.filter((at) => at !== undefined);
}

/**
 * When the pod counts as available, possibly in the future: after it has been ready for `minReadySeconds`. Undefined
 * when it is not ready. With 0 seconds, a ready pod is available at once, even when its node's clock is ahead of the
 * operator's.
 */
export function availableAt(pod: Pod, minReadySeconds: number): number | undefined {
  const since = readySince(pod);
  if (minReadySeconds > 0) return since === undefined ? undefined : since + minReadySeconds * 1000;
  return isReady(pod) ? (since ?? 0) : undefined;
}

export function isAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  if (minReadySeconds <= 0) return isReady(pod);
  const at = availableAt(pod, minReadySeconds);
  return at !== undefined && at <= now;
}

/** The next time at which one of these pods becomes available without another event. */
export function nextAvailability(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  if (minReadySeconds <= 0) return undefined;
  const waiting = pods.map((pod) => availableAt(pod, minReadySeconds) ?? now).filter((at) => at > now);
  return earliest(waiting);
}

/** The first of these times; undefined entries are left out. */
export function earliest(moments: Iterable<number | undefined>): number | undefined {
  let first: number | undefined;
  for (const moment of moments) if (moment !== undefined && (first === undefined || moment < first)) first = moment;
  return first;
}

/** Milliseconds since the epoch of an API timestamp. */
export function timeOf(timestamp: string | undefined): number | undefined {
  return timestamp ? Date.parse(timestamp) : undefined;
}

/** A loop instead of `find`: it runs for every pod in every plan, where it was a tenth of a plan's cost. */
function readyCondition(pod: Pod): PodCondition | undefined {
  if (isBeingChanged(pod)) return undefined;
  for (const condition of pod.status?.conditions ?? [])
    if (condition.type === 'Ready' && condition.status === 'True') return condition;
  return undefined;
}
