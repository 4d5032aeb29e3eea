// The time for which this replica may write: from a successful renewal until the renew deadline after it was sent,
// which is before another replica may take the lease. `gate` reads the clocks, so a process that was frozen past its
// lease finds out before its first timer fires and before its first write is sent.
//
// Guarantees: a tenure that is over stays over; the signal aborts at the latest when the first caller finds out.

import type { Fence } from '../client/scope.ts';
import type { Clock, Timer, WallClock } from '../clock.ts';
import { type Instant, msBetween } from '../instant.ts';

/** This replica may no longer write. */
export class LeadershipLost extends Error {
  override readonly name = 'LeadershipLost';
}

/** One moment on both clocks. The monotonic one may stop while the machine sleeps, the wall clock may be set. */
export interface Moment {
  readonly steady: Instant;
  readonly wall: number;
}

export class Tenure {
  readonly #clock: Clock;
  readonly #wallNow: WallClock;
  readonly #deadlineMs: number;
  readonly #over = new AbortController();
  #renewedAt: Moment | undefined;
  #timer: Timer | undefined;

  constructor(clock: Clock, wallNow: WallClock, deadlineMs: number) {
    this.#clock = clock;
    this.#wallNow = wallNow;
    this.#deadlineMs = deadlineMs;
  }

  /** Closed until this replica leads, open while it leads, and closed for ever afterwards. */
  readonly fence: Fence = {
    signal: this.#over.signal,
    gate: () => {
      if (!this.held) throw new LeadershipLost('not the leader');
    },
  };

  /** Aborts when the tenure is over, with the reason. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  get held(): boolean {
    if (this.#renewedAt === undefined || this.signal.aborted) return false;
    // Time has passed if either clock says so: stopping too early costs a restart, too late allows a second writer.
    const now = this.now();
    const sinceMs = Math.max(msBetween(this.#renewedAt.steady, now.steady), now.wall - this.#renewedAt.wall);
    if (sinceMs < this.#deadlineMs) return true;
    this.end(new LeadershipLost(`lease was not renewed within ${this.#deadlineMs} ms`));
    return false;
  }

  now(): Moment {
    return { steady: this.#clock.now(), wall: this.#wallNow() };
  }

  /** Counts from when the renewal was sent: the API server may have stored it at any time since. */
  extend(sentAt: Moment): void {
    if (this.signal.aborted) return;
    this.#renewedAt = sentAt;
    this.#timer?.cancel();
    const remainingMs = this.#deadlineMs - msBetween(sentAt.steady, this.#clock.now());
    this.#timer = this.#clock.after(remainingMs, () => this.held);
  }

  end(reason: unknown): void {
    this.#timer?.cancel();
    this.#over.abort(reason);
  }
}
