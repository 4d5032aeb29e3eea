// Follows objects of the cluster as they change, through the runtime's own informers: a watch that is cut begins again
// where it was. What can never succeed, such as a missing right to watch, is thrown instead of being tried for ever.

import { Cache } from '../runtime/cache/cache.ts';
import type { Informer } from '../runtime/cache/informer.ts';
import type { ReflectorHealth } from '../runtime/cache/reflector.ts';
import type { Client } from '../runtime/client/client.ts';
import type { Selection } from '../runtime/client/options.ts';
import { isApiError } from '../runtime/errors.ts';
import type { KubeObject } from '../runtime/object.ts';
import type { Resource } from '../runtime/resource.ts';

/** How often the health of watches is looked at while nothing else happens. */
const LOOK_MS = 100;

export class Following {
  readonly #cache: Cache;
  readonly #signal: AbortSignal;
  readonly #stop = new AbortController();
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

  /** Resolves when everything there is has been seen. */
  async start(): Promise<void> {
    this.#cache.start(this.#signal).catch(() => {}); // ends with the signal, and never otherwise
    while (!this.#cache.informers.every(({ hasSynced }) => hasSynced)) await this.#pause(LOOK_MS);
  }

  /** Resolves at the next change since the last call, or after `withinMs`; rejects when the command is interrupted. */
  async change(withinMs: number): Promise<void> {
    if (!this.#hasChanged) await this.#pause(withinMs);
    this.#hasChanged = false;
  }

  /** Whether what is shown may be old: a watch is broken and has not begun again yet. */
  get isCut(): boolean {
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
    return this.#cache.informers.flatMap(({ health }) => health);
  }
}
