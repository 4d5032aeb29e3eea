// What a watch would have shown between two versions, for one that could not go on because a restarted API server had
// forgotten them. etcd still knows: the API server lists what there was at exactly any version of the last minutes. One
// version is one write, so going through all of them leaves nothing out, not even what came and went.

import type { Client } from '../../src/runtime/client/client.ts';
import { isApiError } from '../../src/runtime/errors.ts';
import type { KubeObject } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';

export interface Gap {
  readonly namespace: string;
  /** The last version of which everything was seen, and what there was then. */
  readonly from: string;
  readonly present: readonly KubeObject[];
  readonly to: string;
}

export interface MissedEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: T;
}

/** Every change of the resource after `from` and up to `to`, in order. */
export async function missedEvents<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  { namespace, from, to, present }: Gap,
): Promise<readonly MissedEvent<T>[]> {
  const events: MissedEvent<T>[] = [];
  let before = byUid(present as readonly T[]);
  for (let version = Number(from) + 1; version <= Number(to); version++) {
    const now = byUid(await listAt(client, resource, namespace, String(version)));
    events.push(...differences(before, now, String(version)));
    before = now;
  }
  return events;
}

async function listAt<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  namespace: string,
  resourceVersion: string,
): Promise<readonly T[]> {
  try {
    return (await client.list(resource, { namespace, resourceVersion, resourceVersionMatch: 'Exact' })).items;
  } catch (error) {
    if (!isApiError(error, 'Gone')) throw error;
    throw new Error(`nobody knows any more what there was at version ${resourceVersion}`, { cause: error });
  }
}

function differences<T extends KubeObject>(
  before: ReadonlyMap<string, T>,
  now: ReadonlyMap<string, T>,
  version: string,
): MissedEvent<T>[] {
  const gone = [...before.values()].filter(({ metadata }) => !now.has(metadata.uid));
  const changed = [...now.values()].filter(({ metadata }) => metadata.resourceVersion === version);
  return [
    // As in a watch: the last that was known of it, at the version at which it went.
    ...gone.map((object): MissedEvent<T> => {
      return { type: 'DELETED', object: { ...object, metadata: { ...object.metadata, resourceVersion: version } } };
    }),
    ...changed.map((object): MissedEvent<T> => {
      return { type: before.has(object.metadata.uid) ? 'MODIFIED' : 'ADDED', object };
    }),
  ];
}

function byUid<T extends KubeObject>(objects: readonly T[]): ReadonlyMap<string, T> {
  return new Map(objects.map((object) => [object.metadata.uid, object]));
}
