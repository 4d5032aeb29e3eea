// Pods and their owner, small enough to run thousands of times a second: carries actions out with the API server's own
// manners (names are unique, uids and versions are checked) and lets a test be kubelet, scheduler, garbage collector and
// user. It has no clock and no randomness of its own: what happens, and in which order, is up to the test.

import { SharedParts } from '../../src/runtime/cache/shared-parts.ts';
import { deepFreeze } from '../../src/runtime/cache/transform.ts';
import { timestamp } from '../../src/runtime/conditions.ts';
import type { ObjectMeta } from '../../src/runtime/object.ts';
import { controllerReference, type Owner } from '../../src/runtime/owner.ts';
import type { Action } from '../../src/workload/action.ts';
import { buildPod, type PodSource } from '../../src/workload/build-pod.ts';
import { targetNode } from '../../src/workload/node-affinity.ts';
import { isActive, isReady, type Pod } from '../../src/workload/pod.ts';
import { trimPod } from '../../src/workload/pod-cache.ts';
import { podName } from '../../src/workload/pod-name.ts';

export class PodWorld {
  readonly pods = new Map<string, Pod>();
  readonly owner: Owner;
  now: number;
  #serial = 0;
  readonly #shared = new SharedParts();

  constructor(owner: Owner, now = Date.UTC(2026, 0, 1)) {
    this.owner = owner;
    this.now = now;
  }

  /** What a cache would show: frozen, so that a plan that changes its input is found out. */
  snapshot(): readonly Pod[] {
    return Object.freeze([...this.pods.values()]);
  }

  /** Executes one action, or quietly fails to where the API server would refuse it because the object has changed. */
  apply(action: Action): void {
    switch (action.do) {
      case 'createPods':
        for (let made = 0; made < action.count; made++) this.#create(this.#freeName(action.source), action.source);
        return;
      case 'createNamedPods':
        for (const { name, source } of action.pods) if (!this.pods.has(name)) this.#create(name, source);
        return;
      case 'deletePod':
        this.#on(action, (pod) => this.terminate(pod));
        return;
      case 'adoptPod':
        this.#on(action, (pod) => this.patch(pod, { ownerReferences: [controllerReference(this.owner)] }));
        return;
      case 'releasePod':
        this.#on(action, (pod) => this.patch(pod, { ownerReferences: [] }));
        return;
      default:
        throw new Error(`these kinds keep no history: ${action.do}`);
    }
  }

  get owned(): Pod[] {
    return [...this.pods.values()].filter(({ metadata }) =>
      metadata.ownerReferences?.some(({ uid }) => uid === this.owner.metadata.uid),
    );
  }

  get active(): Pod[] {
    return this.owned.filter(isActive);
  }

  /** Pods that are being deleted, those that have ended included. */
  get leaving(): Pod[] {
    return [...this.pods.values()].filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  }

  /** A pod that the owner did not make. */
  add(metadata: Partial<ObjectMeta> & { readonly name: string }, spec: Pod['spec'] = {}): void {
    if (!this.pods.has(metadata.name)) this.#store({ metadata: { ...this.#metadata(), ...metadata }, spec });
  }

  /** The scheduler puts the pod where it may go. */
  bind(pod: Pod, nodeName = targetNode(pod) ?? 'anywhere'): void {
    this.#store({ ...pod, spec: { ...pod.spec, nodeName } });
  }

  setStatus({ metadata: { name } }: Pod, phase: string, ready: 'True' | 'False'): void {
    const pod = this.pods.get(name) as Pod;
    const conditions = [{ type: 'Ready', status: ready, lastTransitionTime: timestamp(this.now) }];
    this.#store({ ...pod, status: { phase, conditions } });
  }

  terminate(pod: Pod): void {
    if (pod.metadata.deletionTimestamp === undefined) this.patch(pod, { deletionTimestamp: timestamp(this.now) });
  }

  remove({ metadata: { name } }: Pod): void {
    this.pods.delete(name);
  }

  patch({ metadata: { name } }: Pod, metadata: Partial<ObjectMeta>): void {
    const pod = this.pods.get(name) as Pod;
    this.#store({ ...pod, metadata: { ...pod.metadata, ...metadata } });
  }

  /** Scheduler, kubelet and their like do everything that they can do. False when there was nothing to do. */
  progress(): boolean {
    const leaving = this.leaving;
    const starting = this.active.filter((pod) => !isReady(pod));
    for (const pod of leaving) this.remove(pod);
    for (const pod of starting) {
      this.bind(pod);
      this.setStatus(pod, 'Running', 'True');
    }
    return leaving.length + starting.length > 0;
  }

  #on(
    { name, uid, resourceVersion }: { name: string; uid: string; resourceVersion?: string },
    effect: (pod: Pod) => void,
  ): void {
    const pod = this.pods.get(name);
    if (pod?.metadata.uid !== uid) return;
    if (resourceVersion === undefined || resourceVersion === pod.metadata.resourceVersion) effect(pod);
  }

  #create(name: string, source: PodSource): void {
    const { metadata, ...rest } = buildPod(this.owner, source, name);
    const pod = { ...rest, metadata: { ...this.#metadata(), ...metadata, name } } as Pod;
    this.#store(trimPod(pod, this.#shared.share));
  }

  #freeName({ hash }: PodSource): string {
    return podName(this.owner.metadata.name, hash, String(this.#serial).padStart(5, '0'));
  }

  #store(pod: Pod): void {
    const resourceVersion = String(++this.#serial);
    this.pods.set(pod.metadata.name, deepFreeze({ ...pod, metadata: { ...pod.metadata, resourceVersion } }));
  }

  #metadata(): Pick<ObjectMeta, 'uid' | 'resourceVersion' | 'namespace' | 'creationTimestamp'> {
    const namespace = this.owner.metadata.namespace as string;
    this.#serial += 1;
    return { uid: `uid-${this.#serial}`, resourceVersion: '0', namespace, creationTimestamp: timestamp(this.now) };
  }
}

/** An action as the single writes it is made of. */
export function oneByOne(action: Action): Action[] {
  switch (action.do) {
    case 'createPods':
      return Array.from({ length: action.count }, () => ({ ...action, count: 1 }));
    case 'createNamedPods':
      return action.pods.map((pod) => ({ ...action, pods: [pod] }));
    default:
      return [action];
  }
}

/** The one among `items` that `pick` stands for, if there is any. */
export function picked<T>(items: readonly T[], pick: number): T | undefined {
  return items[pick % Math.max(1, items.length)];
}
