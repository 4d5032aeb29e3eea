// Decides which failed request is sent again, and when. A write is repeated only when repeating cannot do harm:
//
// | failure                                        | read | repeatable write | other write |
// |------------------------------------------------|------|------------------|-------------|
// | never left: refused, no route, connect timeout | yes  | yes              | yes         |
// | 429 Too Many Requests                          | yes  | yes              | yes         |
// | 500, 502, 503, 504                             | yes  | yes              | no          |
// | left, no complete answer: reset, cut           | yes  | yes              | no          |
// | any other answer; abort; deadline              | no   | no               | no          |
//
// Repeatable: an update, merge or strategic patch that carries a resourceVersion (if the first one was carried out, the
// second meets Conflict), a delete that names a uid (meets NotFound), and any dry run. A create, a JSON patch, a
// server-side apply (it would bring a deleted object back) and a deleteCollection are not. A 429 for an eviction is the
// disruption budget's answer and not the server's overload, so it goes to the caller.

import type { ApiError } from '../errors.ts';

export type Repeat = 'read' | 'repeatable' | 'once';

export interface Attempt {
  readonly repeat: Repeat;
  /** The subresource is `eviction`. */
  readonly eviction: boolean;
  readonly error: ApiError;
  /** False when it is certain that the server has not seen the request. */
  readonly sent: boolean;
  /** 1 for the first. */
  readonly number: number;
}

export interface RetryPolicy {
  /** The first try included. @default 5 */
  readonly attempts: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** If the server asks for a longer wait, the client does not wait: the caller gets the error with its retryAfterMs. */
  readonly longestRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  firstDelayMs: 100,
  longestDelayMs: 5_000,
  longestRetryAfterMs: 30_000,
};

/** Milliseconds to wait before the next attempt; undefined to give up. `random` is in [0, 1). */
export function retryDelay(attempt: Attempt, policy: RetryPolicy, random: number): number | undefined {
  if (attempt.number >= policy.attempts || !mayRepeat(attempt)) return undefined;
  const asked = attempt.error.retryAfterMs ?? 0;
  if (asked > policy.longestRetryAfterMs) return undefined;
  const backOff = Math.min(policy.longestDelayMs, policy.firstDelayMs * 2 ** (attempt.number - 1));
  // Spread, so that clients that were refused together do not retry together; never earlier than the server asked.
  return Math.round(asked + backOff * (0.5 + random / 2));
}

function mayRepeat({ repeat, eviction, error, sent }: Attempt): boolean {
  switch (error.reason) {
    case 'TooManyRequests':
      return !eviction;
    case 'Connection':
      return !sent || repeat !== 'once';
    case 'Timeout':
    case 'ServerError':
      return repeat !== 'once' && [500, 502, 503, 504].includes(error.code);
    case 'BadRequest':
    case 'Unauthorized':
    case 'Forbidden':
    case 'NotFound':
    case 'AlreadyExists':
    case 'Conflict':
    case 'Gone':
    case 'Invalid':
    case 'Aborted':
    case 'Other':
      return false;
    default:
      return error.reason satisfies never;
  }
}
