// An API server in memory for the few verbs that certificates need, with optimistic concurrency, JSON patches and
// watches, so that several replicas can meet at it under a clock of the test's.

import type { CertificateClient } from '../../../src/runtime/certificates/certificate-store.ts';
import type { JsonPatchOperation, WatchEvent, WatchOptions } from '../../../src/runtime/client/options.ts';
import { ApiError, type ApiFailure } from '../../../src/runtime/errors.ts';
import type { KubeObject, ObjectRef } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { applyJsonPatch } from '../webhook/apply-json-patch.ts';

type Listener = (event: WatchEvent<KubeObject>) => void;

export class ObjectServer {
  readonly writes: string[] = [];
  /** Refuses writes of this kind. */
  refuse: string | undefined;
  readonly #objects = new Map<string, KubeObject>();
  readonly #listeners = new Map<string, Set<Listener>>();
  #version = 0;

  object<T extends KubeObject>({ kind, name }: { readonly kind: string; readonly name: string }): T | undefined {
    return this.#objects.get(`${kind}/${name}`) as T | undefined;
  }

  /** Writes as a person would, whoever else is writing. */
  put(kind: string, object: { readonly metadata: { readonly name: string } }): void {
    this.#store(kind, object as KubeObject, 'MODIFIED');
  }

  delete(kind: string, name: string): void {
    const key = `${kind}/${name}`;
    const object = this.#objects.get(key);
    this.#objects.delete(key);
    if (object !== undefined) this.#tell(key, { type: 'DELETED', object });
  }

  readonly client = {
    get: async ({ kind }: Resource, { name }: ObjectRef) => this.#existing(kind, name),
    create: async ({ kind }: Resource, object: KubeObject) => {
      if (this.#objects.has(`${kind}/${object.metadata.name}`)) throw failure('AlreadyExists');
      return this.#write(kind, object, 'ADDED');
    },
    update: async ({ kind }: Resource, object: KubeObject) => {
      const before = this.#existing(kind, object.metadata.name);
      if (before.metadata.resourceVersion !== object.metadata.resourceVersion) throw failure('Conflict');
      return this.#write(kind, object, 'MODIFIED');
    },
    patch: async ({ kind }: Resource, { name }: ObjectRef, patch: { readonly body: readonly JsonPatchOperation[] }) => {
      const changes = patch.body.filter(({ op }) => op !== 'test');
      return this.#write(kind, applyJsonPatch(this.#existing(kind, name), changes) as KubeObject, 'MODIFIED');
    },
    watch: ({ kind }: Resource, options: WatchOptions) => this.#watch(kind, options),
  } as unknown as CertificateClient;

  #existing(kind: string, name: string): KubeObject {
    const object = this.#objects.get(`${kind}/${name}`);
    if (object === undefined) throw failure('NotFound');
    return structuredClone(object);
  }

  #write(kind: string, object: KubeObject, type: 'ADDED' | 'MODIFIED'): KubeObject {
    if (this.refuse === kind) throw failure('Forbidden');
    this.writes.push(`${type} ${kind}`);
    return this.#store(kind, object, type);
  }

  #store(kind: string, object: KubeObject, type: 'ADDED' | 'MODIFIED'): KubeObject {
    const key = `${kind}/${object.metadata.name}`;
    const stored = structuredClone({ ...object, metadata: { ...object.metadata, resourceVersion: this.#next() } });
    this.#objects.set(key, stored);
    this.#tell(key, { type, object: stored });
    return structuredClone(stored);
  }

  async *#watch(kind: string, { fieldSelector, signal, onOpen }: WatchOptions): AsyncGenerator<WatchEvent<KubeObject>> {
    const key = `${kind}/${fieldSelector?.replace('metadata.name=', '')}`;
    const pending: WatchEvent<KubeObject>[] = [];
    let wake = (): void => {};
    const listener: Listener = (event) => {
      pending.push(structuredClone(event));
      wake();
    };
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    signal?.addEventListener('abort', () => wake(), { once: true });
    onOpen?.();
    const object = this.#objects.get(key);
    if (object !== undefined) yield { type: 'ADDED', object: structuredClone(object) };
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    yield { type: 'BOOKMARK', object: { metadata: { resourceVersion: this.#next(), annotations } } };
    while (!signal?.aborted) {
      yield* pending.splice(0);
      const woken = Promise.withResolvers<void>();
      wake = woken.resolve;
      if (pending.length === 0 && !signal?.aborted) await woken.promise;
    }
    listeners.delete(listener);
  }

  #tell(key: string, event: WatchEvent<KubeObject>): void {
    for (const listener of this.#listeners.get(key) ?? []) listener(event);
  }

  #next(): string {
    return String(++this.#version);
  }
}

function failure(reason: ApiFailure): ApiError {
  return new ApiError(reason, `object: ${reason}`);
}
