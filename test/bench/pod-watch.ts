// The stopwatch: a watch of its own on the pods of one namespace, with a connection of its own. It tells when something
// became true of the pods, and takes nobody's word for it. A fresh API server cuts watches under load, so it goes on at
// the last version it saw.

import { setTimeout as delay } from 'node:timers/promises';
import { readKubeconfig } from '../../src/runtime/client/access.ts';
import { type Client, createClient } from '../../src/runtime/client/client.ts';
import { Connection } from '../../src/runtime/client/connection.ts';
import { isApiError } from '../../src/runtime/errors.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { PodTally, type WatchedPod } from './pod-tally.ts';

export const pods: Resource<WatchedPod> = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

export type Condition = (pods: PodTally) => boolean;

interface Waiter {
  readonly holds: Condition;
  fulfil(at: number): void;
  fail(reason: unknown): void;
}

const BEFORE_RESUMING_MS = 5;
/** Busy cores do five pods a second when each waits for the one before, and fifty otherwise; whoever is slower is stuck. */
const PATIENCE_MS = { atLeast: 60_000, perPod: 400 };

export class PodWatch {
  readonly pods = new PodTally();
  readonly #connection: Connection;
  readonly #client: Client;
  readonly #namespace: string;
  readonly #stop = new AbortController();
  readonly #waiters = new Set<Waiter>();
  #following: Promise<void> = Promise.resolve();

  private constructor(connection: Connection, namespace: string) {
    this.#connection = connection;
    this.#client = createClient(connection);
    this.#namespace = namespace;
  }

  /** Watches the pods of a namespace until closed, or until the signal aborts. */
  static async open(kubeconfig: string, namespace: string, signal: AbortSignal): Promise<PodWatch> {
    const watch = new PodWatch(new Connection(await readKubeconfig([kubeconfig])), namespace);
    signal.addEventListener('abort', () => watch.#end(signal.reason), { once: true });
    watch.#following = watch.#follow(await watch.#list()).catch((error) => watch.#end(error));
    return watch;
  }

  /**
   * Resolves with the time (of `performance.now`) at which the condition began to hold. Its patience ends, with an error,
   * when even a slow cluster would have done it with this many pods.
   */
  async until(what: string, holds: Condition, expectedPods: number): Promise<number> {
    const withinMs = PATIENCE_MS.atLeast + PATIENCE_MS.perPod * Math.max(expectedPods, this.pods.present);
    if (this.#stop.signal.aborted) throw this.#stop.signal.reason;
    if (holds(this.pods)) return performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const waiter: Waiter = { holds, fulfil: resolve, fail: reject };
    this.#waiters.add(waiter);
    const timer = setTimeout(() => {
      reject(new Error(`waited ${withinMs / 1000} s until ${what}; there are ${this.pods}`));
    }, withinMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
    }
  }

  async close(): Promise<void> {
    this.#end(new Error('the watch was closed'));
    await this.#following;
    await this.#connection.close();
  }

  #end(reason: unknown): void {
    this.#stop.abort(reason);
    for (const { fail } of this.#waiters) fail(reason);
  }

  async #list(): Promise<string> {
    const { items, metadata } = await this.#client.list(pods, { namespace: this.#namespace, omitManagedFields: true });
    this.pods.replace(items);
    this.#judge();
    return metadata.resourceVersion as string;
  }

  async #follow(from: string): Promise<void> {
    const { signal } = this.#stop;
    let resourceVersion = from;
    while (!signal.aborted) {
      const options = { namespace: this.#namespace, resourceVersion, allowWatchBookmarks: true, signal };
      try {
        for await (const event of this.#client.watch(pods, { ...options, omitManagedFields: true })) {
          ({ resourceVersion } = event.object.metadata);
          if (event.type === 'BOOKMARK') continue;
          this.pods.observe(event.type, event.object);
          this.#judge();
        }
      } catch (error) {
        if (isApiError(error, 'Gone')) resourceVersion = await this.#list();
        else if (!isApiError(error, 'Aborted', 'Connection', 'TooManyRequests', 'Timeout')) throw error;
        await delay(BEFORE_RESUMING_MS);
      }
    }
  }

  #judge(): void {
    const now = performance.now();
    for (const { holds, fulfil } of this.#waiters) if (holds(this.pods)) fulfil(now);
  }
}
