// Turns an error into one line that a user can act on, in kubectl's words where kubectl has some. The exit code is 1 for every
// error, as with kubectl, and 130 after Ctrl-C.

import { myDeployments } from '../kinds/my-deployment/names.ts';
import { rolloutPolicies } from '../policy/resource.ts';
import { ApiError } from '../runtime/errors.ts';
import { printable } from './terminal/printable.ts';

export const FAILED = 1;
export const INTERRUPTED = 130;

/** The kinds that a user can install. */
const OURS = [myDeployments, rolloutPolicies];

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
  const missing = OURS.find(({ plural }) => message.includes(plural));
  if (missing === undefined) return `error: ${oneLine(message)}`;
  return `error: the server has no kind "${missing.kind}": install it with kubectl apply -f crds/ -f manifests/`;
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
