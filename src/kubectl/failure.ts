// Every way in which a command fails, as one line that a person can act on, in kubectl's words where kubectl has some.
// kubectl ends with 1 whatever went wrong, and so do we; 130 is for Ctrl-C.

import { ApiError } from '../runtime/errors.ts';
import { printable } from './terminal/printable.ts';

export const FAILED = 1;
export const INTERRUPTED = 130;

/** The line for an error, without its line break. */
export function failureLine(error: unknown, server = ''): string {
  if (error instanceof ApiError) return apiFailureLine(error, server);
  return `error: ${oneLine(error instanceof Error ? error.message : String(error))}`;
}

function apiFailureLine(error: ApiError, server: string): string {
  switch (error.reason) {
    case 'Connection':
      return connectionLine(error, server);
    case 'Timeout':
      return `Unable to connect to the server: no answer from ${server || 'it'} in time`;
    case 'Unauthorized':
      return 'error: You must be logged in to the server (Unauthorized)';
    case 'NotFound':
      return isMissingKind(error) ? missingKindLine(error) : fromServer(error);
    default:
      return fromServer(error);
  }
}

function fromServer({ reason, status, message }: ApiError): string {
  return `Error from server (${reason}): ${oneLine(status?.message ?? message)}`;
}

/** A missing object is named in the answer; where there is no such path, there is nothing to name. */
function isMissingKind({ status }: ApiError): boolean {
  return status?.details?.name === undefined || status.details.name === '';
}

function missingKindLine({ message }: ApiError): string {
  if (!message.includes('mydeployments')) return `error: ${oneLine(message)}`;
  return 'error: the server has no kind "MyDeployment": install it with kubectl apply -f crds/ -f manifests/';
}

function connectionLine({ cause, message }: ApiError, server: string): string {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  if (code === 'ECONNREFUSED') {
    return `The connection to the server ${server} was refused - did you specify the right host or port?`;
  }
  return `Unable to connect to the server: ${oneLine(cause instanceof Error ? cause.message : message)}`;
}

function oneLine(text: string): string {
  return printable(text.replaceAll(/\s*\n\s*/g, ' ').trim());
}
