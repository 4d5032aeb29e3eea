// The contract between a controller and the reconcile function that a kind writes. All there is to know:
//
// - A reconcile is given a key, `namespace/name` or `name`, and never the change that woke it: many changes may have
//   become one call, and after a restart every key comes once. So it reads the newest state, finds out what is missing
//   and does that; called again at once, it has nothing to do.
// - One key is never worked on twice at the same time; different keys are, as many as the controller has workers.
// - What it returns says what should happen next: `done`, `checkAgainAt` / `checkAgainAfter`, `notYet`, or `retry`. Whatever it
//   returns, a change in the cluster brings the key back by itself.
// - What it throws is logged, counted and retried after 5 ms, 10 ms, 20 ms … up to 1000 s, for ever: no key is given
//   up. A `TerminalError` is logged and counted and waits for the next change, since trying again would be in vain.
// - `signal` aborts when the controller's time limit has passed or when the process has to stop at once. Hand it to
//   every request. A reconcile that does not end then keeps its key to itself, but no longer holds up a worker.

import type { Logger } from '../log.ts';

/** What a reconcile has besides its key. */
export interface ReconcileContext {
  readonly signal: AbortSignal;
  /** Names the controller and the key in every line. */
  readonly log: Logger;
}

/** Brings what there is closer to what one object asks for. */
export type Reconcile = (key: string, context: ReconcileContext) => Promise<Result>;

/** What a controller does after a reconcile. */
export type Result =
  | { readonly next: 'done' }
  | { readonly next: 'checkAgainAt'; readonly epochMs: number }
  | { readonly next: 'checkAgainAfter'; readonly delayMs: number }
  | { readonly next: 'notYet'; readonly delayMs: number }
  | { readonly next: 'retry'; readonly because: string };

/** Everything is as it should be; the next change brings the key back. */
export const done: Result = { next: 'done' };

/**
 * Look again at this time of day, in milliseconds since the epoch, unless a change brings the key back sooner. Not a
 * failure: back-off starts over. The key may come earlier than asked, because wall clocks are set.
 */
export function checkAgainAt(epochMs: number): Result {
  if (!Number.isFinite(epochMs)) throw new RangeError(`cannot check again at ${epochMs}: not a time`);
  return { next: 'checkAgainAt', epochMs };
}

/** Look again after this time, unless a change brings the key back sooner. Not a failure: back-off starts over. */
export function checkAgainAfter(delayMs: number): Result {
  if (!Number.isFinite(delayMs)) throw new RangeError(`cannot check again after ${delayMs} ms: not a time`);
  return { next: 'checkAgainAfter', delayMs };
}

/** Look again at this time or after this delay, whichever comes first; `done` when neither is given. */
export function checkAgain(when: { at?: number | undefined; afterMs?: number | undefined }, now: number): Result {
  const { at, afterMs } = when;
  if (at === undefined) return afterMs === undefined ? done : checkAgainAfter(afterMs);
  return afterMs !== undefined && now + afterMs < at ? checkAgainAfter(afterMs) : checkAgainAt(at);
}

/**
 * Nothing was decided yet, because something is not known: look again after this time at the latest. This is neither a
 * success nor a failure, so a row of failures goes on: a key that fails, waits and fails again still backs off.
 */
export function notYet(delayMs: number): Result {
  return { next: 'notYet', delayMs };
}

/** Not possible just now, for an expected reason such as a cache that lags: try again after back-off, without alarm. */
export function retry(because: string): Result {
  return { next: 'retry', because };
}

/** A failure that a retry cannot fix: a user has to change something first. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
}
