// How busy an API server is, measured by its response times relative to its quickest ones. A server that is far away
// responds slowly, too, and is not busy because of that.

/** The weight of the last response: after five responses the past counts for a third. */
const WEIGHT = 0.2;
/** The quickest time may no longer be reachable, so it grows by a tenth in five responses. */
const FORGETTING = 1.02;
/** Below this, differences are noise: a server is not busy because a response took two milliseconds instead of one. */
const QUICK_MS = 5;
/** Longer times are treated as outliers. */
const SLOW_MS = 1_000;

export class Slowness {
  #quickestMs = Number.POSITIVE_INFINITY;
  #recentMs: number | undefined;

  /** Records a response time. */
  note(tookMs: number): void {
    const ms = Math.min(Math.max(tookMs, QUICK_MS), SLOW_MS);
    this.#recentMs = this.#recentMs === undefined ? ms : (1 - WEIGHT) * this.#recentMs + WEIGHT * ms;
    this.#quickestMs = Math.min(this.#quickestMs * FORGETTING, ms);
  }

  /** How many times as long as the quickest responses they take now; 1 when there were none. */
  get times(): number {
    return this.#recentMs === undefined ? 1 : Math.max(1, this.#recentMs / this.#quickestMs);
  }
}
