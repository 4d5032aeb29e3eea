// Requests of people in a policy that is about to be stored: what may be asked, and what is known to be in vain. The status can be
// older than the rollout, so only what it excludes for certain is refused.

import {
  ABORT,
  formatRequest,
  PROMOTE,
  REQUESTS,
  type Request,
  type RequestKey,
  readRequest,
} from '../../../policy/requests.ts';
import type { RolloutPolicy } from '../../../policy/types.gen.ts';
import { findCondition } from '../../../runtime/conditions.ts';
import { shorten } from '../../../runtime/shorten.ts';
import { type FieldError, invalid } from '../../../runtime/webhook/field-error.ts';

/** Leaves room for the other fields of a record. */
const LONGEST_NAME = 256;

/** The object, with the name of the caller in each request that is new or asks for something else than before. */
export function withCaller(object: RolloutPolicy, old: RolloutPolicy | null, username: string): RolloutPolicy {
  const { annotations = {} } = object.metadata;
  const signed = REQUESTS.flatMap((key) => {
    const text = annotations[key];
    const request = text === undefined ? undefined : readRequest(text);
    if (request === undefined) return [];
    const before = old?.metadata.annotations?.[key];
    const isOld = before !== undefined && isSame(readRequest(before), request);
    return [[key, isOld ? before : formatRequest({ ...request, by: shorten(username, LONGEST_NAME) })] as const];
  });
  if (signed.length === 0) return object;
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...annotations, ...Object.fromEntries(signed) } },
  };
}

export interface Judgement {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** Judges the requests that the old object does not have. */
export function judgeRequests(object: RolloutPolicy, old: RolloutPolicy | null): Judgement {
  const { annotations = {} } = object.metadata;
  const fresh = REQUESTS.filter(
    (key) => annotations[key] !== undefined && annotations[key] !== old?.metadata.annotations?.[key],
  );
  const judged = fresh.map((key) => judgeRequest(key, annotations[key] as string, object));
  return { errors: judged.flatMap(({ errors }) => errors), warnings: judged.flatMap(({ warnings }) => warnings) };
}

function judgeRequest(key: RequestKey, text: string, { status = {} }: RolloutPolicy): Judgement {
  const refuse = (detail: string): Judgement => {
    return { errors: [invalid(`metadata.annotations[${key}]`, text, detail)], warnings: [] };
  };
  const request = readRequest(text);
  if (request === undefined) return refuse('must be JSON with the number of a revision, such as {"number":2}');
  if (key === PROMOTE && request.step === undefined) return refuse('must name the step that is promoted');
  const { number, step, rejected } = status;
  if (number !== request.number)
    return warn(`revision ${request.number} is asked for, the policy has seen ${number ?? 'none'} yet`);
  if (key === ABORT && rejected !== undefined) return refuse(`revision ${number} was rejected already`);
  const isQuiet = step === undefined && findCondition(status.conditions, 'Reconciling') === undefined;
  if (key === ABORT && isQuiet) return refuse(`nothing is under way: revision ${number} is rolled out`);
  if (key === PROMOTE && step !== request.step) {
    return warn(`step ${request.step} is promoted, the rollout is in ${step === undefined ? 'none' : `step ${step}`}`);
  }
  return { errors: [], warnings: [] };
}

/** True when both ask for the same, whether or not the user is the same. */
function isSame(one: Request | undefined, other: Request): boolean {
  return one?.number === other.number && one.step === other.step && one.full === other.full;
}

function warn(because: string): Judgement {
  return { errors: [], warnings: [`${because}: a request that does not fit the rollout is dropped`] };
}
