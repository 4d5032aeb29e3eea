// Time as two ports, which the type system keeps apart.
//
// - `Clock` is monotonic. Every duration is measured with it: delays, back-off, deadlines, ages, expiry. It returns opaque
//   `Instant`s (instant.ts), so neither arithmetic nor a comparison with a time of day compiles.
// - `WallClock` is the time of day, which administrators and NTP set forwards and back. It is only for what the API
//   compares with it (a condition's lastTransitionTime, a certificate's notAfter) and for the timestamps that we write.
//
// Everything that waits or reads a clock takes one of these, so tests turn a clock instead of waiting.

import { type Instant, toInstant } from './instant.ts';

/** A callback that waits, and can be cancelled. */
export interface Timer {
  cancel(): void;
}

/** Monotonic time, for durations. */
export interface Clock {
  now(): Instant;
  /** Runs `callback` once, `delayMs` from now; 0 means as soon as possible, never synchronously. */
  after(delayMs: number, callback: () => void): Timer;
}

/** Milliseconds since the epoch. */
export type WallClock = () => number;

/** setTimeout fires at once for longer delays than this, so a longer wait is made of several. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The process's monotonic clock. */
export const monotonicClock: Clock = {
  now: () => toInstant(performance.now()),
  after(delayMs, callback) {
    let handle: NodeJS.Timeout;
    const arm = (remaining: number): void => {
      const step = Math.min(remaining, LONGEST_TIMEOUT_MS);
      handle = setTimeout(() => (remaining > step ? arm(remaining - step) : callback()), step);
    };
    arm(Math.max(0, delayMs));
    return { cancel: () => clearTimeout(handle) };
  },
};

/** The machine's time of day. */
export const wallClock: WallClock = () => Date.now();

/** Resolves after `delayMs`; rejects with the signal's reason as soon as it aborts, leaving no timer behind. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
