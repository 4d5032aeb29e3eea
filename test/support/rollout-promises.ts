// What a rollout promises, judged from nothing but what the API server recorded: every change of every pod and of its
// MyDeployment, in the order of resourceVersions (one etcd numbers them all, so the order is the true one). Shares no
// code with the operator: its own arithmetic, its own idea of an available pod.
//
// Promises: a pod is never created above replicas + maxSurge; an available pod is never taken away so that fewer than
// replicas - maxUnavailable are left; under Recreate no pod starts while one of another template has not ended. A spec
// is in force from the moment it is stored, the one before until the status says that a newer one was observed.

import type { MyDeployment } from '../../src/kinds/my-deployment/types.gen.ts';
import { controllerOf } from '../../src/runtime/object.ts';
import type { Pod } from '../../src/workload/pod.ts';

export type Recorded =
  | { readonly kind: 'Pod'; readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: Pod }
  | { readonly kind: 'MyDeployment'; readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: MyDeployment };

/** The bounds that one spec sets. */
export interface Bounds {
  readonly ceiling: number;
  readonly floor: number;
  readonly recreate: boolean;
}

/** Every broken promise, each with the events that led to it; none means that all were kept. */
export function brokenPromises(history: readonly Recorded[], disturbed: ReadonlySet<string>): string[] {
  const owners = new Map<string, Owner>();
  return history.toSorted(byVersion).flatMap((event) => {
    if (event.kind === 'MyDeployment') {
      const { uid } = event.object.metadata;
      const owner = owners.get(uid) ?? new Owner(disturbed);
      owners.set(uid, owner);
      owner.changed(event.type, event.object);
      return [];
    }
    // A pod that changes hands is an event for both.
    return [...owners].flatMap(([uid, owner]) => owner.podChanged(event.type, event.object, uid));
  });
}

class Owner {
  readonly #disturbed: ReadonlySet<string>;
  readonly #specs = new Map<number, Bounds & { readonly minReadySeconds: number }>();
  readonly #pods = new Map<string, Pod>();
  readonly #lines: string[] = [];
  /** Disturbed pods that were available and are not any more. */
  readonly #lost = new Set<string>();
  #observed = 0;
  #deleted = false;

  /** `disturbed`: names of pods that the test itself deletes or harms; their loss is not the operator's doing. */
  constructor(disturbed: ReadonlySet<string>) {
    this.#disturbed = disturbed;
  }

