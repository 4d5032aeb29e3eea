// Growing, jittered delays between attempts that fail one after the other. A healthy attempt resets them.

export interface BackoffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
  /** An attempt that lasted this long counts as healthy, however it ended. */
  readonly healthyAfterMs: number;
}

export class Backoff {
  readonly #limits: BackoffLimits;
  readonly #random: () => number;
  #failures = 0;

  constructor(limits: BackoffLimits, random: () => number) {
    this.#limits = limits;
    this.#random = random;
  }

  /** Attempts in a row that were not healthy. */
  get failures(): number {
    return this.#failures;
  }

  /** How long to wait after an attempt that lasted `lastedMs`: from half of the growing limit to all of it. */
  after(lastedMs: number): number {
    this.#failures = lastedMs >= this.#limits.healthyAfterMs ? 0 : this.#failures + 1;
    const limit = Math.min(this.#limits.longestMs, this.#limits.firstMs * 2 ** Math.max(0, this.#failures - 1));
    return Math.round(limit * (0.5 + this.#random() / 2));
  }
}
