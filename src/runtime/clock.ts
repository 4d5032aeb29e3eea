// Time as a port: everything in the runtime that waits or reads the clock takes one of these,
// so that back-off, deadlines and leases are tested by turning a clock instead of by waiting.

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `callback` once, `delayMs` from now; 0 means as soon as possible, never synchronously. */
  after(delayMs: number, callback: () => void): Timer;
}

/** setTimeout fires at once for longer delays than this, so a longer wait is made of several. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
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

/** Moves on evenly, also while the process is stopped and when somebody sets the time of day. */
export const steadyClock: Clock = {
  ...systemClock,
  now: () => performance.timeOrigin + performance.now(),
};

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
