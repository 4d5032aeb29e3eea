// One cache for all controllers of a process: controllers that ask for the same kind and scope share one informer, so
// each object is listed, watched and stored once. Informers that are requested after the start run at once. A cache can
// be limited to some namespaces, or to the namespaces of a shard, without the controllers knowing.

import { aborted } from '../abort.ts';
import type { Client } from '../client/client.ts';
import type { Selection } from '../client/options.ts';
import type { KubeObject } from '../object.ts';
import { apiVersionOf, type Resource } from '../resource.ts';
import { containsNamespace, type ShardRange } from '../shards/range.ts';
import { Informer, type InformerOptions, type Scope } from './informer.ts';
import type { Indexes } from './store.ts';
import type { Transform } from './transform.ts';

/** Which objects of a kind a controller wants to see. */
export interface InformerRequest<T extends KubeObject> extends Omit<Selection, 'shardSelector'> {
  /** Trims objects before they are stored. All users of a shared informer must give the same function, or none. */
  readonly transform?: Transform<T>;
  /** Objects that are stored untrimmed. An object that any user of the shared informer needs whole is kept whole. */
  readonly whole?: (object: T) => boolean;
  readonly indexes?: Indexes<T>;
}

/** Settings of a cache. */
export interface CacheOptions extends InformerOptions {
  /** The namespaces that it reads. @default all */
  readonly namespaces?: readonly string[] | undefined;
  /** Of these, only the namespaces in this range; objects without a namespace are read in any case. @default all */
  readonly shard?: ShardRange | undefined;
}

/** The informers of a process: one for each kind and scope, shared by all controllers. */
export class Cache {
  readonly #client: Pick<Client, 'list' | 'pages' | 'watch'>;
  readonly #options: CacheOptions;
  readonly #informers = new Map<string, Informer<KubeObject>>();
  readonly #running = new Set<Promise<void>>();
  #signal: AbortSignal | undefined;

  constructor(client: Pick<Client, 'list' | 'pages' | 'watch'>, options: CacheOptions = {}) {
    this.#client = client;
    this.#options = options;
  }

  get informers(): readonly Informer<KubeObject>[] {
    return [...this.#informers.values()];
  }

  /** The informer of this kind and scope, shared by all callers. */
  informer<T extends KubeObject>(resource: Resource<T>, request: InformerRequest<T> = {}): Informer<T> {
    const { transform, whole, indexes, ...selection } = request;
    const scope = this.#scopeOf(resource, selection);
    const key = scopeKey(resource, scope);
    // The entry of this key was created for the same resource, hence for objects of the same type.
    const known = this.#informers.get(key) as Informer<T> | undefined;
    if (known !== undefined && transform !== undefined && known.transform !== transform) {
      throw new Error(`the informer of ${key} is shared, and trims its objects in another way`);
    }
    const informer = known ?? new Informer(this.#client, { resource, scope, transform }, this.#options);
    if (whole !== undefined) informer.keepWhole(whole);
    if (indexes !== undefined) informer.addIndexes(indexes);
    if (known === undefined) this.#add(key, informer);
    return informer;
  }

  /** Runs every informer; resolves when the signal has aborted and all of them have stopped. */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#signal !== undefined) throw new Error('this cache has been started before');
    this.#signal = signal;
    for (const informer of this.#informers.values()) this.#run(informer, signal);
    await aborted(signal);
    await Promise.all(this.#running);
  }

  /** Resolves when every informer requested so far has synced; rejects when the signal aborts first. */
  async waitForSync(signal: AbortSignal): Promise<void> {
    const stopWaiting = new AbortController();
    try {
      const synced = Promise.all(this.informers.map((informer) => informer.synced));
      await Promise.race([synced, aborted(signal, stopWaiting.signal)]);
      signal.throwIfAborted();
    } finally {
      stopWaiting.abort();
    }
  }

  #scopeOf({ namespaced }: Resource, { namespace, ...selection }: InformerRequest<never>): Scope {
    const { shard } = this.#options;
    const namespaces = namespace === undefined ? this.#options.namespaces : [namespace];
    if (!namespaced) return selection;
    if (namespaces === undefined) return { ...selection, ...(shard && { shard }) };
    // A namespace is in the range or not, so its watch needs no selector.
    return {
      ...selection,
      namespaces: shard ? namespaces.filter((each) => containsNamespace(shard, each)) : namespaces,
    };
  }

  #add<T extends KubeObject>(key: string, informer: Informer<T>): void {
    this.#informers.set(key, informer as unknown as Informer<KubeObject>);
    if (this.#signal !== undefined) this.#run(informer, this.#signal);
  }

  #run(informer: { run(signal: AbortSignal): Promise<void> }, signal: AbortSignal): void {
    this.#running.add(informer.run(signal));
  }
}

function scopeKey(resource: Resource, { namespaces, labelSelector, fieldSelector }: Scope): string {
  return JSON.stringify([apiVersionOf(resource), resource.plural, namespaces, labelSelector, fieldSelector]);
}
