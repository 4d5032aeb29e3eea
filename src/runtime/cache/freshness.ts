// Makes sure that a cache shows everything that was there at a moment, for those who must not act on less: a replica that
// has just been elected, whose predecessor may have written until a moment ago. That a watch has shown nothing since
// proves nothing, because a half-open connection shows nothing either, and a bookmark may be half a minute away.
//
// So the server is asked: a consistent read of the metadata of everything in scope, half as dear as reading the objects.
// The cache is fresh when it holds the same objects at the same versions, or when its watch has come past the read. A
// watch that is merely late has a second to get there; then everything is listed anew, which is such a read itself.

import type { Client } from '../client/client.ts';
import type { Selection } from '../client/options.ts';
import { type Clock, sleep } from '../clock.ts';
import type { Logger } from '../log.ts';
import { type KubeObject, keyOf } from '../object.ts';
import type { Resource } from '../resource.ts';
import { hasReached } from './resource-version.ts';

/** The part of a cache that one watch keeps. */
export interface Watched {
  readonly resource: Resource;
  readonly scope: Selection;
  /** The objects that the cache has of it now. */
  readonly objects: () => readonly KubeObject[];
  /** Every change up to this version is among them. */
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

/** What the server has in a scope: the version of each object by its key, as of `resourceVersion`. */
interface Inventory {
  readonly versions: ReadonlyMap<string, string>;
  readonly resourceVersion: string;
}

const LOOKS = 20;
const LOOK_EVERY_MS = 50;
/** Tens of thousands of objects fit; a server that is slower than this gets the list that is repeated until it succeeds. */
const READ_TIMEOUT_MS = 10_000;

/** Resolves when the cache shows everything that the server has at this moment, or later; rejects when stopped. */
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
  { resource, scope }: Watched,
  { pageSize: limit, signal }: FreshnessOptions,
): Promise<Inventory> {
  const once = { timeoutMs: READ_TIMEOUT_MS, attempts: 1, signal };
  const versions = new Map<string, string>();
  let resourceVersion: string | undefined;
  // Without a resourceVersion a list is a consistent read, and its further pages are of the same moment as its first.
  for await (const page of client.pages(resource, {
    ...scope,
    limit,
    metadataOnly: true,
    omitManagedFields: true,
    ...once,
  })) {
    resourceVersion ??= page.metadata.resourceVersion;
    for (const { metadata } of page.items) versions.set(keyOf(metadata), metadata.resourceVersion);
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
