// What controllers see of one kind and scope: its objects, how far they are up to date, and their changes. Objects are
// shared and frozen. Handlers are called one after the other, in the order of the changes, when the store already shows
// them; one that throws is logged and harms nobody. A handler that comes late is first told of every object there is.

import type { Client } from '../client/client.ts';
import type { Selection } from '../client/options.ts';
import { type Logger, silentLogger } from '../log.ts';
import { type KubeObject, keyOf } from '../object.ts';
import { groupResourceOf, type Resource } from '../resource.ts';
import { Reflector, type ReflectorHealth, type ReflectorOptions, type ReflectorSink } from './reflector.ts';
import { type Difference, type Indexes, Store } from './store.ts';
import { deepFreeze, type Transform } from './transform.ts';

export type Change<T extends KubeObject> = Difference<T> & {
  /** Was there before we looked: part of the first fill, or of the replay to a late handler. */
  readonly initial: boolean;
};

export type ChangeHandler<T extends KubeObject> = (change: Change<T>) => void;

/** What the cache tells those who count. */
export interface CacheObserver {
  /** A change that no watch has shown: it was found by comparing with a new list. */
  foundByRelist?(resource: Resource, type: Difference<KubeObject>['type']): void;
}

export interface InformerOptions extends ReflectorOptions {
  readonly observer?: CacheObserver;
}

export interface Subject<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly scope: Selection;
  readonly transform: Transform<T> | undefined;
}

export class Informer<T extends KubeObject> {
  readonly #subject: Subject<T>;
  readonly #store: Store<T>;
  readonly #handlers = new Set<ChangeHandler<T>>();
  readonly #reflector: Reflector<T>;
  readonly #observer: CacheObserver;
  readonly #log: Logger;
  readonly #synced = Promise.withResolvers<void>();
  #version: string | undefined;

  constructor(client: Pick<Client, 'list' | 'pages' | 'watch'>, subject: Subject<T>, options: InformerOptions = {}) {
    this.#subject = subject;
    this.#observer = options.observer ?? {};
    this.#log = (options.log ?? silentLogger).with({ resource: groupResourceOf(subject.resource) });
    this.#store = new Store((index, object, error) => {
      this.#log.error('index function failed', { index, key: keyOf(object.metadata), error });
    });
    const prepare = (object: T): T => this.#prepare(object);
    this.#reflector = new Reflector(client, { ...subject, prepare, sink: this.#sink }, options);
  }

  get resource(): Resource<T> {
    return this.#subject.resource;
  }

  get transform(): Transform<T> | undefined {
    return this.#subject.transform;
  }

  get(key: string): T | undefined {
    return this.#store.get(key);
  }

  list(): readonly T[] {
    return this.#store.list();
  }

  /** By `namespace`, by `ownerUid` (of the managing owner), or by an index of your own. */
  byIndex(name: string, value: string): readonly T[] {
    return this.#store.byIndex(name, value);
  }

  /** A name may come again with the same function only. */
  addIndexes(indexes: Indexes<T>): void {
    this.#store.addIndexes(indexes);
  }

  /** True once everything that was there has been seen, and from then on. */
  get hasSynced(): boolean {
    return this.#version !== undefined;
  }

  /** Every change up to this version is in the store. */
  get lastSyncedResourceVersion(): string | undefined {
    return this.#version;
  }

  get health(): ReflectorHealth {
    return this.#reflector.health;
  }

  /** Resolves with the first sync; never rejects. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** Calls back for every change until the returned function is called. */
  onChange(handler: ChangeHandler<T>): () => void {
    // Wrapped, so that the same function registered twice is two handlers.
    const entry: ChangeHandler<T> = (change) => handler(change);
    if (this.hasSynced) {
      for (const object of this.#store.list()) this.#tell(entry, { type: 'added', object, initial: true });
    }
    this.#handlers.add(entry);
    return () => this.#handlers.delete(entry);
  }

  /** Keeps the store up to date until the signal aborts; never rejects. */
  run(signal: AbortSignal): Promise<void> {
    return this.#reflector.run(signal);
  }

  readonly #sink: ReflectorSink<T> = {
    replace: (objects, resourceVersion) => {
      const initial = !this.hasSynced;
      const differences = this.#store.replace(objects);
      this.#version = resourceVersion;
      if (!initial) for (const { type } of differences) this.#observer.foundByRelist?.(this.resource, type);
      this.#emit(differences, initial);
      this.#synced.resolve();
    },
    put: (object) => {
      this.#version = object.metadata.resourceVersion;
      this.#emit(this.#store.put(object), false);
    },
    remove: (object) => {
      this.#version = object.metadata.resourceVersion;
      this.#emit(this.#store.delete(keyOf(object.metadata), object), false);
    },
    progress: (resourceVersion) => {
      this.#version = resourceVersion;
    },
  };

  #prepare(object: T): T {
    return deepFreeze(this.#trim(object));
  }

  /** An object that cannot be trimmed is kept whole: too much memory is better than a missing object. */
  #trim(object: T): T {
    try {
      return this.#subject.transform?.(object) ?? object;
    } catch (error) {
      this.#log.error('transform failed', { key: keyOf(object.metadata), error });
      return object;
    }
  }

  #emit(differences: readonly Difference<T>[], initial: boolean): void {
    for (const difference of differences) {
      for (const handler of this.#handlers) this.#tell(handler, { ...difference, initial });
    }
  }

  #tell(handler: ChangeHandler<T>, change: Change<T>): void {
    try {
      handler(change);
    } catch (error) {
      this.#log.error('change handler failed', { key: keyOf(change.object.metadata), change: change.type, error });
    }
  }
}
