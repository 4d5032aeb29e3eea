// Fires once when nothing has been received for a while. Each sign of life costs one read of the clock, so it may come
// thousands of times a second; the timer computes by itself how much longer it has to wait.

import type { Clock, Timer } from '../clock.ts';
import { type Instant, msBetween } from '../instant.ts';

export class Watchdog {
  readonly #clock: Clock;
  readonly #silenceMs: number;
  readonly #onSilence: () => void;
  #heardAt: Instant;
  #timer: Timer;

  constructor(clock: Clock, silenceMs: number, onSilence: () => void) {
    this.#clock = clock;
    this.#silenceMs = silenceMs;
    this.#onSilence = onSilence;
    this.#heardAt = clock.now();
    this.#timer = clock.after(silenceMs, this.#check);
  }

  get heardAt(): Instant {
    return this.#heardAt;
  }

  heard(): void {
    this.#heardAt = this.#clock.now();
  }

  stop(): void {
    this.#timer.cancel();
  }

  readonly #check = (): void => {
    const remaining = this.#silenceMs - msBetween(this.#heardAt, this.#clock.now());
    if (remaining <= 0) this.#onSilence();
    else this.#timer = this.#clock.after(remaining, this.#check);
  };
}
