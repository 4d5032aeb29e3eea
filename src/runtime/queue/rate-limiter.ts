// How long a key that failed has to wait. Two limiters, of which the slower one counts: a key that keeps failing waits
// twice as long each time, and all failures together get no more than a bucket allows. These are client-go's defaults.

import type { Clock } from '../clock.ts';
import { TokenBucket, type TokenBucketLimits } from '../token-bucket.ts';

export interface RateLimiter {
  /** Counts one more failure of the key and says how long it has to wait. */
  delayOf(key: string): number;
  /** Failures counted since the key was last forgotten. */
  failures(key: string): number;
  /** Ends a row of failures, and frees the memory of it. */
  forget(key: string): void;
}

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

/** All keys together: 100 at once, then 10 a second. */
export class OverallBucket implements RateLimiter {
  readonly #bucket: TokenBucket;

  constructor(clock: Clock, limits: TokenBucketLimits = { perSecond: 10, burst: 100 }) {
    this.#bucket = new TokenBucket(clock, limits);
  }

  delayOf(): number {
    return this.#bucket.reserve();
  }

  failures(): number {
    return 0;
  }

  forget(): void {}
}

/** Asks every limiter and obeys the slowest. */
export function slowestOf(...limiters: readonly RateLimiter[]): RateLimiter {
  return {
    delayOf: (key) => Math.max(...limiters.map((limiter) => limiter.delayOf(key))),
    failures: (key) => Math.max(...limiters.map((limiter) => limiter.failures(key))),
    forget(key) {
      for (const limiter of limiters) limiter.forget(key);
    },
  };
}

/** The limiter that controllers have unless they ask for another. */
export function defaultRateLimiter(clock: Clock): RateLimiter {
  return slowestOf(new ExponentialBackOff(), new OverallBucket(clock));
}
