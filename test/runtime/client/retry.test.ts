import { describe, expect, it } from '@jest/globals';
import {
  type Attempt,
  defaultRetryPolicy,
  type Repeat,
  type RetryPolicy,
  retryDelay,
} from '../../../src/runtime/client/retry.ts';
import { ApiError, type ApiErrorFacts, type ApiFailure } from '../../../src/runtime/errors.ts';

const failure = (reason: ApiFailure, facts: ApiErrorFacts = {}): ApiError => new ApiError(reason, 'x', facts);

function attempt(given: Partial<Attempt>): Attempt {
  return {
    repeat: 'read',
    eviction: false,
    sent: true,
    number: 1,
    error: failure('ServerError', { code: 500 }),
    ...given,
  };
}

function isRepeated(given: Partial<Attempt>): boolean {
  return retryDelay(attempt(given), defaultRetryPolicy, 0) !== undefined;
}

/** The columns of the table at the top of retry.ts. */
const table: readonly {
  readonly name: string;
  readonly error: ApiError;
  readonly sent: boolean;
  readonly repeated: Readonly<Record<Repeat, boolean>>;
}[] = [
  {
    name: 'never left',
    error: failure('Connection'),
    sent: false,
    repeated: { read: true, repeatable: true, once: true },
  },
  {
    name: '429',
    error: failure('TooManyRequests', { code: 429 }),
    sent: true,
    repeated: { read: true, repeatable: true, once: true },
  },
  ...[500, 502, 503].map((code) => ({
    name: String(code),
    error: failure('ServerError', { code }),
    sent: true,
    repeated: { read: true, repeatable: true, once: false },
  })),
  ...[500, 504].map((code) => ({
    name: `${code} as Timeout`,
    error: failure('Timeout', { code }),
    sent: true,
    repeated: { read: true, repeatable: true, once: false },
  })),
  {
    name: '501',
    error: failure('ServerError', { code: 501 }),
    sent: true,
    repeated: { read: false, repeatable: false, once: false },
  },
  {
    name: 'answer lost',
    error: failure('Connection'),
    sent: true,
    repeated: { read: true, repeatable: true, once: false },
  },
  {
    name: 'our own deadline',
    error: failure('Timeout'),
    sent: true,
    repeated: { read: false, repeatable: false, once: false },
  },
  ...(
    [
      'BadRequest',
      'Unauthorized',
      'Forbidden',
      'NotFound',
      'AlreadyExists',
      'Conflict',
      'Gone',
      'Invalid',
      'Aborted',
      'Other',
    ] as const
  ).map((reason) => ({
    name: reason,
    error: failure(reason, { code: 400 }),
    sent: false,
    repeated: { read: false, repeatable: false, once: false },
  })),
];

describe('which request is repeated after which failure', () => {
  it.each(table)('$name', ({ error, sent, repeated }) => {
    const got = (repeat: Repeat): boolean => isRepeated({ error, sent, repeat });
    expect({ read: got('read'), repeatable: got('repeatable'), once: got('once') }).toEqual(repeated);
  });

  it('a refused eviction is an answer, not an overload', () => {
    const error = failure('TooManyRequests', { code: 429 });
    expect(isRepeated({ error, repeat: 'once', eviction: true })).toBe(false);
  });

  it('the last attempt is the last', () => {
    expect(isRepeated({ number: 4 })).toBe(true);
    expect(isRepeated({ number: 5 })).toBe(false);
  });
});

describe('how long it waits', () => {
  const policy: RetryPolicy = { attempts: 99, firstDelayMs: 100, longestDelayMs: 5_000, longestRetryAfterMs: 30_000 };

  it.each([
    { number: 1, shortest: 50, longest: 100 },
    { number: 2, shortest: 100, longest: 200 },
    { number: 6, shortest: 1_600, longest: 3_200 },
    { number: 7, shortest: 2_500, longest: 5_000 },
    { number: 50, shortest: 2_500, longest: 5_000 },
  ])('attempt $number: $shortest to $longest ms', ({ number, shortest, longest }) => {
    expect(retryDelay(attempt({ number }), policy, 0)).toBe(shortest);
    expect(retryDelay(attempt({ number }), policy, 1)).toBe(longest);
  });

  it('never less than the server asked for', () => {
    const error = failure('TooManyRequests', { code: 429, retryAfterMs: 2_000 });
    expect(retryDelay(attempt({ error }), policy, 0)).toBe(2_050);
  });

  it('waits as long as the server asks for, up to the limit, in whole milliseconds', () => {
    const error = failure('TooManyRequests', { code: 429, retryAfterMs: 30_000 });
    expect(retryDelay(attempt({ error }), policy, 0.334)).toBe(30_067);
    expect(defaultRetryPolicy).toEqual({ ...policy, attempts: 5 });
  });

  it('gives up when the server asks for more patience than anybody has', () => {
    const error = failure('TooManyRequests', { code: 429, retryAfterMs: 30_001 });
    expect(retryDelay(attempt({ error }), policy, 0)).toBeUndefined();
  });
});
