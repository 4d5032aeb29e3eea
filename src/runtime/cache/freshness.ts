// Makes sure that a cache shows everything that existed at a given time, for controllers that must not act on less: a
// replica that has just been elected, whose predecessor may have written until a moment ago. A watch without events
// proves nothing, because a half-open connection has no events either, and a bookmark may be half a minute away.
//
// So the API server is asked: a consistent read of the metadata of everything in scope costs half as much as reading
// the objects. The cache is fresh when it has the same objects at the same versions, or when its watch has passed the
// version of the read. A watch that only lags has one second to catch up; then everything is listed again.

import type { Client } from '../client/client.ts';
import type { Selection } from '../client/options.ts';
import { type Clock, sleep } from '../clock.ts';
import type { Logger } from '../log.ts';
import { type KubeObject, keyOf } from '../object.ts';
import type { Resource } from '../resource.ts';
import { hasReached } from './resource-version.ts';

/** The part of a cache that one watch maintains. */
export interface Watched {
  readonly resource: Resource;
  readonly scope: Selection;
  /** False for objects that the cache leaves out. @default it leaves none out */
  readonly keeps?: (object: KubeObject) => boolean;
  /** The objects that the cache has now. */
  readonly objects: () => readonly KubeObject[];
  /** The cache has every change up to this version. */
  readonly version: () => string | undefined;
  /** Lists everything again; resolves when the cache shows it. */
  readonly fillAnew: () => Promise<void>;
}

export interface FreshnessOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly pageSize: number;
  readonly signal: AbortSignal;
}

/** The API server's objects in a scope: the version of each by its key, at `resourceVersion`. */
interface Inventory {
  readonly versions: ReadonlyMap<string, string>;
  readonly resourceVersion: string;
}

const LOOKS = 20;
const LOOK_EVERY_MS = 50;
/** Enough for tens of thousands of objects; with a slower API server everything is listed again until that succeeds. */
const READ_TIMEOUT_MS = 10_000;

/** Resolves when the cache shows everything that the API server has now, or later; rejects when stopped. */
export async function catchUp(
  client: Pick<Client, 'pages'>,
  watched: Watched,
  options: FreshnessOptions,
): Promise<void> {
  const { clock, log, signal } = options;
  try {
    const inventory = await takeInventory(client, watched, options);
    for (let looks = 0; looks < LOOKS; looks++) {
      if (shows(watched, inventory)) return;
      await sleep(clock, LOOK_EVERY_MS, signal);
    }
    log.warn('cache is behind the server, everything is listed anew', { ...watched.scope, version: watched.version() });
  } catch (error) {
    signal.throwIfAborted();
    log.warn('cannot compare the cache with the server, everything is listed anew', { ...watched.scope, error });
  }
  await watched.fillAnew();
}

async function takeInventory(
  client: Pick<Client, 'pages'>,
  { resource, scope, keeps = () => true }: Watched,
  { pageSize: limit, signal }: FreshnessOptions,
): Promise<Inventory> {
  const once = { timeoutMs: READ_TIMEOUT_MS, attempts: 1, signal };
  const versions = new Map<string, string>();
  let resourceVersion: string | undefined;
  // A list without a resourceVersion is a consistent read, and its further pages have the version of the first.
  for await (const page of client.pages(resource, {
    ...scope,
    limit,
    metadataOnly: true,
    omitManagedFields: true,
    ...once,
  })) {
    resourceVersion ??= page.metadata.resourceVersion;
    for (const item of page.items) if (keeps(item)) versions.set(keyOf(item.metadata), item.metadata.resourceVersion);
  }
  if (resourceVersion === undefined) throw new Error(`a list of ${resource.plural} came without a resourceVersion`);
  return { versions, resourceVersion };
}

function shows({ objects, version }: Watched, inventory: Inventory): boolean {
  if (hasReached(version(), inventory.resourceVersion)) return true;
  const kept = objects();
  const isSame = ({ metadata }: KubeObject): boolean =>
    inventory.versions.get(keyOf(metadata)) === metadata.resourceVersion;
  return kept.length === inventory.versions.size && kept.every(isSame);
}
