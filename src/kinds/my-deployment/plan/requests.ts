// Answers what people ask of a rollout. A decision is recorded first and its request is removed after, so that a crash in
// between serves it once. A request about another attempt or step is removed with an event that says so. While the object is
// paused or handed over, requests wait.

import {
  ABORT,
  PROMOTE,
  REQUESTS,
  RETRY,
  type Request,
  type RequestKey,
  requestsOf,
} from '../../../policy/requests.ts';
import { rolloutPolicies } from '../../../policy/resource.ts';
import type { Action, PlannedEvent } from '../../../workload/action.ts';
import type { Attempt } from './attempt.ts';
import { REVISION_HISTORY } from './record.ts';
import { type Situation, situationOf } from './situation.ts';
import type { Revision, Rollout } from './snapshot.ts';

interface Answers {
  readonly actions: readonly Action[];
  readonly events: readonly PlannedEvent[];
}

/** The removal of every request that was served or cannot be. */
export function answerRequests({ update, ...rest }: Rollout, { obstacle }: Pick<Attempt, 'obstacle'>): Answers {
  const { course } = rest;
  if (course.policy === undefined || update === undefined) return { actions: [], events: [] };
  const rollout = { ...rest, update };
  const requests = requestsOf(course.policy);
  const situation = situationOf(rollout, course);
  if (requests.size === 0 || situation.standsStill) return { actions: [], events: [] };
  const { name, uid, annotations = {} } = course.policy.metadata;
  const keys = REQUESTS.filter((key) => requests.has(key));
  const refusals = keys.flatMap((key) => refusalOf(key, requests.get(key), { ...situation, obstacle }) ?? []);
  const values = Object.fromEntries(keys.map((key) => [key, annotations[key] as string]));
  return {
    actions: [{ do: 'removeAnnotations', resource: rolloutPolicies, name, uid, values }],
    events: refusals.map((message) => ({ type: 'Warning', reason: 'RequestRefused', message })),
  };
}

type Asked = Situation & Pick<Attempt, 'obstacle'>;

/** Why a request is not served; undefined when it is, or was before. */
function refusalOf(key: RequestKey, request: Request | undefined, situation: Asked): string | undefined {
  const { number } = situation.course;
  const verb = key.slice(key.indexOf('/') + 1);
  if (request === undefined) return `The request to ${verb} is not JSON with the number of an attempt`;
  const why = {
    [PROMOTE]: () => promoteRefusal(request, situation),
    [ABORT]: () => abortRefusal(request, situation),
    [RETRY]: () => retryRefusal(request, situation),
  }[key]();
  return why && `Did not ${verb} revision ${request.number}: ${why === OTHER ? `the present one is ${number}` : why}`;
}

const OTHER = 'other attempt';

function promoteRefusal(
  { number, step }: Request,
  { course, record, rollout, obstacle, ...rest }: Asked,
): string | undefined {
  const isServed = rollout.update.attempt.promotions.some((each) => each.number === number && each.step === step);
  if (isServed) return undefined;
  if (number !== course.number) return OTHER;
  if (course.rejected !== undefined) return 'it is rejected';
  if (obstacle !== undefined) return obstacle;
  if (rest.step === undefined || course.stable === rollout.update.name) return 'it is not in a step';
  return step === record.step ? undefined : `it is in step ${record.step}, not in step ${step ?? '(none)'}`;
}

function abortRefusal({ number }: Request, { course, rollout, obstacle }: Asked): string | undefined {
  if (number !== course.number) return OTHER;
  if (course.rejected !== undefined) return undefined;
  if (course.stable === undefined) return 'there is no revision to go back to';
  return course.stable === rollout.update.name ? 'no rollout is under way' : obstacle;
}

function retryRefusal({ number }: Request, { course, rollout }: Asked): string | undefined {
  if (rollout.isRetried || isRetryOf(rollout.update, number)) return undefined;
  return number === course.number ? 'it was not rejected, and none of its gates has failed' : OTHER;
}

/** True when the revision had this number before its present one: the request was served before it could be removed. */
function isRetryOf({ stored, number: present }: Revision, number: number): boolean {
  const former = stored?.metadata.annotations?.[REVISION_HISTORY]?.split(',') ?? [];
  return number === present - 1 && former.at(-1) === String(number);
}
