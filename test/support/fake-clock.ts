// A clock that stands still until a test turns it. Timers fire in the order of their due times, and the microtasks
// they set off run before the next one, so a test sees the same order every time.

import type { Clock, Timer } from '../../src/runtime/clock.ts';
import { type Instant, toInstant } from '../../src/runtime/instant.ts';

interface Pending {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

export class FakeClock implements Clock {
  #now: number;
  #wallAheadMs = 0;
  #order = 0;
  readonly #pending = new Set<Pending>();

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): Instant {
    return toInstant(this.#now);
  }

  /** The time of day; it advances with the clock until a test sets it. */
  readonly wallNow = (): number => this.#now + this.#wallAheadMs;

  /** Sets the time of day forwards or, with a negative number, back. */
  stepWall(byMs: number): void {
    this.#wallAheadMs += byMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    const pending = { due: this.#now + Math.max(0, delayMs), order: this.#order++, callback };
    this.#pending.add(pending);
    return { cancel: () => this.#pending.delete(pending) };
  }

  /** How many timers are armed: 0 after a clean stop. */
  get timers(): number {
    return this.#pending.size;
  }

  /** Time passes during a computation: timers that fall due have to wait. */
  elapse(byMs: number): void {
    this.#now += byMs;
  }

  /** Turns the clock forward, firing every timer that falls due on the way. */
  async advance(byMs: number): Promise<void> {
    const until = this.#now + byMs;
    await settle();
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.#pending.delete(next);
      this.#now = next.due;
      next.callback();
      await settle();
    }
    this.#now = until;
  }

  #next(until: number): Pending | undefined {
    let first: Pending | undefined;
    for (const pending of this.#pending) {
      if (pending.due > until) continue;
      if (
        first === undefined ||
        pending.due < first.due ||
        (pending.due === first.due && pending.order < first.order)
      ) {
        first = pending;
      }
    }
    return first;
  }
}

/** Lets promise chains run to the point where they wait for a timer or for I/O. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
