// What controllers see of one kind and scope: its objects, the version they are at, and their changes. Objects are
// shared and frozen. Handlers run one after the other, in the order of the changes, after the store shows them; an
// error of a handler is logged and does not affect others. A handler that is added late first gets every existing
// object.
//
// Several namespaces are several watches into one store, because a client that may read only these cannot watch the
// whole cluster.

import type { Client } from '../client/client.ts';
import type { Selection } from '../client/options.ts';
import { monotonicClock } from '../clock.ts';
import { type Logger, silentLogger } from '../log.ts';
import { type KubeObject, keyOf } from '../object.ts';
import { groupResourceOf, type Resource } from '../resource.ts';
import { belongsTo, type ShardRange, shardSelectorOf } from '../shards/range.ts';
import { catchUp } from './freshness.ts';
import {
  DEFAULT_PAGE_SIZE,
  Reflector,
  type ReflectorHealth,
  type ReflectorOptions,
  type ReflectorSink,
} from './reflector.ts';
import { isOlder } from './resource-version.ts';
import { SharedParts } from './shared-parts.ts';
import { type Difference, type Indexes, Store } from './store.ts';
import { deepFreeze, type Transform } from './transform.ts';

/** An object that was added, changed or deleted. */
export type Change<T extends KubeObject> = Difference<T> & {
  /** True for objects of the first fill, and of the replay to a handler that is added late. */
  readonly initial: boolean;
};

/** Is called with each change, in order. */
export type ChangeHandler<T extends KubeObject> = (change: Change<T>) => void;

/** Observes a cache, for metrics. */
export interface CacheObserver {
  /** A change that no watch has shown: found by comparing with a new list. */
  foundByRelist?(resource: Resource, type: Difference<KubeObject>['type']): void;
}

export interface InformerOptions extends ReflectorOptions {
  readonly observer?: CacheObserver;
  /**
   * True if it runs only after its process was elected. Its first fill is a consistent read, so that shows what former leaders have
   * written, and controllers that start need no other. @default false
   */
  readonly runsAfterElection?: boolean;
}

export interface Subject<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly scope: Scope;
  readonly transform: Transform<T> | undefined;
}

export interface Scope extends Omit<Selection, 'namespace' | 'shardSelector'> {
  /** Absent: all objects. */
  readonly namespaces?: readonly string[];
  /** Only objects of namespaces in this range. Requested of the API server, and applied to what it returns. */
  readonly shard?: ShardRange;
  /** Declared as never: a Selection passed by mistake would otherwise select the whole cluster. */
  readonly namespace?: never;
}

/** One watch of an informer. */
interface Part<T extends KubeObject> {
  /** Undefined for all. */
  readonly namespace: string | undefined;
  readonly reflector: Reflector<T>;
  /** Every change up to this version is in the store; undefined before the first fill. */
  version: string | undefined;
  /** Resolves when the store shows everything that is there now, or later. */
  catchUp(signal: AbortSignal): Promise<void>;
}

/** The objects of one kind and scope as the API server last showed them, and their changes. */
export class Informer<T extends KubeObject> {
  readonly #subject: Subject<T>;
  readonly #store: Store<T>;
  readonly #shared = new SharedParts();
  readonly #whole = new Set<(object: T) => boolean>();
  #isRunning = false;
  readonly #handlers = new Set<ChangeHandler<T>>();
  readonly #parts: readonly Part<T>[];
  readonly #observer: CacheObserver;
  readonly #log: Logger;
  readonly #synced = Promise.withResolvers<void>();
  readonly #runsAfterElection: boolean;
  #catchingUp: Promise<void> | undefined;
  #signal = new AbortController().signal;

