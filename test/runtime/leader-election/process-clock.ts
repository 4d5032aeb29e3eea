// The clock as one process sees it, which can be frozen as SIGSTOP freezes a process and woken again.

import type { Clock, Timer } from '../../../src/runtime/clock.ts';
import type { Instant } from '../../../src/runtime/instant.ts';
import type { FakeClock } from '../../support/fake-clock.ts';

/** While the process is frozen time goes on, but no timer fires. */
export class ProcessClock implements Clock {
  readonly #clock: FakeClock;
  #frozen = false;
  #late: (() => void)[] = [];

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  now(): Instant {
    return this.#clock.now();
  }

  after(delayMs: number, callback: () => void): Timer {
    let cancelled = false;
    const fire = (): void => {
      if (cancelled) return;
      if (this.#frozen) this.#late.push(fire);
      else callback();
    };
    const timer = this.#clock.after(delayMs, fire);
    return {
      cancel: () => {
        cancelled = true;
        timer.cancel();
      },
    };
  }

  freeze(): void {
    this.#frozen = true;
  }

  /** All timers that fell due meanwhile fire now, in an order of the test's choosing. */
  thaw(lastFirst: boolean): void {
    this.#frozen = false;
    const late = lastFirst ? this.#late.reverse() : this.#late;
    this.#late = [];
    for (const fire of late) fire();
  }
}
