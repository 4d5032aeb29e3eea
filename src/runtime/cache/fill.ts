// Reads all objects of a scope before any of them is shown. Streamed: objects arrive as events of a watch, and a
// bookmark marks the end, so that neither side holds a whole list. Paged: for API servers that cannot stream.

import type { Client } from '../client/client.ts';
import type { Bookmark, ListOptions, ObjectList, WatchEvent, WatchOptions } from '../client/options.ts';
import { ApiError, isApiError } from '../errors.ts';
import { type KubeObject, keyOf } from '../object.ts';
import { apiVersionOf, type Resource } from '../resource.ts';
import type { Prepare } from './transform.ts';

/** All objects at this version, by key. */
export interface Filled<T extends KubeObject> {
  readonly objects: ReadonlyMap<string, T>;
  readonly resourceVersion: string;
}

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** The settings of a fill. */
export interface Filling<T extends KubeObject, Options> {
  readonly resource: Resource<T>;
  readonly options: Options;
  readonly prepare: Prepare<T>;
  /** False for objects to leave out. */
  readonly keeps: (object: T) => boolean;
  /** Called whenever the API server sends something. */
  readonly heard: () => void;
}

/** Reads a watch that begins with the existing objects, no older than now, until the bookmark that ends them. */
export async function fillByStream<T extends KubeObject>(
  client: Pick<Client, 'watch'>,
  { resource, options, prepare, keeps, heard }: Filling<T, WatchOptions>,
): Promise<Filled<T>> {
  const fill = new StreamedFill(prepare, keeps);
  const start = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true } as const;
  for await (const event of client.watch(resource, { ...options, ...start })) {
    heard();
    const filled = fill.take(event);
    if (filled !== undefined) return filled;
  }
  throw new ApiError(
    'Connection',
    `watch ${resource.plural}: Connection: the stream ended before the list was complete`,
  );
}

class StreamedFill<T extends KubeObject> {
  readonly #prepare: Prepare<T>;
  readonly #keeps: (object: T) => boolean;
  readonly #objects = new Map<string, T>();

  constructor(prepare: Prepare<T>, keeps: (object: T) => boolean) {
    this.#prepare = prepare;
    this.#keeps = keeps;
  }

  /** Takes an object, or a change that happened meanwhile; returns everything once it is complete. */
  take(event: WatchEvent<T>): Filled<T> | undefined {
    switch (event.type) {
      case 'ADDED':
      case 'MODIFIED':
        if (this.#keeps(event.object)) this.#objects.set(keyOf(event.object.metadata), this.#prepare(event.object));
        return undefined;
      case 'DELETED':
        this.#objects.delete(keyOf(event.object.metadata));
        return undefined;
      case 'BOOKMARK':
        return isEnd(event.object)
          ? { objects: this.#objects, resourceVersion: event.object.metadata.resourceVersion }
          : undefined;
      default:
        return event satisfies never;
    }
  }
}

function isEnd({ metadata }: Bookmark): boolean {
  return metadata.annotations?.[INITIAL_EVENTS_END] === 'true';
}

/** Lists page by page, and in one request when a continue token expires: only that is sure to finish in time. */
export async function fillByPages<T extends KubeObject>(
  client: Pick<Client, 'list' | 'pages'>,
  fill: Filling<T, ListOptions & { readonly limit: number }>,
): Promise<Filled<T>> {
  const { limit: _, ...whole } = fill.options;
  try {
    return await gather(fill, client.pages(fill.resource, fill.options));
  } catch (error) {
    if (!isApiError(error, 'Gone')) throw error;
    return gather(fill, [await client.list(fill.resource, whole)]);
  }
}

async function gather<T extends KubeObject>(
  { resource, prepare, keeps, heard }: Filling<T, unknown>,
  pages: AsyncIterable<ObjectList<T>> | Iterable<ObjectList<T>>,
): Promise<Filled<T>> {
  // List items come without their kind, watch events with it. Stored objects should not differ in that.
  const kind = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  const objects = new Map<string, T>();
  let resourceVersion: string | undefined;
  for await (const page of pages) {
    heard();
    resourceVersion ??= page.metadata.resourceVersion;
    for (const item of page.items) {
      if (keeps(item)) objects.set(keyOf(item.metadata), prepare(Object.assign(item, kind)));
    }
  }
  if (resourceVersion === undefined) throw new Error(`a list of ${resource.plural} came without a resourceVersion`);
  return { objects, resourceVersion };
}