  constructor(client: Pick<Client, 'list' | 'pages' | 'watch'>, subject: Subject<T>, options: InformerOptions = {}) {
    this.#subject = subject;
    this.#observer = options.observer ?? {};
    this.#runsAfterElection = options.runsAfterElection ?? false;
    this.#log = (options.log ?? silentLogger).with({ resource: groupResourceOf(subject.resource) });
    this.#store = new Store((index, object, error) => {
      this.#log.error('index function failed', { index, key: keyOf(object.metadata), error });
    });
    const { namespaces = [undefined], ...selection } = subject.scope;
    this.#parts = namespaces.map((namespace) => this.#part(client, { ...selection, namespace }, options));
    if (this.#parts.length === 0) this.#synced.resolve();
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

  /** A name may be registered again only with the same function. */
  addIndexes(indexes: Indexes<T>): void {
    this.#store.addIndexes(indexes);
  }

  /** Keeps these objects untrimmed; call it before the informer runs. */
  keepWhole(which: (object: T) => boolean): void {
    if (this.#isRunning)
      throw new Error(`the informer of ${groupResourceOf(this.resource)} has trimmed objects already`);
    this.#whole.add(which);
  }

  /** True from the first sync on. */
  get hasSynced(): boolean {
    return this.#parts.every(({ version }) => version !== undefined);
  }

  /** The store has every change up to this version, of this namespace if one is given. */
  lastSyncedResourceVersion(namespace?: string): string | undefined {
    const one = this.#parts.find((part) => part.namespace === namespace);
    if (one !== undefined) return one.version;
    const versions = this.#parts.map(({ version }) => version);
    return versions.reduce((oldest, version) => (isOlder(version, oldest) ? version : oldest));
  }

  /** Of each watch. */
  get health(): readonly (ReflectorHealth & { readonly namespace: string | undefined })[] {
    return this.#parts.map(({ namespace, reflector }) => ({ namespace, ...reflector.health }));
  }

  /** Resolves with the first sync; never rejects. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /**
   * Resolves when the store shows everything that existed when this was called, or later, by a consistent read; never
   * when the informer is stopped first. Controllers that start together share one read: it is sent after all of them
   * have called this. For an informer that runs after an election, the moment that counts is the election, and the
   * first fill is that read.
   */
  catchUp(): Promise<void> {
    if (this.#runsAfterElection) return this.synced;
    this.#catchingUp ??= this.synced.then(async () => {
      this.#catchingUp = undefined;
      await Promise.all(this.#parts.map((part) => part.catchUp(this.#signal)));
    });
    return this.#catchingUp;
  }

  /** Calls back for every change until the returned function is called. */
  onChange(handler: ChangeHandler<T>): () => void {
    // Wrapped, so that the same function registered twice is two handlers.
    const entry: ChangeHandler<T> = (change) => handler(change);
    for (const object of this.#store.list()) this.#tell(entry, { type: 'added', object, initial: true });
    this.#handlers.add(entry);
    return () => this.#handlers.delete(entry);
  }

  /** Keeps the store up to date until the signal aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    this.#isRunning = true;
    await Promise.all(this.#parts.map(({ reflector }) => reflector.run(signal)));
  }

  #part(
    client: Pick<Client, 'list' | 'pages' | 'watch'>,
    {
      namespace,
      shard,
      ...selection
    }: Omit<Scope, 'namespaces' | 'namespace'> & { readonly namespace: string | undefined },
    options: InformerOptions,
  ): Part<T> {
    const scope: Selection = {
      ...selection,
      ...(namespace !== undefined && { namespace }),
      ...(shard && { shardSelector: shardSelectorOf(shard) }),
    };
    const keeps = shard && ((object: KubeObject): boolean => belongsTo(shard, object));
    const sink = this.#sinkOf(() => part);
    const prepare = (object: T): T => this.#prepare(object);
    const reflection = { resource: this.resource, scope, prepare, sink, ...(keeps && { keeps }) };
    const reflector = new Reflector(client, reflection, options);
    const watched = {
      resource: this.resource,
      scope,
      ...(keeps && { keeps }),
      objects: () => (namespace === undefined ? this.#store.list() : this.#store.byIndex('namespace', namespace)),
      version: () => part.version,
      fillAnew: () => reflector.fillAnew(),
    };
    const { clock = monotonicClock, pageSize = DEFAULT_PAGE_SIZE } = options;
    const part: Part<T> = {
      namespace,
      reflector,
      version: undefined,
      catchUp: (signal) => catchUp(client, watched, { clock, pageSize, log: this.#log, signal }),
    };
    return part;
  }

  #sinkOf(part: () => Part<T>): ReflectorSink<T> {
    return {
      replace: (objects, resourceVersion) => this.#replace(part(), objects, resourceVersion),
      put: (object) => {
        part().version = object.metadata.resourceVersion;
        this.#emit(this.#store.put(object), false);
      },
      remove: (object) => {
        part().version = object.metadata.resourceVersion;
        this.#emit(this.#store.delete(keyOf(object.metadata), object), false);
      },
      progress: (resourceVersion) => {
        part().version = resourceVersion;
      },
    };
  }

  #replace(part: Part<T>, objects: ReadonlyMap<string, T>, resourceVersion: string): void {
    const initial = part.version === undefined;
    const differences = this.#store.replace(objects, part.namespace);
    part.version = resourceVersion;
    if (!initial) for (const { type } of differences) this.#observer.foundByRelist?.(this.resource, type);
    this.#emit(differences, initial);
    if (this.hasSynced) this.#synced.resolve();
  }

  #prepare(object: T): T {
    return deepFreeze(this.#trim(object));
  }

  /** An object that cannot be trimmed is kept whole: too much memory is better than a missing object. */
  #trim(object: T): T {
    try {
      for (const isWanted of this.#whole) if (isWanted(object)) return object;
      return this.#subject.transform?.(object, this.#shared.share) ?? object;
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