  changed(type: Recorded['type'], { metadata, spec, status }: MyDeployment): void {
    const { generation = 0 } = metadata;
    this.#observed = Math.max(this.#observed, status?.observedGeneration ?? 0);
    this.#specs.set(generation, { ...boundsOf(spec), minReadySeconds: spec.minReadySeconds ?? 0 });
    for (const old of this.#specs.keys()) if (old < this.#observed && old < generation) this.#specs.delete(old);
    this.#deleted ||= type === 'DELETED' || metadata.deletionTimestamp !== undefined;
    const counts = [status?.replicas, status?.updatedReplicas, status?.availableReplicas].map((count) => count ?? 0);
    this.#note(metadata.resourceVersion, `MyDeployment ${type}, generation ${generation}, status ${counts.join('/')}`);
  }

  podChanged(type: Recorded['type'], pod: Pod, ownerUid: string): string[] {
    const { uid, name, resourceVersion } = pod.metadata;
    const before = this.#pods.get(uid);
    const isOurs = controllerOf(pod)?.uid === ownerUid;
    if (before === undefined && !isOurs) return [];
    if (type === 'DELETED' || !isOurs) this.#pods.delete(uid);
    else this.#pods.set(uid, pod);
    const now = deletionTime(pod);
    this.#note(resourceVersion, `pod ${name} ${type}${pod.metadata.deletionTimestamp ? ', terminating' : ''}`);
    if (this.#deleted) return [];
    const wasAvailable = before !== undefined && this.#isAvailable(before, now);
    const isGone = !this.#pods.has(uid) || pod.metadata.deletionTimestamp !== undefined;
    if (this.#disturbed.has(name)) this.#noteDisturbed(name, wasAvailable, !isGone && this.#isAvailable(pod, now));
    else if (wasAvailable && isGone) return this.#judgeLoss(name, now);
    return type === 'ADDED' && isActive(pod) ? this.#judgeCreation(pod) : [];
  }

  #noteDisturbed(name: string, wasAvailable: boolean, isAvailable: boolean): void {
    if (isAvailable) this.#lost.delete(name);
    else if (wasAvailable) this.#lost.add(name);
  }

  #judgeCreation(pod: Pod): string[] {
    const inForce = [...this.#specs.values()];
    const ceiling = Math.max(...inForce.map((bounds) => bounds.ceiling));
    const active = [...this.#pods.values()].filter(isActive).length;
    const hash = hashOf(pod);
    const others = [...this.#pods.values()].filter((other) => hashOf(other) !== hash && !hasEnded(other));
    return [
      ...(active > ceiling ? [this.#broken(`${active} pods where ${ceiling} are allowed`)] : []),
      ...(others.length > 0 && inForce.every(({ recreate }) => recreate)
        ? [this.#broken(`Recreate made a pod while ${others.length} of another template had not ended`)]
        : []),
    ];
  }

  #judgeLoss(name: string, now: number): string[] {
    const floor = Math.min(...[...this.#specs.values()].map((bounds) => bounds.floor));
    const left = [...this.#pods.values()].filter((pod) => this.#isAvailable(pod, now)).length;
    if (left >= floor - this.#lost.size) return [];
    return [this.#broken(`${name} was taken away, ${left} are left where ${floor} have to be available`)];
  }

  #isAvailable(pod: Pod, now: number): boolean {
    const ready = pod.status?.conditions?.find(({ type, status }) => type === 'Ready' && status === 'True');
    if (!isActive(pod) || ready === undefined) return false;
    const minReadySeconds = Math.min(...[...this.#specs.values()].map((spec) => spec.minReadySeconds));
    return minReadySeconds === 0 || Date.parse(ready.lastTransitionTime ?? '') + minReadySeconds * 1000 <= now;
  }

  #note(resourceVersion: string, what: string): void {
    const pods = [...this.#pods.values()];
    const available = pods.filter((pod) => this.#isAvailable(pod, Number.POSITIVE_INFINITY)).length;
    this.#lines.push(`  ${resourceVersion}: ${what}; ${pods.filter(isActive).length} active, ${available} ready`);
  }

  #broken(what: string): string {
    return [what, ...this.#lines.slice(-25)].join('\n');
  }
}

/** The bounds of a spec, by the rules of apps/v1: surge rounds up, unavailability down, and one of them is not zero. */
export function boundsOf({ replicas = 1, strategy }: MyDeployment['spec']): Bounds {
  if (strategy?.type === 'Recreate') return { ceiling: replicas, floor: 0, recreate: true };
  const { maxSurge = '25%', maxUnavailable = '25%' } = strategy?.rollingUpdate ?? {};
  const surge = Math.ceil(share(maxSurge, replicas));
  const unavailable = Math.floor(share(maxUnavailable, replicas));
  return {
    ceiling: replicas === 0 ? 0 : replicas + surge,
    floor: Math.max(0, replicas - (surge === 0 && unavailable === 0 ? 1 : unavailable)),
    recreate: false,
  };
}

function share(value: number | string, whole: number): number {
  return typeof value === 'number' ? value : (Number.parseInt(value, 10) * whole) / 100;
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function isActive(pod: Pod | undefined): boolean {
  return pod !== undefined && !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined;
}

function hashOf({ metadata }: Pod): string | undefined {
  return metadata.labels?.['pod-template-hash'];
}

/** When somebody asked for the deletion; a pod that is not being deleted is judged as if time did not matter. */
function deletionTime({ metadata: { deletionTimestamp, deletionGracePeriodSeconds = 0 } }: Pod): number {
  return deletionTimestamp === undefined
    ? Number.POSITIVE_INFINITY
    : Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
}

function byVersion(one: Recorded, other: Recorded): number {
  return Number(one.object.metadata.resourceVersion) - Number(other.object.metadata.resourceVersion);
}
