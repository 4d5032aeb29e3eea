// Remembers answers for a while. Bounded, because the keys come from outside: when it is full the oldest entry goes.

import { type Clock, type Instant, later } from '../clock.ts';

export class ExpiringCache<V> {
  readonly #clock: Clock;
  readonly #size: number;
  readonly #entries = new Map<string, { readonly value: V; readonly until: Instant }>();

  constructor(clock: Clock, size: number) {
    this.#clock = clock;
    this.#size = size;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#clock.now() < entry.until) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: V, ttlMs: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: later(this.#clock.now(), ttlMs) });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#size && oldest !== undefined) this.#entries.delete(oldest);
  }
}
