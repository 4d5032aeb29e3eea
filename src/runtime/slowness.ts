// How busy a server is, judged by nothing but how long its answers take: several times as long as when it had nothing
// else to do. Where it is far away every answer takes long, and that alone does not make it busy.

/** The weight of the last answer: after five of them the past counts for a third. */
const WEIGHT = 0.2;
/** What was quick once may be out of reach by now, so the mark moves up: by a tenth in five answers. */
const FORGETTING = 1.02;
/** Below this, differences say nothing: a server is not busy because an answer took two milliseconds instead of one. */
const QUICK_MS = 5;
/** What takes longer is no measure of anything but a hitch. */
const SLOW_MS = 1_000;

export class Slowness {
  #quickestMs = Number.POSITIVE_INFINITY;
  #recentMs: number | undefined;

  /** Takes note of how long an answer took. */
  note(tookMs: number): void {
    const ms = Math.min(Math.max(tookMs, QUICK_MS), SLOW_MS);
    this.#recentMs = this.#recentMs === undefined ? ms : (1 - WEIGHT) * this.#recentMs + WEIGHT * ms;
    this.#quickestMs = Math.min(this.#quickestMs * FORGETTING, ms);
  }

  /** How many times as long as the quickest answers take now; 1 when there were none. */
  get times(): number {
    return this.#recentMs === undefined ? 1 : Math.max(1, this.#recentMs / this.#quickestMs);
  }
}
