// A source that a test moves by hand: objects come, change and go when it says so, and it syncs when told to.

import type { Change, ChangeHandler } from '../../../src/runtime/cache/informer.ts';
import type { Source } from '../../../src/runtime/controller/sources.ts';
import { type KubeObject, keyOf, type ObjectMeta } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';

export const widgets: Resource = {
  group: 'test.io',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
};
export const pods: Resource = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

export function object(metadata: Partial<ObjectMeta> = {}): KubeObject {
  return { metadata: { name: 'w', namespace: 'ns', uid: 'uid-w', resourceVersion: '1', ...metadata } };
}

export class FakeSource implements Source<KubeObject> {
  readonly resource: Resource;
  /** How often it was asked to. */
  catchUps = 0;
  readonly #synced = Promise.withResolvers<void>();
  readonly #objects = new Map<string, KubeObject>();
  readonly #handlers = new Set<ChangeHandler<KubeObject>>();

  constructor(resource: Resource = widgets) {
    this.resource = resource;
  }

  catchUp(): Promise<void> {
    this.catchUps += 1;
    return this.#synced.promise;
  }

  /** How many handlers are registered. */
  get handlers(): number {
    return this.#handlers.size;
  }

  onChange(handler: ChangeHandler<KubeObject>): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  /** Ends the initial list, of which these objects are part. */
  sync(...objects: readonly KubeObject[]): this {
    for (const each of objects) this.#put(each, true);
    this.#synced.resolve();
    return this;
  }

  /** The object is there now, as it is given. */
  put(each: KubeObject): void {
    this.#put(each, false);
  }

  #put(each: KubeObject, initial: boolean): void {
    const old = this.#objects.get(keyOf(each.metadata));
    this.#objects.set(keyOf(each.metadata), each);
    const difference = old === undefined ? { type: 'added' as const } : { type: 'updated' as const, old };
    this.#tell({ ...difference, object: each, initial });
  }

  #tell(change: Change<KubeObject>): void {
    for (const handler of this.#handlers) handler(change);
  }
}
