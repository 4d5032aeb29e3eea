// What the rest of a cluster does to a controller's objects: the kubelet brings pods up and lets them end, each at its own
// pace and so in any order; the garbage collector deletes or orphans what an owner leaves behind.

import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import { ZONE_LABEL } from '../../../src/kinds/my-deployment/plan/spread.ts';
import { nodes } from '../../../src/runtime/built-in.ts';
import { timestamp } from '../../../src/runtime/conditions.ts';
import { controllerOf, type KubeObject } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { hasInPlaceGate } from '../../../src/workload/in-place/record.ts';
import type { Node } from '../../../src/workload/node.ts';
import type { ContainerStatus, Pod } from '../../../src/workload/pod.ts';
import { controllerRevisions, pods } from '../../../src/workload/write-context.ts';
import { type Fate, nextReport, unready } from '../../support/model-pod.ts';
import type { ApiServer, Commit } from './api-server.ts';
import type { Chance } from './chance.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Pods of this image run and are never ready. */
export const BAD_IMAGE = 'web:bad';

/** A container of these pods crashes over and over. */
export const CRASHING_IMAGE = 'web:crashing';

const FATES: Readonly<Record<string, Fate>> = { [BAD_IMAGE]: 'never ready', [CRASHING_IMAGE]: 'crashes' };

const COLLECT_MS = 50;
const NODES = 3;
const CRASH_LOOP: readonly ContainerStatus[] = [
  { name: 'web', restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } } },
];

export interface AgentOptions {
  readonly time: VirtualTime;
  readonly server: ApiServer;
  readonly chance: Chance;
  readonly podMs: number;
}

export class ClusterAgents {
  readonly #options: AgentOptions;

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  /** Each node is in a zone of its own. */
  provideNodes(): void {
    for (let index = 1; index <= NODES; index++) {
      const metadata = { name: `node-${index}`, labels: { [ZONE_LABEL]: `zone-${index}` } };
      this.#options.server.create(nodes as Resource<Node>, { metadata, spec: {} }, 'cloud');
    }
  }

  /** To be called with every write. */
  notice({ resource, type, object }: Commit): void {
    if (resource.plural === pods.plural) this.#tend(type, object as Pod);
    if (resource.plural === myDeployments.plural) this.#collect(type, object);
    else if (type !== 'DELETED') this.#collectIfOrphaned(resource, object);
  }

  /** The pod is not ready for a while. */
  trip(pod: Pod): void {
    const { server, time } = this.#options;
    if (hasInPlaceGate(pod)) {
      server.edit(pods, { ...pod, status: unready(pod, time.now()) }, 'kubelet');
      return;
    }
    this.#setReady(pod, 'False');
    this.#later(this.#options.podMs, () => this.#bringUp(pod));
  }

