// Objects of ten pods each in two hundred namespaces. Those of the first are created as people create them, and are what their
// controller makes of them. Those of the others are copies, which differ in namespace and uids only.

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { controllerRevisions, replicaSets } from '../../../src/runtime/built-in.ts';
import { controllerOf, type KubeObject, type ObjectRef } from '../../../src/runtime/object.ts';
import { apiVersionOf, type Resource } from '../../../src/runtime/resource.ts';
import { createNamespace, podsAreWelcome } from '../../support/namespace.ts';
import { concurrently, range } from '../concurrently.ts';
import { pods } from '../stopwatch.ts';
import { isReported, QUARTER, type Workload, workload } from '../workload.ts';
import { type Entry, writeToEtcd } from './etcd.ts';

/** The names differ at their beginning: those that differ at their end only have hashes near each other. */
export const NAMESPACES: readonly string[] = range(200).map((index) => `${index}-team`);
const [FIRST, ...OTHERS] = NAMESPACES as [string, ...string[]];
const PODS_EACH = 10;
const LOOK_EVERY_MS = 200;
const PATIENCE_MS = 300_000;

/** A pod, and the uid of the object that has to replace it. */
export interface Victim {
  readonly pod: ObjectRef & { readonly namespace: string };
  readonly owner: string;
}

/** Where objects of these kinds are in etcd. */
function keyOf({ group, plural }: Resource, namespace: string, name: string): string {
  return ['/registry', ...(group.includes('.') ? [group] : []), plural, namespace, name].join('/');
}

export class Population {
  readonly #cluster: Cluster;
  readonly #kind: Resource<Workload>;
  /** One line of pods for each object, in an order that goes round the namespaces. */
  #lines: readonly Victim[][] = [];
  #next = 0;
  #pods = 0;

  constructor(cluster: Cluster, kind: Resource<Workload>) {
    this.#cluster = cluster;
    this.#kind = kind;
  }

  async makeRoom(): Promise<void> {
    const { client } = this.#cluster;
    await concurrently(NAMESPACES, (name) => createNamespace(client, name));
    await concurrently(NAMESPACES, (name) => podsAreWelcome(client, name));
  }

  /** There are that many pods in all. A controller has to be at work for the first of them. */
  async create(count: number): Promise<void> {
    const { client } = this.#cluster;
    const objects = Math.max(1, Math.round(count / NAMESPACES.length / PODS_EACH));
    this.#pods = objects * NAMESPACES.length * PODS_EACH;
    const names = range(objects).map((index) => `web-${index}`);
    const form = { namespace: FIRST, replicas: PODS_EACH, image: 'app:v1', strategy: QUARTER };
    await concurrently(names, (name) => client.create(this.#kind, workload({ ...form, name })));
    await this.#until('the first namespace is up', async () => {
      const { items } = await client.list(this.#kind, { namespace: FIRST });
      return items.length === objects && items.every(isReported);
    });
  }

  /** Copies the first namespace into the others. No controller must be at work. */
  async copy(): Promise<void> {
    const { client } = this.#cluster;
    const owned = [this.#kind, controllerRevisions, replicaSets, pods] as readonly Resource[];
    const originals = await Promise.all(
      owned.map(async (resource) => {
        const { items } = await client.list(resource, { namespace: FIRST });
        return items.map((object) => ({ resource, object }));
      }),
    );
    const copies = OTHERS.map((namespace) => copyOf(originals.flat(), namespace));
    this.#lines = linesOf(copies.map(({ objects }) => objects));
    for (const { entries } of copies) await writeToEtcd(this.#cluster, entries);
    await this.#until(`the API server knows ${this.#pods} pods`, async () => {
      const { metadata } = await client.list(pods, { limit: 1 });
      return (metadata.remainingItemCount ?? 0) + 1 === this.#pods;
    });
  }

  /** Waits until an API server that has just started serves all of them from its memory. */
  async isServed(): Promise<void> {
    const { client } = this.#cluster;
    const cached = { limit: 1, resourceVersion: '0', attempts: 1 };
    const isServed = (resource: Resource): Promise<boolean> =>
      client.list(resource, cached).then(
        ({ items }) => items.length > 0,
        () => false, // it says that it is initializing
      );
    await this.#until('the API server has read everything', async () => {
      return (await isServed(pods)) && (await isServed(this.#kind));
    });
  }

  /** How many pods there are in all namespaces together. */
  get pods(): number {
    return this.#pods;
  }

  /** Pods of as many different objects, none of which was named before. */
  victims(count: number): Victim[] {
    return range(count).map(() => this.#victim(() => true));
  }

  /** One whose namespace is of this kind. */
  victimIn(isMeant: (namespace: string) => boolean): Victim {
    return this.#victim(isMeant);
  }

  #victim(isMeant: (namespace: string) => boolean): Victim {
    for (const _ of this.#lines) {
      const line = this.#lines[this.#next++ % this.#lines.length] as Victim[];
      if (!isMeant(line[0]?.pod.namespace ?? '')) continue;
      const victim = line.shift();
      if (victim !== undefined) return victim;
    }
    throw new Error('there are no more pods to lose');
  }

  async #until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (!(await holds())) {
      if (performance.now() > deadline) throw new Error(`waited ${PATIENCE_MS / 1000} s until ${what}`);
      await delay(LOOK_EVERY_MS);
    }
  }
}

interface Original {
  readonly resource: Resource;
  readonly object: KubeObject;
}

function copyOf(originals: readonly Original[], namespace: string): { objects: KubeObject[]; entries: Entry[] } {
  const uids = new Map(originals.map(({ object }) => [object.metadata.uid, randomUUID() as string]));
  const objects = originals.map(({ resource, object: { metadata, ...rest } }) => {
    const { resourceVersion: _, ...kept } = metadata;
    const whole = {
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      ...rest,
      metadata: { ...kept, namespace },
    };
    const text = JSON.stringify(whole).replace(UID, (uid) => uids.get(uid) ?? uid);
    return { resource, text, object: JSON.parse(text) as KubeObject };
  });
  return {
    objects: objects.map(({ object }) => object),
    entries: objects.map(({ resource, text, object }) => ({
      key: keyOf(resource, namespace, object.metadata.name),
      value: text,
    })),
  };
}

const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** For each object its pods; the first objects of all namespaces, then the second ones, and so on. */
function linesOf(namespaces: readonly (readonly KubeObject[])[]): Victim[][] {
  const perNamespace = namespaces.map((objects) => {
    const lines = new Map<string, Victim[]>();
    for (const { kind, metadata } of objects) {
      const owner = controllerOf({ metadata })?.uid;
      if (kind !== pods.kind || owner === undefined) continue;
      const { namespace = '', name } = metadata;
      lines.set(owner, [...(lines.get(owner) ?? []), { pod: { namespace, name }, owner }]);
    }
    return [...lines.values()];
  });
  const longest = Math.max(...perNamespace.map(({ length }) => length));
  return range(longest).flatMap((index) => perNamespace.flatMap((lines) => lines.slice(index, index + 1)));
}
