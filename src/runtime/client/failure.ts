// Makes one ApiError out of every way a request can end badly, with the request in its message:
// `create pods default/web-1: AlreadyExists 409: pods "web-1" already exists`.

import { ApiError, type ApiFailure, type Status } from '../errors.ts';
import { type HttpAnswer, NoAnswer } from './send.ts';
import { readStatus, statusOf } from './status.ts';

/** The caller's or the client's own deadline passed. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
}

/** The caller's signal or a fence ended the request. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

/** The error for an answer that is not a 2xx. */
export function refusal(request: string, answer: HttpAnswer): ApiError {
  const status = statusOf(answer);
  return fromStatus(request, status, retryAfterOf(answer, status));
}

/** The error for the Status inside of a watch. */
export function interruption(request: string, status: unknown): ApiError {
  return fromStatus(request, readStatus(status));
}

function fromStatus(request: string, status: Status, retryAfterMs?: number): ApiError {
  const code = status.code ?? 500;
  const reason = reasonOf(status.reason, code);
  return new ApiError(reason, `${request}: ${reason} ${code}: ${status.message ?? 'no message'}`, {
    code,
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** The error for a request that got no complete answer. */
export function unanswered(request: string, error: unknown): ApiError {
  const cause = error instanceof NoAnswer ? error.cause : error;
  const reason = noAnswerReason(cause);
  return new ApiError(reason, `${request}: ${reason}: ${describe(cause)}`, { cause });
}

function noAnswerReason(cause: unknown): ApiFailure {
  if (cause instanceof DeadlineExceeded) return 'Timeout';
  return cause instanceof Abandoned ? 'Aborted' : 'Connection';
}

function describe(cause: unknown): string {
  const { message, name, code } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  const text = message || name || String(cause);
  return code === undefined || text.includes(code) ? text : `${text} (${code})`;
}

function retryAfterOf(answer: HttpAnswer, status: Status): number | undefined {
  const header = Number(answer.headers['retry-after'] ?? Number.NaN);
  const seconds = Number.isFinite(header) ? header : status.details?.retryAfterSeconds;
  return seconds === undefined ? undefined : seconds * 1_000;
}

/** Reasons that their HTTP code does not tell. */
const BY_REASON: ReadonlyMap<string | undefined, ApiFailure> = new Map([
  ['AlreadyExists', 'AlreadyExists'],
  ['ServerTimeout', 'Timeout'],
]);

const BY_CODE: Readonly<Record<number, ApiFailure>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  422: 'Invalid',
  429: 'TooManyRequests',
  504: 'Timeout',
};

function reasonOf(reason: string | undefined, code: number): ApiFailure {
  return BY_REASON.get(reason) ?? BY_CODE[code] ?? (code >= 500 ? 'ServerError' : 'Other');
}
