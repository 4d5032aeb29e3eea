// How long a change waits until it is worked on, while many changes a second come in: from the moment at which the cache
// shows it to the beginning of its reconcile, and from the moment at which it was written.

import { setTimeout as delay } from 'node:timers/promises';
import { Cache } from '../../../src/runtime/cache/cache.ts';
import type { Informer } from '../../../src/runtime/cache/informer.ts';
import type { Client } from '../../../src/runtime/client/client.ts';
import { Controller } from '../../../src/runtime/controller/controller.ts';
import { done } from '../../../src/runtime/controller/result.ts';
import { type KubeObject, keyOf } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { concurrently, range } from '../concurrently.ts';
import { monotonicMs } from './monotonic.ts';

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMaps: Resource<ConfigMap> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};

export interface Latency {
  readonly eventsPerSecond: number;
  /** From the cache to the reconcile, in milliseconds, for each reconcile. */
  readonly waits: readonly number[];
  /** From the write to the reconcile. */
  readonly ages: readonly number[];
}

/** Changes objects for a while. */
export type Churn = (objects: readonly ConfigMap[]) => Promise<void>;

const OBJECTS = 500;
const WORKERS = 8;
/** What was written last, and waits longest, must not be left out. */
const LATE_MS = 1_000;

/** Lets a controller follow what `churn` does to the ConfigMaps of a namespace. */
export async function measureLatency(client: Client, namespace: string, churn: Churn): Promise<Latency> {
  await concurrently(range(OBJECTS), (index) =>
    client.create(configMaps, { metadata: { namespace, name: `c-${index}` } }),
  );
  const stop = new AbortController();
  const cache = new Cache(client);
  const informer = cache.informer(configMaps, { namespace });
  const follower = new Follower(informer);
  const running = [cache.start(stop.signal)];
  await cache.waitForSync(stop.signal);
  const objects = informer.list().filter(({ metadata }) => metadata.name.startsWith('c-'));
  const controller = new Controller({ name: 'latency', workers: WORKERS, reconcile: follower.reconcile });
  running.push(controller.for(informer).start(stop.signal));
  await churn(objects);
  await delay(LATE_MS);
  stop.abort();
  await Promise.all(running);
  return follower.seen;
}

/** Notes when a change is shown, and when it is worked on. */
class Follower {
  readonly #waits: number[] = [];
  readonly #ages: number[] = [];
  readonly #eventsAt: number[] = [];
  readonly #informer: Informer<ConfigMap>;
  readonly #shownAt = new Map<string, number>();

  constructor(informer: Informer<ConfigMap>) {
    this.#informer = informer;
    informer.onChange(({ type, object }) => {
      if (type !== 'updated') return;
      const now = monotonicMs();
      this.#eventsAt.push(now);
      const key = keyOf(object.metadata);
      if (!this.#shownAt.has(key)) this.#shownAt.set(key, now);
    });
  }

  get seen(): Latency {
    const [first = 0, last = 0] = [this.#eventsAt[0], this.#eventsAt.at(-1)];
    const eventsPerSecond = (this.#eventsAt.length - 1) / ((last - first) / 1000);
    return { eventsPerSecond, waits: this.#waits, ages: this.#ages };
  }

  readonly reconcile = async (key: string) => {
    const shownAt = this.#shownAt.get(key);
    if (shownAt === undefined) return done; // replayed, not changed
    this.#shownAt.delete(key);
    const now = monotonicMs();
    this.#waits.push(now - shownAt);
    this.#ages.push(now - Number(this.#informer.get(key)?.data?.sentAt));
    return done;
  };
}
