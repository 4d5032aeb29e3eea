// What people ask of a rollout, as annotations of its policy. Each names the attempt that it is about, so that a late one
// cannot hit another attempt. The webhook of the policy writes who asked; the controller of MyDeployments records its
// decision and then removes the annotation.

import type { RolloutPolicy } from './types.gen.ts';

const PREFIX = 'rolloutpolicy.kubebuilder.zq.com';
/** Goes on to the next step, or past all of them. */
export const PROMOTE = `${PREFIX}/promote`;
/** Rejects the attempt: the rollout goes back to the stable revision. */
export const ABORT = `${PREFIX}/abort`;
/** Tries a rejected or failed attempt again, from the first step. */
export const RETRY = `${PREFIX}/retry`;
export const REQUESTS = [PROMOTE, ABORT, RETRY] as const;

export type RequestKey = (typeof REQUESTS)[number];

/** The value of such an annotation, as JSON. */
export interface Request {
  readonly number: number;
  /** The step that is promoted; other requests are about the attempt as a whole. */
  readonly step?: number;
  /** Promotes all steps that are left. */
  readonly full?: true;
  /** Who asked, as the API server knows them. */
  readonly by?: string;
}

/** The requests of a policy. One that cannot be read is undefined. */
export function requestsOf({ metadata }: RolloutPolicy): ReadonlyMap<RequestKey, Request | undefined> {
  const { annotations = {} } = metadata;
  const made = REQUESTS.flatMap((key) => {
    const text = annotations[key];
    return text === undefined ? [] : [[key, readRequest(text)] as const];
  });
  return new Map(made);
}

export function readRequest(text: string): Request | undefined {
  try {
    const { number, step, full, by } = JSON.parse(text);
    if (!isCount(number) || (step !== undefined && !isCount(step))) return undefined;
    return {
      number,
      ...(step !== undefined && { step }),
      ...(full === true && { full }),
      ...(typeof by === 'string' && { by }),
    };
  } catch {
    return undefined;
  }
}

export function formatRequest(request: Request): string {
  return JSON.stringify(request);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
