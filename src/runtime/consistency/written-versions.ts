// Reading one's own writes: remembers how far the cache has to come before it shows what a controller last wrote for an
// owner. A plan made before that would be made from the past.
//
// Guarantees
// - Only the newest write of each resource counts; answers that arrive out of order do no harm.
// - Once the cache has caught up, the memory of the owner is released.
// - A resource without a cache, and versions that are not comparable, never hold a reconcile back.

import { compareResourceVersions } from '../cache/resource-version.ts';
import { refOf } from '../object.ts';
import { groupResourceOf, type Resource } from '../resource.ts';
import type { OwnerIdentity } from './owner-identity.ts';

/** The version up to which the cache of a resource is complete in a namespace; undefined when there is no such cache. */
export type LastSynced = (groupResource: string, namespace: string | undefined) => string | undefined;

/** What an informer says of how far it has come. */
interface Synced {
  readonly resource: Resource;
  lastSyncedResourceVersion(namespace?: string): string | undefined;
}

/** Asks these informers. */
export function lastSyncedOf(...informers: readonly Synced[]): LastSynced {
  const byResource = new Map(informers.map((informer) => [groupResourceOf(informer.resource), informer]));
  return (groupResource, namespace) => byResource.get(groupResource)?.lastSyncedResourceVersion(namespace);
}

export interface StaleRead {
  readonly groupResource: string;
  readonly written: string;
  readonly synced: string;
}

interface Written {
  readonly ownerUid: string;
  /** The newest version by group resource (`pods`, `deployments.apps`). */
  readonly versions: Map<string, string>;
}

export class WrittenVersions {
  readonly #written = new Map<string, Written>();

  /** To be called with what the API server returned, after every successful write. */
  wrote(owner: OwnerIdentity, groupResource: string, resourceVersion: string): void {
    const { versions } = this.#writtenOf(owner);
    const newest = versions.get(groupResource);
    if (newest === undefined || isNewer(resourceVersion, newest)) versions.set(groupResource, resourceVersion);
  }

  /** Which cache does not show the owner's last write yet; undefined when all of them do. */
  staleRead(ownerKey: string, lastSynced: LastSynced): StaleRead | undefined {
    const { namespace } = refOf(ownerKey);
    for (const [groupResource, written] of this.#written.get(ownerKey)?.versions ?? []) {
      const synced = lastSynced(groupResource, namespace);
      if (synced !== undefined && isNewer(written, synced)) return { groupResource, written, synced };
    }
    this.forget(ownerKey);
    return undefined;
  }

  isStale(ownerKey: string, lastSynced: LastSynced): boolean {
    return this.staleRead(ownerKey, lastSynced) !== undefined;
  }

  /** To be called when the owner is gone. With a uid, only that owner's writes are forgotten. */
  forget(ownerKey: string, uid?: string): void {
    if (uid === undefined || this.#written.get(ownerKey)?.ownerUid === uid) this.#written.delete(ownerKey);
  }

  /** How many owners have writes that have not been seen. */
  get size(): number {
    return this.#written.size;
  }

  #writtenOf({ key, uid }: OwnerIdentity): Written {
    const known = this.#written.get(key);
    if (known?.ownerUid === uid) return known;
    const written = { ownerUid: uid, versions: new Map<string, string>() };
    this.#written.set(key, written);
    return written;
  }
}

function isNewer(a: string, b: string): boolean {
  try {
    return compareResourceVersions(a, b) > 0;
  } catch {
    // A server that does not number its versions cannot be waited for.
    return false;
  }
}
