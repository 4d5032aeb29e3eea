// A token bucket: `burst` at once, then `perSecond` on average. It only computes delays; callers wait by themselves.

import type { Clock } from './clock.ts';
import { type Instant, msBetween } from './instant.ts';

export interface TokenBucketLimits {
  readonly perSecond: number;
  readonly burst: number;
}

export class TokenBucket {
  readonly #clock: Clock;
  readonly #limits: TokenBucketLimits;
  /** Negative when tokens are reserved that do not exist yet. */
  #tokens: number;
  #countedAt: Instant;

  constructor(clock: Clock, limits: TokenBucketLimits) {
    this.#clock = clock;
    this.#limits = limits;
    this.#tokens = limits.burst;
    this.#countedAt = clock.now();
  }

  /** Reserves a token and returns how many milliseconds to wait until it exists. */
  reserve(): number {
    this.#refill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#limits.perSecond) * 1000;
  }

  /** Returns a token that was reserved and will not be used. */
  giveBack(): void {
    this.#tokens += 1;
  }

  /** Takes a token if there is one. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** How many milliseconds until `tryTake` would succeed. */
  msUntilNext(): number {
    this.#refill();
    return Math.max(0, ((1 - this.#tokens) / this.#limits.perSecond) * 1000);
  }

  #refill(): void {
    const now = this.#clock.now();
    const passedMs = msBetween(this.#countedAt, now);
    this.#tokens = Math.min(this.#limits.burst, this.#tokens + (passedMs / 1000) * this.#limits.perSecond);
    this.#countedAt = now;
  }
}
