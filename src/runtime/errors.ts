// The closed set of ways in which an API request ends badly. Every failed request throws an ApiError whose `reason`
// is one of `ApiFailure`, so callers switch on data instead of matching text. The server's own Status is kept.

/** One cause inside a Status, with the field that it is about. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** `meta/v1` Status, as the API server sends it with every refusal. */
export interface Status {
  readonly kind?: 'Status';
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly StatusCause[];
    readonly retryAfterSeconds?: number;
  };
}

/** Why a request failed: a reason of Kubernetes, or why no complete answer came. */
export type ApiFailure =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  /** The resourceVersion or continue token is too old: list again. */
  | 'Gone'
  | 'Invalid'
  | 'TooManyRequests'
  /** The server's or the client's deadline passed; the server may or may not have executed the request. */
  | 'Timeout'
  /** Any other 5xx: the request may or may not have been carried out. */
  | 'ServerError'
  /** No complete answer arrived: refused, reset, cut, TLS failure. A write may have been carried out. */
  | 'Connection'
  /** The caller's AbortSignal fired. */
  | 'Aborted'
  /** Any other 4xx. */
  | 'Other';

/** The cause of a `Connection` error: there was an answer, longer than the client reads. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';

  constructor(longest: number) {
    super(`the answer has more than ${longest} bytes`);
  }
}

/** A request that failed. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly reason: ApiFailure;
  /** HTTP status; 0 when no answer arrived. */
  readonly code: number;
  readonly status: Status | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(reason: ApiFailure, message: string, facts: ApiErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.reason = reason;
    this.code = facts.code ?? 0;
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
  }

  /** The fields the server complained about; empty unless it named any. */
  get causes(): readonly StatusCause[] {
    return this.status?.details?.causes ?? [];
  }
}

/** What is known of a request that failed. */
export interface ApiErrorFacts {
  readonly code?: number;
  readonly status?: Status;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** True when `error` is an ApiError with one of these reasons. */
export function isApiError(error: unknown, ...reasons: readonly ApiFailure[]): error is ApiError {
  return error instanceof ApiError && (reasons.length === 0 || reasons.includes(error.reason));
}
