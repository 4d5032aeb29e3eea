// Keeps each value for its own time. Bounded, because clients choose the keys. Ours, because it takes an injected
// clock.

import type { Clock } from '../clock.ts';
import { type Instant, later } from '../instant.ts';
import { LruMap } from '../lru-map.ts';

export class ExpiringCache<V> {
  readonly #clock: Clock;
  readonly #entries: LruMap<{ readonly value: V; readonly until: Instant }>;

  constructor(clock: Clock, size: number) {
    this.#clock = clock;
    this.#entries = new LruMap(size);
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#clock.now() < entry.until ? entry.value : undefined;
  }

  set(key: string, value: V, ttlMs: number): void {
    this.#entries.set(key, { value, until: later(this.#clock.now(), ttlMs) });
  }
}
