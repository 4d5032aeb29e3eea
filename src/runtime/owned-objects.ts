// The objects of one kind that a controller makes for the objects that it reconciles: kept as they should be by server-side apply,
// and deleted when they are no longer wanted.
//
// Guarantees
// - What is wanted is what is there: a field that a user changes is put back, and one that is no longer wanted is removed. Fields
//   that the manifest does not name belong to others, such as `replicas` to an autoscaler.
// - An object of the same name that this owner does not control is never touched (AlreadyOwnedError, NotOwnedError).
// - Nothing is sent while the cache shows what is wanted.
// Caveats: a value that the API server rewrites (`1000m` of CPU becomes `1`) looks like a difference, and is applied again when
// the object changes; the API server finds nothing to do then.

import { createHash } from 'node:crypto';
import type { Informer } from './cache/informer.ts';
import type { Client } from './client/client.ts';
import { isApiError } from './errors.ts';
import { controllerOf, type KubeObject, keyOf, type Manifest, type ObjectMeta, type ObjectRef } from './object.ts';
import type { Operator } from './operator/operator.ts';
import { AlreadyOwnedError, setControllerReference } from './owner.ts';
import { apiVersionOf, type Resource } from './resource.ts';

/** What a controller wants one object to be. Its namespace is that of its owner unless it says another. */
export type Wanted<T extends KubeObject> = Omit<Manifest<T>, 'metadata' | 'status'> & {
  readonly metadata: Partial<ObjectMeta> & { readonly name: string };
};

/** Thrown when an object of the wanted name was there before, and has no controller. */
export class NotOwnedError extends Error {
  override readonly name = 'NotOwnedError';

  constructor(what: string, owner: string) {
    super(`${what} exists and was not made for ${owner}: delete it, or choose another name`);
  }
}

interface Applied {
  readonly digest: string;
  readonly resourceVersion: string;
}

/** Keeps the objects of one kind that belong to the objects of a controller. */
export class OwnedObjects<T extends KubeObject> {
  /** For `Controller.owns`. */
  readonly informer: Informer<T>;
  readonly #client: Client;
  readonly #fieldManager: string;
  readonly #owner: Resource;
  readonly #resource: Resource<T>;
  /** What this process applied last, by key. */
  readonly #applied = new Map<string, Applied>();

  /** Objects of `resource`, owned by objects of `owner`. */
  constructor(
    { cache, client, name }: Pick<Operator, 'cache' | 'client' | 'name'>,
    owner: Resource,
    resource: Resource<T>,
  ) {
    this.informer = cache.informer(resource);
    this.#client = client;
    this.#fieldManager = name;
    this.#owner = owner;
    this.#resource = resource;
    this.informer.onChange(({ type, object }) => {
      if (type === 'deleted') this.#applied.delete(keyOf(object.metadata));
    });
  }

  /** Those that this owner controls. */
  of(owner: KubeObject): readonly T[] {
    return this.informer.byIndex('ownerUid', owner.metadata.uid);
  }

  /** Makes the object what is wanted, if it is not; resolves with the object as it is known then. */
  async ensure(owner: KubeObject, wanted: Wanted<T>, signal?: AbortSignal): Promise<T> {
    const body = this.#manifest(owner, wanted);
    const key = keyOf(body.metadata);
    const digest = createHash('sha256').update(JSON.stringify(body)).digest('base64');
    const found = this.informer.get(key);
    this.#refuseForeign(found ?? (await this.#readLive(body.metadata, signal)), owner);
    if (found !== undefined && this.#isInPlace(found, body, digest)) return found;
    const patch = { type: 'apply', body, fieldManager: this.#fieldManager, force: true } as const;
    const applied = await this.#client.patch(this.#resource, body.metadata, patch, { ...(signal && { signal }) });
    this.#applied.set(key, { digest, resourceVersion: applied.metadata.resourceVersion });
    return applied;
  }

  /** Deletes what this owner controls and does not name. */
  async keepOnly(owner: KubeObject, names: readonly string[], signal?: AbortSignal): Promise<void> {
    const surplus = this.of(owner).filter(
      ({ metadata }) => metadata.deletionTimestamp === undefined && !names.includes(metadata.name),
    );
    await Promise.all(
      surplus.map(({ metadata }) =>
        this.#client
          .delete(this.#resource, metadata, { uid: metadata.uid, ...(signal && { signal }) })
          .catch(ignoreGone),
      ),
    );
  }

  #manifest(owner: KubeObject, wanted: Wanted<T>): Manifest<KubeObject> & { readonly metadata: ObjectRef } {
    const { namespace } = owner.metadata;
    const metadata = { ...(this.#resource.namespaced && namespace && { namespace }), ...wanted.metadata };
    const typed = { apiVersion: apiVersionOf(this.#resource), kind: this.#resource.kind, ...wanted, metadata };
    return setControllerReference(typed, owner, this.#owner);
  }

  /** Without a look at the API server, an object that the cache does not show yet could be taken from its owner. */
  async #readLive(ref: ObjectRef, signal?: AbortSignal): Promise<T | undefined> {
    try {
      return await this.#client.get(this.#resource, ref, { ...(signal && { signal }) });
    } catch (error) {
      ignoreGone(error);
      return undefined;
    }
  }

  #refuseForeign(found: T | undefined, owner: KubeObject): void {
    if (found === undefined) return;
    const controller = controllerOf(found);
    if (controller?.uid === owner.metadata.uid) return;
    const what = `${this.#resource.kind} "${keyOf(found.metadata)}"`;
    if (controller !== undefined) throw new AlreadyOwnedError(what, controller);
    throw new NotOwnedError(what, `${this.#owner.kind} "${keyOf(owner.metadata)}"`);
  }

  /** A process that has just started has applied nothing yet, and cannot know what was wanted before. */
  #isInPlace(found: T, body: object, digest: string): boolean {
    const last = this.#applied.get(keyOf(found.metadata));
    if (last?.digest !== digest) return false;
    return last.resourceVersion === found.metadata.resourceVersion || contains(found, body);
  }
}

/** Whether everything that is wanted is there; what is there besides does not matter. */
function contains(found: unknown, wanted: unknown): boolean {
  if (wanted === undefined) return true;
  // The API server stores no empty lists and maps.
  if (found === undefined) return typeof wanted === 'object' && wanted !== null && Object.keys(wanted).length === 0;
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(found) &&
      found.length === wanted.length &&
      wanted.every((each, index) => contains(found[index], each))
    );
  }
  if (typeof wanted !== 'object' || wanted === null) return found === wanted;
  if (typeof found !== 'object' || found === null) return false;
  return Object.entries(wanted).every(([name, each]) => contains((found as Record<string, unknown>)[name], each));
}

function ignoreGone(error: unknown): void {
  if (!isApiError(error, 'NotFound')) throw error;
}
