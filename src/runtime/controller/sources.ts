// Where a controller's keys come from: changes of objects, each mapped to the keys that it concerns. An update concerns
// the keys of the old object as well as those of the new one, so that an owner which lost a child hears of it.

import type { Change, Informer } from '../cache/informer.ts';
import { controllerOf, type KubeObject, keyOf } from '../object.ts';
import type { Resource } from '../resource.ts';
import type { Predicate } from './predicates.ts';

/** The part of an informer that a controller needs. A late subscriber gets every object that is there. */
export type Source<T extends KubeObject> = Pick<Informer<T>, 'resource' | 'catchUp' | 'onChange'>;

/** The keys to reconcile when this object has changed. */
export type MapToKeys<T extends KubeObject> = (object: T) => Iterable<string>;

/** Live: the object has changed. Replayed: the informer reports an object that it had before, unchanged. */
export type Freshness = 'live' | 'replayed';

export interface Subscription {
  /** Resolves when the source shows everything that was there when this was called, or later. */
  catchUp(): Promise<void>;
  /** Calls back with keys until the returned function is called. */
  start(onKey: (key: string, freshness: Freshness) => void): () => void;
}

export function subscription<T extends KubeObject>(
  source: Source<T>,
  map: MapToKeys<T>,
  predicates: readonly Predicate<T>[],
): Subscription {
  return {
    catchUp: () => source.catchUp(),
    start: (onKey) =>
      source.onChange((change) => {
        if (!predicates.every((predicate) => predicate(change))) return;
        const freshness = freshnessOf(change);
        for (const key of keysOf(change, map)) onKey(key, freshness);
      }),
  };
}

/** An object's own key. */
export const ownKey: MapToKeys<KubeObject> = (object) => [keyOf(object.metadata)];

/** The key of the owner that controls the object, if that owner is of this kind. Versions of the kind are alike. */
export function keyOfOwner(owner: Resource): MapToKeys<KubeObject> {
  return (object) => {
    const reference = controllerOf(object);
    if (reference?.kind !== owner.kind || groupOf(reference.apiVersion) !== owner.group) return [];
    const { name } = reference;
    const { namespace } = object.metadata;
    return [keyOf(owner.namespaced && namespace !== undefined ? { namespace, name } : { name })];
  };
}

function groupOf(apiVersion: string): string {
  return apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));
}

function keysOf<T extends KubeObject>(change: Change<T>, map: MapToKeys<T>): Set<string> {
  const keys = new Set(map(change.object));
  if (change.type === 'updated') for (const key of map(change.old)) keys.add(key);
  return keys;
}

function freshnessOf(change: Change<KubeObject>): Freshness {
  const unchanged =
    change.type === 'updated' && change.old.metadata.resourceVersion === change.object.metadata.resourceVersion;
  return change.initial || unchanged ? 'replayed' : 'live';
}
