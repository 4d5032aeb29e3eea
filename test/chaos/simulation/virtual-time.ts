// Time that passes only when every process waits for it, so that an hour takes milliseconds and the same events
// always come in the same order. Each simulated process has a clock of its own on it, which can be stopped for good: a
// killed process finishes nothing that it had begun.

import type { Clock, Timer } from '../../../src/runtime/clock.ts';
import { type Instant, toInstant } from '../../../src/runtime/instant.ts';

interface Alarm {
  readonly due: number;
  readonly order: number;
  callback: (() => void) | undefined;
}

export class VirtualTime {
  /** A binary heap, first due first. */
  readonly #alarms: Alarm[] = [];
  #now: number;
  #order = 0;
  /** Who waits for the next turn. */
  #turns: (() => void)[] = [];

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  /** The true time, in milliseconds since the epoch. */
  now(): number {
    return this.#now;
  }

  after(delayMs: number, callback: () => void): Timer {
    const alarm: Alarm = { due: this.#now + Math.max(0, delayMs), order: this.#order++, callback };
    this.#push(alarm);
    return {
      cancel: () => {
        alarm.callback = undefined;
      },
    };
  }

  /** Lets time pass until then, or until `isOver` says that there is nothing more to see. */
  async pass(until: number, isOver: () => boolean): Promise<void> {
    await this.#settle();
    for (;;) {
      const next = this.#alarms[0];
      if (next === undefined || next.due > until || isOver()) break;
      this.#pop();
      if (next.callback === undefined) continue;
      this.#now = next.due;
      next.callback();
      await this.#settle();
    }
    this.#now = Math.max(this.#now, until);
  }

  /** Resolves a turn later: when whatever happens next has happened. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.#turns.push(resolve));
  }

  /** Resolves when every promise chain has come to wait for time, or for its turn. */
  async #settle(): Promise<void> {
    const due = this.#turns;
    this.#turns = [];
    await quiet();
    for (const takeTurn of due) {
      takeTurn();
      await quiet();
    }
  }

  #push(alarm: Alarm): void {
    const heap = this.#alarms;
    let at = heap.push(alarm) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (isFirst(heap[parent] as Alarm, alarm)) break;
      heap[at] = heap[parent] as Alarm;
      at = parent;
    }
    heap[at] = alarm;
  }

  #pop(): void {
    const heap = this.#alarms;
    const last = heap.pop() as Alarm;
    if (heap.length === 0) return;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && isFirst(heap[child + 1] as Alarm, heap[child] as Alarm)) child += 1;
      if (isFirst(last, heap[child] as Alarm)) break;
      heap[at] = heap[child] as Alarm;
      at = child;
    }
    heap[at] = last;
  }
}

function isFirst(one: Alarm, other: Alarm): boolean {
  return one.due < other.due || (one.due === other.due && one.order < other.order);
}

/**
 * Resolves when every promise chain has come to wait. Node runs a tick when there are no more reactions of promises, and
 * unlike a turn of the event loop that takes no system call.
 */
function quiet(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/** The clocks of one process: a monotonic one that goes with the true time, and a wall clock that people and NTP set. */
export class ProcessClock implements Clock {
  readonly #time: VirtualTime;
  #wallAheadMs = 0;
  #isKilled = false;
  #isFrozen = false;
  /** What fell due meanwhile. */
  #late: (() => void)[] = [];

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  /** None of its timers ever fires again. */
  kill(): void {
    this.#isKilled = true;
  }

  now(): Instant {
    return toInstant(this.#time.now());
  }

  readonly wallNow = (): number => this.#time.now() + this.#wallAheadMs;

  /** Sets the wall clock so far ahead of the true time or, with a negative number, behind it. */
  setWall(aheadMs: number): void {
    this.#wallAheadMs = aheadMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    let isCancelled = false;
    const fire = (): void => {
      if (this.#isKilled || isCancelled) return;
      if (this.#isFrozen) this.#late.push(fire);
      else callback();
    };
    const timer = this.#time.after(delayMs, fire);
    return {
      cancel: () => {
        isCancelled = true;
        timer.cancel();
      },
    };
  }

  /** As SIGSTOP: time goes on, but no timer fires, and nothing that arrives is looked at. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /** Whatever fell due meanwhile happens now, one after the other, each with all that follows from it. */
  thaw(): void {
    this.#isFrozen = false;
    for (const fire of this.#late.splice(0)) this.#time.after(0, fire);
  }
}
