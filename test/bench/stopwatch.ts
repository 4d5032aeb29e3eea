// The stopwatch: watches of its own on the pods of one namespace and on the objects that ask for them, with a connection of
// its own. It tells when something became true of them, and takes nobody's word for it. A fresh API server cuts watches
// under load, so it goes on at the last version it saw.

import { setTimeout as delay } from 'node:timers/promises';
import { readKubeconfig } from '../../src/runtime/client/access.ts';
import { type Client, createClient } from '../../src/runtime/client/client.ts';
import { Connection } from '../../src/runtime/client/connection.ts';
import { isApiError } from '../../src/runtime/errors.ts';
import type { KubeObject } from '../../src/runtime/object.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { PodTally, type WatchedPod } from './pod-tally.ts';
import { StatusTally } from './status-tally.ts';

export const pods: Resource<WatchedPod> = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

export type Condition = (pods: PodTally, statuses: StatusTally) => boolean;

/** Objects whose status is watched, and how a status says that all is as asked. */
export interface Reporting<T extends KubeObject = never> {
  readonly resource: Resource<T>;
  readonly isReported: (object: T) => boolean;
}

export interface StopwatchProps<T extends KubeObject> {
  readonly kubeconfig: string;
  readonly namespace: string;
  /** @default the pods alone are watched */
  readonly reporting?: Reporting<T>;
  readonly signal: AbortSignal;
}

interface Tally<T> {
  observe(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T, at: number): void;
  replace(objects: readonly T[], at: number): void;
}

interface Waiter {
  readonly holds: Condition;
  fulfil(at: number): void;
  fail(reason: unknown): void;
}

const BEFORE_RESUMING_MS = 5;
/** Busy cores do five pods a second when each waits for the one before, and fifty otherwise; a slower controller is stuck. */
const PATIENCE_MS = { atLeast: 60_000, perPod: 400 };

export class Stopwatch {
  readonly pods = new PodTally();
  readonly statuses = new StatusTally();
  readonly #connection: Connection;
  readonly #client: Client;
  readonly #namespace: string;
  readonly #stop = new AbortController();
  readonly #waiters = new Set<Waiter>();
  readonly #following: Promise<void>[] = [];

  private constructor(connection: Connection, namespace: string) {
    this.#connection = connection;
    this.#client = createClient(connection);
    this.#namespace = namespace;
  }

  /** Watches a namespace until closed, or until the signal aborts. */
  static async open<T extends KubeObject>(props: StopwatchProps<T>): Promise<Stopwatch> {
    const { kubeconfig, namespace, reporting, signal } = props;
    const watch = new Stopwatch(new Connection(await readKubeconfig([kubeconfig])), namespace);
    signal.addEventListener('abort', () => watch.#end(signal.reason), { once: true });
    await watch.#start(pods, watch.pods);
    if (reporting !== undefined) await watch.#start(reporting.resource, watch.statuses.of(reporting.isReported));
    return watch;
  }

  /**
   * Resolves with the time (of `performance.now`) at which the condition began to hold. Its patience ends, with an error,
   * when even a slow cluster would have done it with this many pods.
   */
  async until(what: string, holds: Condition, expectedPods: number): Promise<number> {
    const withinMs = PATIENCE_MS.atLeast + PATIENCE_MS.perPod * Math.max(expectedPods, this.pods.present);
    if (this.#stop.signal.aborted) throw this.#stop.signal.reason;
    if (holds(this.pods, this.statuses)) return performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const waiter: Waiter = { holds, fulfil: resolve, fail: reject };
    this.#waiters.add(waiter);
    const timer = setTimeout(() => {
      reject(new Error(`waited ${withinMs / 1000} s until ${what}; there are ${this.pods}; ${this.statuses}`));
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
    await Promise.all(this.#following);
    await this.#connection.close();
  }

  #end(reason: unknown): void {
    this.#stop.abort(reason);
    for (const { fail } of this.#waiters) fail(reason);
  }

  async #start<T extends KubeObject>(resource: Resource<T>, tally: Tally<T>): Promise<void> {
    const from = await this.#list(resource, tally);
    this.#following.push(this.#follow(resource, tally, from).catch((error) => this.#end(error)));
  }

  async #list<T extends KubeObject>(resource: Resource<T>, tally: Tally<T>): Promise<string> {
    const options = { namespace: this.#namespace, omitManagedFields: true };
    const { items, metadata } = await this.#client.list(resource, options);
    const now = performance.now();
    tally.replace(items, now);
    this.#judge(now);
    return metadata.resourceVersion as string;
  }

  async #follow<T extends KubeObject>(resource: Resource<T>, tally: Tally<T>, from: string): Promise<void> {
    const { signal } = this.#stop;
    let resourceVersion = from;
    while (!signal.aborted) {
      const options = { namespace: this.#namespace, resourceVersion, allowWatchBookmarks: true, signal };
      try {
        for await (const event of this.#client.watch(resource, { ...options, omitManagedFields: true })) {
          ({ resourceVersion } = event.object.metadata);
          if (event.type === 'BOOKMARK') continue;
          const now = performance.now();
          tally.observe(event.type, event.object, now);
          this.#judge(now);
        }
      } catch (error) {
        if (isApiError(error, 'Gone')) resourceVersion = await this.#list(resource, tally);
        else if (!isApiError(error, 'Aborted', 'Connection', 'TooManyRequests', 'Timeout')) throw error;
        await delay(BEFORE_RESUMING_MS);
      }
    }
  }

  #judge(now: number): void {
    for (const { holds, fulfil } of this.#waiters) if (holds(this.pods, this.statuses)) fulfil(now);
  }
}
