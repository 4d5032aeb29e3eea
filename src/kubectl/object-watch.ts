// Watches objects for a command that waits or shows a live view, through the runtime's informers, which resume a watch that
// ends. An error that no retry can fix, such as a missing permission, is thrown.

import { Cache } from '../runtime/cache/cache.ts';
import type { Informer } from '../runtime/cache/informer.ts';
import type { ReflectorHealth } from '../runtime/cache/reflector.ts';
import type { Client } from '../runtime/client/client.ts';
import type { Selection } from '../runtime/client/options.ts';
import { isApiError } from '../runtime/errors.ts';
import type { KubeObject } from '../runtime/object.ts';
import type { Resource } from '../runtime/resource.ts';

/** How often the health of the watches is checked while no event arrives. */
const HEALTH_CHECK_MS = 100;

export class ObjectWatch {
  readonly #cache: Cache;
  readonly #signal: AbortSignal;
  readonly #stop = new AbortController();
  readonly #optional = new Set<object>();
  #hasChanged = false;
  #wake: () => void = () => {};

  constructor(client: Client, signal: AbortSignal) {
    this.#cache = new Cache(client);
    this.#signal = AbortSignal.any([signal, this.#stop.signal]);
    this.#signal.addEventListener('abort', () => this.#wake());
  }

  /** Objects of this kind and scope, kept up to date from `start` on. */
  informer<T extends KubeObject>(resource: Resource<T>, scope: Selection): Informer<T> {
    const informer = this.#cache.informer(resource, scope);
    informer.onChange(() => {
      this.#hasChanged = true;
      this.#wake();
    });
    return informer;
  }

  /** The same for a kind that may not be installed, or that the user may not read: then there are none. */
  optionalInformer<T extends KubeObject>(resource: Resource<T>, scope: Selection): Informer<T> {
    const informer = this.informer(resource, scope);
    this.#optional.add(informer);
    return informer;
  }

  /** Resolves when the informers have listed every object that they can. */
  async start(): Promise<void> {
    this.#cache.start(this.#signal).catch(() => {}); // ends with the signal, and never otherwise
    const isReady = (informer: Informer<KubeObject>): boolean => informer.hasSynced || this.#isUnavailable(informer);
    while (!this.#cache.informers.every(isReady)) await this.#pause(HEALTH_CHECK_MS);
  }

  /** Resolves at the next change since the last call, or after `withinMs`; rejects when the command is interrupted. */
  async nextChange(withinMs: number): Promise<void> {
    if (!this.#hasChanged) await this.#pause(withinMs);
    this.#hasChanged = false;
  }

  /** Whether the objects may be outdated, because a watch ended and has not resumed yet. */
  get isDisconnected(): boolean {
    return this.#watches().some(({ phase }) => phase === 'waiting');
  }

  stop(): void {
    this.#stop.abort();
  }

  async #pause(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
    this.#signal.throwIfAborted();
    for (const { lastError } of this.#watches()) {
      if (isApiError(lastError, 'Forbidden', 'Unauthorized')) throw lastError;
    }
  }

  #watches(): readonly ReflectorHealth[] {
    const needed = this.#cache.informers.filter((informer) => !this.#isUnavailable(informer));
    return needed.flatMap(({ health }) => health);
  }

  #isUnavailable(informer: Informer<KubeObject>): boolean {
    if (!this.#optional.has(informer)) return false;
    return informer.health.some(({ lastError }) => isApiError(lastError, 'NotFound', 'Forbidden'));
  }
}
