// How long a key that failed has to wait: twice as long after each failure in a row. These are client-go's defaults.

/** How long a key waits after a failure. */
export interface RateLimiter {
  /** Counts one more failure of the key and says how long it has to wait. */
  delayOf(key: string): number;
  /** Failures counted since the key was last forgotten. */
  failures(key: string): number;
  /** Ends a row of failures, and frees the memory of it. */
  forget(key: string): void;
}

/** The first and the longest wait, in milliseconds. */
export interface BackOffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Each key by itself: 5 ms, 10 ms, 20 ms … up to 1000 s. */
export class ExponentialBackOff implements RateLimiter {
  readonly #limits: BackOffLimits;
  readonly #failures = new Map<string, number>();

  constructor(limits: BackOffLimits = { firstMs: 5, longestMs: 1_000_000 }) {
    this.#limits = limits;
  }

  delayOf(key: string): number {
    const failures = this.failures(key);
    this.#failures.set(key, failures + 1);
    return Math.min(this.#limits.longestMs, this.#limits.firstMs * 2 ** failures);
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }
}
