// The three verbs a reflector uses, answered by a script: each watch is one that the test feeds, ends or breaks. For
// what the reflector decides; what travels over a wire is tested with the client and on a real API server.

import type { Client } from '../../../src/runtime/client/client.ts';
import type { ListOptions, ObjectList, WatchEvent, WatchOptions } from '../../../src/runtime/client/options.ts';
import { ApiError, type ApiErrorFacts, type ApiFailure } from '../../../src/runtime/errors.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { settle } from '../../support/fake-clock.ts';

export interface Thing extends KubeObject {
  readonly value?: string;
}

export const things: Resource<Thing> = {
  group: 'test',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  namespaced: true,
};

export function thing(name: string, resourceVersion: string, more: Partial<Thing> = {}): Thing {
  return {
    apiVersion: 'test/v1',
    kind: 'Thing',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion },
    ...more,
  };
}

export function failure(reason: ApiFailure, facts: ApiErrorFacts = {}): ApiError {
  return new ApiError(reason, `watch things.test: ${reason}`, facts);
}

/** One watch that the reflector has asked for. */
export class FakeWatch {
  readonly options: WatchOptions;
  /** True once the reflector has let go of it. */
  closed = false;
  readonly #queue: (WatchEvent<Thing> | Error | 'end')[] = [];
  #wake: () => void = () => {};

  constructor(options: WatchOptions) {
    this.options = options;
  }

  /** The server accepts. */
  async open(): Promise<void> {
    this.options.onOpen?.();
    await settle();
  }

  async send(type: 'ADDED' | 'MODIFIED' | 'DELETED', ...objects: readonly Thing[]): Promise<void> {
    for (const object of objects) this.#queue.push({ type, object: structuredClone(object) });
    await this.#woken();
  }

  async bookmark(resourceVersion: string, annotations?: Record<string, string>): Promise<void> {
    const metadata = { resourceVersion, ...(annotations === undefined ? {} : { annotations }) };
    this.#queue.push({ type: 'BOOKMARK', object: { metadata } });
    await this.#woken();
  }

  /** A streamed list: these objects, and the bookmark after the last. */
  async fill(resourceVersion: string, ...objects: readonly Thing[]): Promise<void> {
    await this.open();
    await this.send('ADDED', ...objects);
    await this.bookmark(resourceVersion, { 'k8s.io/initial-events-end': 'true' });
  }

  async end(): Promise<void> {
    this.#queue.push('end');
    await this.#woken();
  }

  async fail(error: Error): Promise<void> {
    this.#queue.push(error);
    await this.#woken();
  }

  async *events(): AsyncGenerator<WatchEvent<Thing>, void, void> {
    const { signal } = this.options;
    signal?.addEventListener('abort', () => {
      this.#queue.push(new ApiError('Aborted', 'watch things.test: Aborted', { cause: signal.reason }));
      this.#wake();
    });
    try {
      for (;;) {
        const next = this.#queue.shift();
        if (next === 'end') return;
        if (next instanceof Error) throw next;
        if (next !== undefined) yield next;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.closed = true;
    }
  }

  async #woken(): Promise<void> {
    this.#wake();
    await settle();
  }
}

export class FakeApi {
  readonly watches: FakeWatch[] = [];
  readonly lists: ListOptions[] = [];
  /** Answers of the next lists. */
  readonly pages: (ObjectList<Thing> | Error)[] = [];

  get last(): FakeWatch {
    const last = this.watches.at(-1);
    if (last === undefined) throw new Error('nobody watches');
    return last;
  }

  get client(): Pick<Client, 'list' | 'pages' | 'watch'> {
    const list = async (_resource: unknown, options: ListOptions = {}): Promise<ObjectList<Thing>> => {
      this.lists.push(options);
      const answer = this.pages.shift() ?? new Error('no list scripted');
      if (answer instanceof Error) throw answer;
      return structuredClone(answer);
    };
    const pages = async function* (resource: unknown, options: ListOptions): AsyncGenerator<ObjectList<Thing>> {
      let page = await list(resource, options);
      yield page;
      while (page.metadata.continue) {
        page = await list(resource, { ...options, continue: page.metadata.continue });
        yield page;
      }
    };
    const watch = (_resource: unknown, options: WatchOptions = {}): AsyncGenerator<WatchEvent<Thing>> => {
      const started = new FakeWatch(options);
      this.watches.push(started);
      return started.events();
    };
    return { list, pages, watch } as unknown as Pick<Client, 'list' | 'pages' | 'watch'>;
  }
}
