// Gathers everything the server has, before any of it is shown. By stream: the objects arrive as events of a watch, and a
// bookmark says that this is all; neither side has to hold a whole list. By pages: for servers that cannot stream.

import type { Client } from '../client/client.ts';
import type { Bookmark, ListOptions, ObjectList, WatchEvent, WatchOptions } from '../client/options.ts';
import { ApiError, isApiError } from '../errors.ts';
import { type KubeObject, keyOf } from '../object.ts';
import { apiVersionOf, type Resource } from '../resource.ts';
import type { Prepare } from './transform.ts';

/** All objects there were at this version, by key. */
export interface Filled<T extends KubeObject> {
  readonly objects: ReadonlyMap<string, T>;
  readonly resourceVersion: string;
}

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** What a fill needs to know besides how to ask. */
export interface Filling<T extends KubeObject, Options> {
  readonly resource: Resource<T>;
  readonly options: Options;
  readonly prepare: Prepare<T>;
  /** Called at every sign of life of the server. */
  readonly heard: () => void;
}

/** Reads a watch that begins with the objects there are, as of no earlier than now, until the bookmark after the last. */
export async function fillByStream<T extends KubeObject>(
  client: Pick<Client, 'watch'>,
  { resource, options, prepare, heard }: Filling<T, WatchOptions>,
): Promise<Filled<T>> {
  const fill = new StreamedFill(prepare);
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
  readonly #objects = new Map<string, T>();

  constructor(prepare: Prepare<T>) {
    this.#prepare = prepare;
  }

  /** Takes an object, or a change of one that happened meanwhile; gives everything once it is complete. */
  take(event: WatchEvent<T>): Filled<T> | undefined {
    switch (event.type) {
      case 'ADDED':
      case 'MODIFIED':
        this.#objects.set(keyOf(event.object.metadata), this.#prepare(event.object));
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

/** Lists page by page, and in one piece when a continue token expires on the way: only that is sure to be quick enough. */
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
  { resource, prepare, heard }: Filling<T, unknown>,
  pages: AsyncIterable<ObjectList<T>> | Iterable<ObjectList<T>>,
): Promise<Filled<T>> {
  // List items come without their kind; a watch names it. The store should not show the difference.
  const kind = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  const objects = new Map<string, T>();
  let resourceVersion: string | undefined;
  for await (const page of pages) {
    heard();
    resourceVersion ??= page.metadata.resourceVersion;
    for (const item of page.items) objects.set(keyOf(item.metadata), prepare(Object.assign(item, kind)));
  }
  if (resourceVersion === undefined) throw new Error(`a list of ${resource.plural} came without a resourceVersion`);
  return { objects, resourceVersion };
}
