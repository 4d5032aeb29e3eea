// A map that evicts the least recently used entry when it is full. It relies on Map keeping the order of insertion.
// The `lru-cache` package would add 18 kB to the bundle, allocate its arrays in full at the start, and never expire an entry that
// was set when the clock was at 0.

export class LruMap<Value> {
  readonly #size: number;
  /** Invariant: the least recently used comes first. */
  readonly #values = new Map<string, Value>();

  constructor(size: number) {
    this.#size = size;
  }

  /** Counts as a use. */
  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: Value): Value {
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (oldest !== undefined && this.#values.size > this.#size) this.#values.delete(oldest);
    return value;
  }
}
