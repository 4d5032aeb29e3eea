// Aborts an operation that makes no progress for too long. Every sign of progress restarts the time.

import type { Clock, Timer } from '../../runtime/clock.ts';

export class Watchdog {
  /** Aborts when patience ends, or with the signal given at construction. */
  readonly signal: AbortSignal;
  readonly #clock: Clock;
  readonly #patience = new AbortController();
  #timer: Timer | undefined;

  constructor(clock: Clock, signal?: AbortSignal) {
    this.#clock = clock;
    this.signal = signal ? AbortSignal.any([signal, this.#patience.signal]) : this.#patience.signal;
  }

  /** Starts waiting for the next sign of life, at most `withinMs`. */
  expect(what: string, withinMs: number): void {
    this.stop();
    this.#timer = this.#clock.after(withinMs, () => this.#patience.abort(new Error(`no ${what} in ${withinMs} ms`)));
  }

  stop(): void {
    this.#timer?.cancel();
  }
}
