// Holds requests back: at most `burst` at once and `qps` a second in the long run. Callers wait in the order in which they
// asked; one that gives up hands its turn back.

import { type Clock, sleep } from '../clock.ts';
import { TokenBucket } from '../token-bucket.ts';

export interface RateLimit {
  readonly qps: number;
  readonly burst: number;
}

export class RateLimiter {
  readonly #bucket: TokenBucket;
  readonly #clock: Clock;

  constructor({ qps, burst }: RateLimit, clock: Clock) {
    if (!(qps > 0) || !(burst >= 1)) {
      throw new Error(`rate limit needs qps > 0 and burst >= 1, got qps ${qps} and burst ${burst}`);
    }
    this.#bucket = new TokenBucket(clock, { perSecond: qps, burst });
    this.#clock = clock;
  }

  /** Resolves when the request may go, with the milliseconds it waited. */
  async take(signal?: AbortSignal): Promise<number> {
    const waitMs = Math.ceil(this.#bucket.reserve());
    if (waitMs === 0) return 0;
    try {
      await sleep(this.#clock, waitMs, signal);
    } catch (error) {
      this.#bucket.giveBack();
      throw error;
    }
    return waitMs;
  }
}
