// Detects an event loop that is blocked repeatedly: a process that responds to probes between two long blocks looks
// alive, but does nothing in time, including the renewal of its lease. (A process that is blocked for good responds to
// no probe.)

import type { Clock, Timer } from '../clock.ts';
import { type Instant, later, msBetween } from '../instant.ts';
import type { Check } from './health.ts';

export interface EventLoopLimits {
  /** A timer that fires this late counts as blocked. @default 5_000 */
  readonly lagMs?: number;
  /** For how long a lag counts. @default 60_000 */
  readonly rememberMs?: number;
}

const BEAT_MS = 500;

/** A liveness check that fails when the event loop is blocked again and again. */
export class EventLoopMonitor {
  readonly #clock: Clock;
  readonly #lagMs: number;
  readonly #rememberMs: number;
  #worst: { readonly lagMs: number; readonly at: Instant } | undefined;

  constructor(clock: Clock, limits: EventLoopLimits = {}) {
    this.#clock = clock;
    this.#lagMs = limits.lagMs ?? 5_000;
    this.#rememberMs = limits.rememberMs ?? 60_000;
  }

  /** Watches until the signal aborts. */
  start(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      let timer: Timer;
      const beat = (): void => {
        const due = later(this.#clock.now(), BEAT_MS);
        timer = this.#clock.after(BEAT_MS, () => {
          this.#heard(Math.round(msBetween(due, this.#clock.now())));
          beat();
        });
      };
      beat();
      const stop = (): void => {
        timer.cancel();
        resolve();
      };
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
    });
  }

  readonly check: Check = () => {
    const worst = this.#remembered();
    if (worst !== undefined) throw new Error(`event loop was blocked for ${worst.lagMs} ms`);
  };

  #heard(lagMs: number): void {
    if (lagMs < this.#lagMs || lagMs < (this.#remembered()?.lagMs ?? 0)) return;
    this.#worst = { lagMs, at: this.#clock.now() };
  }

  #remembered(): { readonly lagMs: number } | undefined {
    if (this.#worst === undefined) return undefined;
    return msBetween(this.#worst.at, this.#clock.now()) < this.#rememberMs ? this.#worst : undefined;
  }
}
