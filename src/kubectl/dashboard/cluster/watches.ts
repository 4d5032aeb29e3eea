// The watches of the dashboard: one for each kind, shared by everything that any tab shows. A kind that no tab has needed yet is not
// watched. What the caller may not read, and a kind that is not installed, have no objects and a reason.

import { Cache } from '../../../runtime/cache/cache.ts';
import type { Informer } from '../../../runtime/cache/informer.ts';
import type { IndexFunction } from '../../../runtime/cache/store.ts';
import type { Client } from '../../../runtime/client/client.ts';
import type { Selection } from '../../../runtime/client/options.ts';
import { isApiError } from '../../../runtime/errors.ts';
import { controllerOf, type KubeObject } from '../../../runtime/object.ts';
import { groupResourceOf, type Resource } from '../../../runtime/resource.ts';
import { failureLine } from '../../failure.ts';

export interface WatchOptions<T extends KubeObject> extends Selection {
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  readonly transform?: (object: T) => T;
}

export class Watches {
  readonly #cache: Cache;
  readonly #namespace: string | undefined;
  readonly #informers = new Map<string, Informer<KubeObject>>();
  readonly #touched = new Map<string, number>();
  readonly #onChange: () => void;

  /** Watches one namespace, or all of them; `onChange` is called for every change. */
  constructor(client: Client, namespace: string | undefined, onChange: () => void) {
    this.#cache = new Cache(client);
    this.#namespace = namespace;
    this.#onChange = onChange;
  }

  /** Resolves when the signal has aborted and every watch has ended. */
  run(signal: AbortSignal): Promise<void> {
    return this.#cache.start(signal);
  }

  /** The objects of this kind, watched from the first call on. */
  of<T extends KubeObject>(resource: Resource<T>, options: WatchOptions<T> = {}): Informer<T> {
    const name = groupResourceOf(resource);
    const known = this.#informers.get(name);
    if (known !== undefined) return known as unknown as Informer<T>;
    const scope = resource.namespaced && this.#namespace !== undefined ? { namespace: this.#namespace } : {};
    const informer = this.#cache.informer(resource, { ...scope, ...options });
    this.#informers.set(name, informer as unknown as Informer<KubeObject>);
    informer.onChange(({ type, object }) => {
      this.#touch(object);
      if (type === 'deleted') this.#touched.delete(object.metadata.uid);
    });
    void informer.synced.then(() => this.#onChange());
    return informer;
  }

  /** Grows with every change of this object, and of what it owns. */
  version(uid: string): number {
    return this.#touched.get(uid) ?? 0;
  }

  /** Whether every object of this kind is known, or cannot be. */
  isFilled(resource: Resource): boolean {
    return this.of(resource).hasSynced || this.refusal(resource, '') !== undefined;
  }

  /** Why there are no objects of this kind: a missing right, or a kind that is not installed. */
  refusal(resource: Resource, server: string): string | undefined {
    const informer = this.#informers.get(groupResourceOf(resource));
    const { lastError, phase } = informer?.health[0] ?? {};
    const isRefused = isApiError(lastError, 'Forbidden', 'NotFound') && !informer?.hasSynced && phase !== 'stopped';
    return isRefused ? failureLine(lastError, server) : undefined;
  }

  /** The health of each watch by its name. */
  *health() {
    for (const [name, informer] of this.#informers) {
      for (const health of informer.health) yield [name, health] as const;
    }
  }

  #touch(object: KubeObject): void {
    for (const uid of [object.metadata.uid, controllerOf(object)?.uid]) {
      if (uid !== undefined) this.#touched.set(uid, (this.#touched.get(uid) ?? 0) + 1);
    }
    this.#onChange();
  }
}
