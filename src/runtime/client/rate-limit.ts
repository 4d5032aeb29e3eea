// A token bucket: at most `burst` requests at once and `qps` a second in the long run. Callers wait in the order in
// which they asked; one that gives up hands its token back.

import { type Clock, sleep } from '../clock.ts';

export interface RateLimit {
  readonly qps: number;
  readonly burst: number;
}

export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  /** Below zero when requests are waiting: each waiter owns one of the tokens still to come. */
  #tokens: number;
  #filledAt: number;

  constructor(limit: RateLimit, clock: Clock) {
    if (!(limit.qps > 0) || !(limit.burst >= 1)) {
      throw new Error(`rate limit needs qps > 0 and burst >= 1, got qps ${limit.qps} and burst ${limit.burst}`);
    }
    this.#limit = limit;
    this.#clock = clock;
    this.#tokens = limit.burst;
    this.#filledAt = clock.now();
  }

  /** Resolves when the request may go, with the milliseconds it waited. */
  async take(signal?: AbortSignal): Promise<number> {
    this.#fill();
    this.#tokens -= 1;
    if (this.#tokens >= 0) return 0;
    const waitMs = Math.ceil((-this.#tokens / this.#limit.qps) * 1_000);
    try {
      await sleep(this.#clock, waitMs, signal);
    } catch (error) {
      this.#tokens += 1;
      throw error;
    }
    return waitMs;
  }

  #fill(): void {
    const now = this.#clock.now();
    const earned = ((now - this.#filledAt) / 1_000) * this.#limit.qps;
    this.#tokens = Math.min(this.#limit.burst, this.#tokens + Math.max(0, earned));
    this.#filledAt = now;
  }
}