  #tend(type: Commit['type'], pod: Pod): void {
    const isDue = hasInPlaceGate(pod) ? this.#reportOf(pod) !== undefined : type === 'ADDED';
    // A kubelet sees a change soon; it is to start containers that takes time.
    const isNews = hasInPlaceGate(pod) && pod.status?.observedGeneration !== pod.metadata.generation;
    const delayMs = this.#options.podMs / (isNews ? 10 : 2);
    if (type !== 'DELETED' && isDue)
      this.#later(hasInPlaceGate(pod) ? delayMs : this.#options.podMs, () => this.#bringUp(pod));
    const isLeaving = type === 'MODIFIED' && pod.metadata.deletionTimestamp !== undefined;
    if (isLeaving) this.#later(this.#options.podMs, () => this.#options.server.remove(pods, pod, 'kubelet'));
  }

  #bringUp({ metadata }: Pod): void {
    const pod = this.#options.server.find(pods, metadata) as
      | (Pod & { spec: { containers?: { image: string }[] } })
      | undefined;
    const isStarting = pod?.metadata.uid === metadata.uid && pod.metadata.deletionTimestamp === undefined;
    if (!isStarting || pod.status?.phase === 'Failed') return;
    if (hasInPlaceGate(pod)) {
      this.#report(pod);
      return;
    }
    const image = pod.spec.containers?.[0]?.image;
    const isCrashing = image === CRASHING_IMAGE;
    this.#setReady(pod, image === BAD_IMAGE || isCrashing ? 'False' : 'True', isCrashing ? CRASH_LOOP : []);
  }

  /** One step of many: each is a write, which brings about the next. */
  #report(pod: Pod): void {
    const { server } = this.#options;
    const status = this.#reportOf(pod);
    const nodeName = this.#nodeOf(pod);
    if (status !== undefined) server.edit(pods, { ...pod, spec: { ...pod.spec, nodeName }, status }, 'kubelet');
  }

  #reportOf(pod: Pod): Pod['status'] {
    const image = pod.spec?.containers?.[0]?.image ?? '';
    const fate = FATES[image] ?? 'runs';
    return nextReport(pod, fate, { serial: this.#options.server.version, now: this.#options.time.now() });
  }

  #nodeOf(pod: Pod): string {
    return pod.spec?.nodeName ?? `node-${this.#options.chance.between(1, NODES)}`;
  }

  #setReady(pod: Pod, ready: 'True' | 'False', containerStatuses: readonly ContainerStatus[] = []): void {
    const { server, time } = this.#options;
    const before = pod.status?.conditions?.[0];
    const lastTransitionTime = before?.status === ready ? before.lastTransitionTime : timestamp(time.now());
    const conditions = [{ type: 'Ready', status: ready, lastTransitionTime: lastTransitionTime as string }];
    const nodeName = this.#nodeOf(pod);
    const status = { phase: 'Running', conditions, ...(containerStatuses.length > 0 && { containerStatuses }) };
    server.edit(pods, { ...pod, spec: { ...pod.spec, nodeName }, status }, 'kubelet');
  }

  #collect(type: Commit['type'], owner: KubeObject): void {
    const { uid, finalizers = [] } = owner.metadata;
    if (type === 'DELETED') this.#later(COLLECT_MS, () => this.#deleteDependents(uid));
    else if (finalizers.includes('foregroundDeletion')) this.#later(COLLECT_MS, () => this.#inForeground(owner));
    else if (finalizers.includes('orphan')) this.#later(COLLECT_MS, () => this.#orphan(owner));
  }

  #inForeground(owner: KubeObject): void {
    const left = this.#deleteDependents(owner.metadata.uid);
    if (left === 0) this.#release(owner);
    else this.#later(4 * COLLECT_MS, () => this.#inForeground(owner));
  }

  #orphan(owner: KubeObject): void {
    const { uid } = owner.metadata;
    for (const [resource, object] of this.#dependents(uid)) {
      const ownerReferences = (object.metadata.ownerReferences ?? []).filter((reference) => reference.uid !== uid);
      this.#options.server.edit(resource, { ...object, metadata: { ...object.metadata, ownerReferences } }, 'gc');
    }
    this.#release(owner);
  }

  /** The last finalizer goes, and the object with it. */
  #release({ metadata }: KubeObject): void {
    const owner = this.#options.server.find(myDeployments, metadata);
    if (owner === undefined || owner.metadata.uid !== metadata.uid) return;
    const { finalizers: _, ...rest } = owner.metadata;
    this.#options.server.edit(myDeployments, { ...owner, metadata: rest }, 'gc');
  }

  /** An object whose owner is gone goes as well. */
  #collectIfOrphaned(resource: Resource, object: KubeObject): void {
    const owner = controllerOf(object);
    if (owner?.kind !== myDeployments.kind || this.#lives(owner.uid)) return;
    this.#later(COLLECT_MS, () => {
      const present = this.#options.server.find(resource, object.metadata);
      if (present !== undefined && controllerOf(present)?.uid === owner.uid) this.#delete(resource, present);
    });
  }

  #deleteDependents(uid: string): number {
    const dependents = this.#dependents(uid);
    for (const [resource, object] of dependents) this.#delete(resource, object);
    return dependents.length;
  }

  #delete(resource: Resource, { metadata }: KubeObject): void {
    this.#options.server.delete(resource, metadata, { uid: metadata.uid, actor: 'gc' });
  }

  #dependents(uid: string): [Resource, KubeObject][] {
    const owned = (resource: Resource): [Resource, KubeObject][] =>
      this.#options.server
        .list(resource)
        .filter((object) => controllerOf(object)?.uid === uid)
        .map((object) => [resource, object]);
    return [...owned(pods), ...owned(controllerRevisions)];
  }

  #lives(uid: string): boolean {
    return this.#options.server.list(myDeployments).some(({ metadata }) => metadata.uid === uid);
  }

  #later(typicalMs: number, act: () => void): void {
    const { time, chance } = this.#options;
    time.after(chance.delay(typicalMs), act);
  }
}
