// Moves stored objects of a kind to the version that is stored now. The API server writes an object in the new version only when
// a client writes it; until all are written, the old version has to stay in the CRD. Afterwards a later release may drop it.
//
// Guarantees: objects change in nothing but how they are stored; the old version is struck off `status.storedVersions` only after
// every object was written; an interrupted migration starts over, and one that is not needed costs a single read.

import type { Client } from './client/client.ts';
import { sleep } from './clock.ts';
import type { CustomResource } from './custom-resource.ts';
import { isApiError } from './errors.ts';
import type { Logger } from './log.ts';
import type { Runnable } from './manager/runnable.ts';
import type { KubeObject } from './object.ts';
import type { Operator } from './operator/operator.ts';
import { groupResourceOf, type Resource } from './resource.ts';

export interface StoredDefinition extends KubeObject {
  readonly status?: { readonly storedVersions?: readonly string[] };
}

export const customResourceDefinitions: Resource<StoredDefinition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

type Migrator = Pick<Operator, 'client' | 'clock' | 'log' | 'namespaces'>;

const PAGE = 500;
/** Few at once: no request waits for them. */
const AT_ONCE = 8;

const RETRY_MS = 30_000;

/** Migrates once this replica leads; tries again until it has worked. An operator that is confined to namespaces cannot. */
export function storageMigration({ client, clock, log, namespaces }: Migrator, definition: CustomResource): Runnable {
  return {
    name: `storage migration of ${groupResourceOf(definition.resource)}`,
    phase: 'leader',
    start: async (stop) => {
      while (namespaces === undefined && !stop.aborted) {
        const written = await migrateStorage(client, definition, { log, signal: stop }).catch((error: unknown) => {
          if (!stop.aborted) log.warn('stored objects are not migrated yet', { error });
          return undefined;
        });
        if (written !== undefined) return;
        await sleep(clock, RETRY_MS, stop).catch(() => {}); // a stop ends the wait; the loop checks it
      }
    },
  };
}

/** Resolves with how many objects were written. */
export async function migrateStorage(
  client: Client,
  { resource }: CustomResource,
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
): Promise<number> {
  const ref = { name: groupResourceOf(resource) };
  const { metadata, status } = await client.get(customResourceDefinitions, ref, { signal });
  const stored = status?.storedVersions ?? [];
  if (stored.every((version) => version === resource.version)) return 0;
  let written = 0;
  for await (const { items } of client.pages(resource, { limit: PAGE, metadataOnly: true, signal })) {
    for (let start = 0; start < items.length; start += AT_ONCE) {
      const some = items.slice(start, start + AT_ONCE);
      await Promise.all(some.map((item) => rewrite(client, resource, item, signal)));
    }
    written += items.length;
  }
  // Refused when the CRD has changed meanwhile: another version may be stored by now.
  const body = {
    metadata: { resourceVersion: metadata.resourceVersion },
    status: { storedVersions: [resource.version] },
  };
  await client.patch(customResourceDefinitions, ref, { type: 'merge', body }, { subresource: 'status', signal });
  log.info('objects are stored in the current version', { resource: ref.name, was: stored, objects: written });
  return written;
}

/** A patch without a change: the API server writes the object because it would be stored in other words. */
async function rewrite(
  client: Client,
  resource: Resource,
  { metadata }: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.patch(resource, metadata, { type: 'merge', body: {} }, { signal });
  } catch (error) {
    if (!isApiError(error, 'NotFound')) throw error;
  }
}
