// The words in which cluster tests of a kind that owns pods speak: create an object, change it, take pods away, wait for
// what must become true; all in a namespace of its own.

import { expect } from '@jest/globals';
import type { V1Pod } from '@kubernetes/client-node';
import type { Client } from '../../src/runtime/client/client.ts';
import { ApiError, isApiError } from '../../src/runtime/errors.ts';
import { controllerOf, type KubeObject, type Manifest, type Raw } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { BEHAVIOUR, type Behaviour } from '../../src/testing/index.ts';
import type { TestCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';

/** A pod with all its fields, unlike the trimmed one that planning reads. */
export type FullPod = KubeObject & Omit<Raw<V1Pod>, 'metadata'>;

const pods: Resource<FullPod> = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

type Owning = KubeObject & { readonly spec: object; readonly status?: object };

export class KindScene<T extends Owning> {
  readonly namespace: string;
  readonly client: Client;
  readonly #cluster: TestCluster;
  readonly #resource: Resource<T>;

  private constructor(cluster: TestCluster, namespace: string, resource: Resource<T>) {
    this.#cluster = cluster;
    this.client = cluster.client;
    this.namespace = namespace;
    this.#resource = resource;
  }

  /** A scene in a fresh namespace. */
  static async set<T extends Owning>(cluster: TestCluster, resource: Resource<T>): Promise<KindScene<T>> {
    return new KindScene(cluster, await cluster.namespace(), resource);
  }

  /** What kubectl prints in this namespace; throws what it complains about. */
  async kubectl(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.#cluster.kubectl(['-n', this.namespace, ...args]);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  create(name: string, spec: T['spec']): Promise<T> {
    return this.client.create(this.#resource, { metadata: this.#ref(name), spec } as unknown as Manifest<T>);
  }

  get(name: string): Promise<T> {
    return this.client.get(this.#resource, this.#ref(name));
  }

  /** Changes the spec by a merge patch. */
  change(name: string, spec: object): Promise<T> {
    return this.client.patch(this.#resource, this.#ref(name), { type: 'merge', body: { spec } });
  }

  async delete(name: string, propagationPolicy: 'Background' | 'Foreground' | 'Orphan'): Promise<void> {
    await this.client.delete(this.#resource, this.#ref(name), { propagationPolicy });
  }

  /** Waits until the object is gone. */
  async gone(name: string): Promise<void> {
    await eventually(async () => {
      const left = await this.get(name).catch((error: unknown) => error);
      if (!isApiError(left, 'NotFound')) throw new Error(`${name} is still there: ${JSON.stringify(left)}`);
    });
  }

  /** Waits until the status of the newest spec contains this. */
  reach(name: string, status: object): Promise<T> {
    return eventually(async () => {
      const object = await this.get(name);
      expect(object.status).toMatchObject({ ...status, observedGeneration: object.metadata.generation });
      return object;
    });
  }

  async allPods(): Promise<readonly FullPod[]> {
    return (await this.client.list(pods, { namespace: this.namespace })).items;
  }

  /** The pods that it owns and that are not being deleted. */
  async podsOf({ metadata }: KubeObject): Promise<readonly FullPod[]> {
    const all = await this.allPods();
    return all.filter((pod) => controllerOf(pod)?.uid === metadata.uid && pod.metadata.deletionTimestamp === undefined);
  }

  /** With a grace period of 0 it is gone at once, whatever its node has to say. */
  async deletePod({ metadata: { name, uid } }: KubeObject, options: { gracePeriodSeconds?: 0 } = {}): Promise<void> {
    await this.client.delete(pods, this.#ref(name), { uid, ...options });
  }

  patchPod({ metadata: { name } }: KubeObject, metadata: object): Promise<FullPod> {
    return this.client.patch(pods, this.#ref(name), { type: 'merge', body: { metadata } });
  }

  /** Lets a pod behave badly from now on. */
  behave(pod: KubeObject, behaviour: Behaviour): Promise<FullPod> {
    return this.patchPod(pod, { annotations: { [BEHAVIOUR]: behaviour } });
  }

  #ref(name: string): { namespace: string; name: string } {
    return { namespace: this.namespace, name };
  }
}

/** What the API server has against it. */
export async function refusalOf(attempt: Promise<unknown>): Promise<ApiError> {
  const outcome = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(outcome instanceof ApiError)) throw new Error(`expected a refusal, got ${String(outcome)}`);
  return outcome;
}

/** The one of that number; throws when there are not so many. */
export function nth<T>(items: readonly T[], index = 0): T {
  const item = items[index];
  if (item === undefined) throw new Error(`there are ${items.length} items, none is number ${index}`);
  return item;
}

export function uidsOf(objects: readonly KubeObject[]): string[] {
  return objects.map(({ metadata }) => metadata.uid).sort();
}
