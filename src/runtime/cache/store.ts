// The objects of one informer by key, with indexes that always equal a scan of all objects: each step changes both and
// returns what changed. Index functions must be pure: entries are found again by calling them. An error of one is
// reported, and the object is left out of that index only.

import { controllerOf, type KubeObject, keyOf } from '../object.ts';

/** The values by which an object is found. */
export type IndexFunction<T extends KubeObject> = (object: T) => readonly string[];
/** Index functions by the name of the index. */
export type Indexes<T extends KubeObject> = Readonly<Record<string, IndexFunction<T>>>;

/** Every store has these. */
export const builtInIndexes = {
  namespace: (object) => (object.metadata.namespace === undefined ? [] : [object.metadata.namespace]),
  ownerUid: (object) => {
    const owner = controllerOf(object);
    return owner === undefined ? [] : [owner.uid];
  },
} as const satisfies Indexes<KubeObject>;

/** What one step changed. */
export type Difference<T extends KubeObject> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'updated'; readonly object: T; readonly old: T }
  /** `object` is the last known state, which is an older one when the deletion itself was missed. */
  | { readonly type: 'deleted'; readonly object: T };

export type IndexErrorHandler<T extends KubeObject> = (index: string, object: T, error: unknown) => void;

export class Store<T extends KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, Index<T>>();
  readonly #onIndexError: IndexErrorHandler<T>;

  constructor(onIndexError: IndexErrorHandler<T>) {
    this.#onIndexError = onIndexError;
    this.addIndexes(builtInIndexes);
  }

  /** Adds indexes over the objects there are and will be; a name may come again with the same function only. */
  addIndexes(indexes: Indexes<T>): void {
    for (const [name, valuesOf] of Object.entries(indexes)) {
      const existing = this.#indexes.get(name);
      if (existing?.valuesOf === valuesOf) continue;
      if (existing !== undefined) throw new Error(`index "${name}" exists with another function`);
      const index = new Index(valuesOf, (object, error) => this.#onIndexError(name, object, error));
      for (const [key, object] of this.#objects) index.insert(key, object);
      this.#indexes.set(name, index);
    }
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(): readonly T[] {
    return [...this.#objects.values()];
  }

  byIndex(name: string, value: string): readonly T[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new Error(`no index "${name}"; there are ${[...this.#indexes.keys()].join(', ')}`);
    return index.get(value);
  }

  /** An object that is stored in this very version changes nothing. */
  put(object: T): readonly Difference<T>[] {
    const key = keyOf(object.metadata);
    const old = this.#objects.get(key);
    if (old?.metadata.resourceVersion === object.metadata.resourceVersion) return [];
    this.#set(key, object, old);
    if (old === undefined) return [{ type: 'added', object }];
    if (old.metadata.uid === object.metadata.uid) return [{ type: 'updated', object, old }];
    // Same name, another object: the deletion of the first one was missed.
    return [
      { type: 'deleted', object: old },
      { type: 'added', object },
    ];
  }

  /** `last` is the final state, when it is known. */
  delete(key: string, last?: T): readonly Difference<T>[] {
    const old = this.#objects.get(key);
    if (old === undefined) return [];
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) index.remove(key, old);
    return [{ type: 'deleted', object: last ?? old }];
  }

  /** Makes the store hold these objects and, within the namespace if one is named, no others. */
  replace(objects: ReadonlyMap<string, T>, namespace?: string): readonly Difference<T>[] {
    const differences: Difference<T>[] = [];
    for (const [key, { metadata }] of this.#objects) {
      if (namespace !== undefined && metadata.namespace !== namespace) continue;
      if (!objects.has(key)) differences.push(...this.delete(key));
    }
    for (const object of objects.values()) differences.push(...this.put(object));
    return differences;
  }

  #set(key: string, object: T, old: T | undefined): void {
    this.#objects.set(key, object);
    for (const index of this.#indexes.values()) {
      if (old !== undefined) index.remove(key, old);
      index.insert(key, object);
    }
  }
}

class Index<T extends KubeObject> {
  readonly valuesOf: IndexFunction<T>;
  readonly #onError: (object: T, error: unknown) => void;
  readonly #entries = new Map<string, Map<string, T>>();

  constructor(valuesOf: IndexFunction<T>, onError: (object: T, error: unknown) => void) {
    this.valuesOf = valuesOf;
    this.#onError = onError;
  }

  get(value: string): readonly T[] {
    return [...(this.#entries.get(value)?.values() ?? [])];
  }

  insert(key: string, object: T): void {
    for (const value of this.#values(object, this.#onError)) {
      const found = this.#entries.get(value);
      if (found === undefined) this.#entries.set(value, new Map([[key, object]]));
      else found.set(key, object);
    }
  }

  remove(key: string, object: T): void {
    for (const value of this.#values(object)) {
      const found = this.#entries.get(value);
      found?.delete(key);
      // Owners are created and deleted: an empty entry for each would be a leak.
      if (found?.size === 0) this.#entries.delete(value);
    }
  }

  #values(object: T, onError?: (object: T, error: unknown) => void): readonly string[] {
    try {
      return this.valuesOf(object);
    } catch (error) {
      onError?.(object, error);
      return [];
    }
  }
}
