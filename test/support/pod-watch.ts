// Watches the pods of a namespace with a watch of its own and judges them at every single event, instead of at polls. It
// proves that it missed nothing: before it is closed, what it saw has to add up to what the API server lists.

import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../src/runtime/client/client.ts';
import { isApiError } from '../../src/runtime/errors.ts';
import type { Pod } from '../../src/workload/pod.ts';
import { pods } from '../../src/workload/write-context.ts';
import { eventually } from './eventually.ts';

const BREATH_MS = 100;

/** What is wrong with the pods there are; undefined when nothing is. */
export type Judge = (present: readonly Pod[]) => string | undefined;

export class PodWatch {
  readonly #client: Client;
  readonly #namespace: string;
  readonly #judge: Judge;
  readonly #present = new Map<string, Pod>();
  readonly #broken: string[] = [];
  readonly #stop = new AbortController();
  #reading: Promise<unknown> = Promise.resolve();
  #events = 0;

  private constructor(client: Client, namespace: string, judge: Judge) {
    this.#client = client;
    this.#namespace = namespace;
    this.#judge = judge;
  }

  /** Judges from now on. */
  static async open(client: Client, namespace: string, judge: Judge): Promise<PodWatch> {
    const watch = new PodWatch(client, namespace, judge);
    const { items, metadata } = await client.list(pods, { namespace });
    for (const pod of items) watch.#present.set(pod.metadata.uid, pod);
    watch.#reading = watch.#read(metadata.resourceVersion as string).catch((error: unknown) => error);
    return watch;
  }

  get events(): number {
    return this.#events;
  }

  /** Reads to the end, stops, and returns what was wrong. */
  async close(): Promise<readonly string[]> {
    try {
      await eventually(() => this.#level());
    } finally {
      this.#stop.abort();
    }
    const hole = await this.#reading;
    if (hole !== undefined) throw new Error('the watch has a hole', { cause: hole });
    return this.#broken;
  }

  /** A watch may end at any time; it goes on where it was. If that is no longer possible the history has a hole. */
  async #read(from: string): Promise<void> {
    const { signal } = this.#stop;
    let resourceVersion = from;
    while (!signal.aborted) {
      const options = { namespace: this.#namespace, resourceVersion, allowWatchBookmarks: true, signal };
      try {
        for await (const event of this.#client.watch(pods, options)) {
          ({ resourceVersion } = event.object.metadata);
          if (event.type !== 'BOOKMARK') this.#note(event.type, event.object);
        }
      } catch (error) {
        if (!isApiError(error, 'Aborted', 'Connection', 'TooManyRequests')) throw error;
        // While the API server does not answer, asking again at once would leave no time for anything else.
        await delay(BREATH_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  #note(type: 'ADDED' | 'MODIFIED' | 'DELETED', pod: Pod): void {
    this.#events += 1;
    if (type === 'DELETED') this.#present.delete(pod.metadata.uid);
    else this.#present.set(pod.metadata.uid, pod);
    const wrong = this.#judge([...this.#present.values()]);
    if (wrong !== undefined) this.#broken.push(`event ${this.#events}, ${type} ${pod.metadata.name}: ${wrong}`);
  }

  async #level(): Promise<void> {
    const { items } = await this.#client.list(pods, { namespace: this.#namespace });
    const versions = (all: Iterable<Pod>): string =>
      [...all]
        .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
        .sort()
        .join(' ');
    const [seen, listed] = [versions(this.#present.values()), versions(items)];
    if (seen !== listed) throw new Error(`the watch shows ${seen}, the server has ${listed}`);
  }
}
