// What the operator has seen of a MyDaemonSet's pods and no object records: on which nodes pods failed lately, and which
// names are used. It is lost with the process, which costs one early retry or one name more.

import type { Cache } from '../../runtime/cache/cache.ts';
import type { Informer } from '../../runtime/cache/informer.ts';
import type { Clock } from '../../runtime/clock.ts';
import { controllerOf, keyOf } from '../../runtime/object.ts';
import type { Node } from '../../workload/node.ts';
import { targetNode } from '../../workload/node-affinity.ts';
import type { Pod } from '../../workload/pod.ts';
import { podInformer } from '../../workload/pod-cache.ts';
import { type Backoffs, noteFailedPods, waitsOf } from './failed-pod-backoff.ts';
import type { Snapshot } from './snapshot.ts';
import type { MyDaemonSet } from './types.gen.ts';
import { type UsedNames, withUsedName } from './used-names.ts';

export interface DaemonMemoryOptions {
  readonly cache: Cache;
  readonly clock: Clock;
  readonly objects: Informer<MyDaemonSet>;
  readonly nodes: Informer<Node>;
}

interface Memory {
  readonly backoffs: Backoffs;
  readonly usedNames: UsedNames;
}

const NOTHING: Memory = { backoffs: new Map(), usedNames: new Map() };

export class DaemonMemory {
  readonly #clock: Clock;
  readonly #objects: Informer<MyDaemonSet>;
  readonly #nodes: Informer<Node>;
  /** By owner UID. */
  readonly #memories = new Map<string, Memory>();

  constructor({ cache, clock, objects, nodes }: DaemonMemoryOptions) {
    this.#clock = clock;
    this.#objects = objects;
    this.#nodes = nodes;
    podInformer(cache).onChange(({ type, object }) => {
      if (type === 'deleted') this.#noteGone(object);
    });
    objects.onChange(({ type, object }) => {
      if (type === 'deleted') this.#memories.delete(object.metadata.uid);
    });
    nodes.onChange(({ type, object }) => {
      if (type === 'deleted') this.#forgetNode(object.metadata.name);
    });
  }

  of(object: MyDaemonSet): Pick<Snapshot, 'waits' | 'usedNames'> {
    const { backoffs, usedNames } = this.#memoryOf(object);
    return { waits: waitsOf(backoffs, this.#clock.now()), usedNames };
  }

  /** Failed pods on these nodes are being removed. */
  noteFailures(object: MyDaemonSet, nodes: readonly string[]): void {
    if (nodes.length === 0) return;
    const memory = this.#memoryOf(object);
    const backoffs = noteFailedPods(memory.backoffs, nodes, this.#clock.now());
    this.#memories.set(object.metadata.uid, { ...memory, backoffs });
  }

  #memoryOf({ metadata }: MyDaemonSet): Memory {
    return this.#memories.get(metadata.uid) ?? NOTHING;
  }

  /** Only for sets and nodes that exist: others are not remembered. */
  #noteGone(pod: Pod): void {
    const { namespace = '' } = pod.metadata;
    const { name = '', uid = '' } = controllerOf(pod) ?? {};
    const object = this.#objects.get(keyOf({ namespace, name }));
    if (object?.metadata.uid !== uid || this.#nodes.get(targetNode(pod) ?? '') === undefined) return;
    const memory = this.#memoryOf(object);
    this.#memories.set(uid, { ...memory, usedNames: withUsedName(memory.usedNames, name, pod) });
  }

  #forgetNode(name: string): void {
    for (const [uid, memory] of this.#memories) {
      const usedNames = new Map(memory.usedNames);
      if (usedNames.delete(name)) this.#memories.set(uid, { ...memory, usedNames });
    }
  }
}
