// Reading one's own writes: how far the cache has to come before it shows what a controller last wrote for one owner. A
// plan made before that is made from the past.
//
// Guarantees
// - Only the newest write of each resource counts; responses that arrive out of order do no harm.
// - A resource without a cache, and versions that are not comparable, never hold a reconcile back.

import { compareResourceVersions } from '../cache/resource-version.ts';
import { groupResourceOf, type Resource } from '../resource.ts';

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

/** The newest versions that a controller has written for each owner, and whether the cache shows them. */
export class WrittenVersions {
  /** The newest version by group resource (`pods`, `deployments.apps`). */
  readonly #versions = new Map<string, string>();

  /** To be called with what the API server returned, after every successful write. */
  wrote(groupResource: string, resourceVersion: string): void {
    const newest = this.#versions.get(groupResource);
    if (newest === undefined || isNewer(resourceVersion, newest)) this.#versions.set(groupResource, resourceVersion);
  }

  /** Which cache does not show the last write yet. When all of them do, the versions are forgotten. */
  staleRead(namespace: string | undefined, lastSynced: LastSynced): StaleRead | undefined {
    for (const [groupResource, written] of this.#versions) {
      const synced = lastSynced(groupResource, namespace);
      if (synced !== undefined && isNewer(written, synced)) return { groupResource, written, synced };
    }
    this.#versions.clear();
    return undefined;
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
