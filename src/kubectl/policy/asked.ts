// The verbs of a rollout under a policy as data: a request that is ready to be sent, or why it makes no sense.

import type { RevisionRecord } from '../../kinds/my-deployment/plan/record.ts';
import { ABORT, PROMOTE, RETRY, type Request, type RequestKey } from '../../policy/requests.ts';
import type { RolloutPolicy } from '../../policy/types.gen.ts';
import type { Standing } from './standing.ts';

export type Verb = 'promote' | 'promoteFull' | 'abort' | 'retry';

export interface Asked {
  readonly is: 'asked';
  readonly verb: Verb;
  readonly policy: RolloutPolicy;
  readonly key: RequestKey;
  readonly request: Request;
  /** The revision whose attempt it is about. */
  readonly revision: RevisionRecord;
  /** What will happen, as a clause. */
  readonly will: string;
  /** Until when the operator lets requests wait, as a clause; undefined when it answers at once. */
  readonly waitsUntil: string | undefined;
}

export interface Refused {
  readonly is: 'refused';
  readonly because: string;
}

const KEYS: Readonly<Record<Verb, RequestKey>> = {
  promote: PROMOTE,
  promoteFull: PROMOTE,
  abort: ABORT,
  retry: RETRY,
};

export function refused(because: string): Refused {
  return { is: 'refused', because };
}

export function asked(
  { verb, request, will }: Pick<Asked, 'verb' | 'request' | 'will'>,
  { object, policy, size }: Standing,
  revision: RevisionRecord,
): Asked {
  const noReplicas = size.replicas === 0 ? 'it has replicas' : undefined;
  const waitsUntil = object.spec.paused ? 'it is resumed' : noReplicas;
  return { is: 'asked', verb, policy, key: KEYS[verb], request, revision, will, waitsUntil };
}

/** True when both ask for the same, whether or not the user is the same. */
export function sameRequest(one: Request | undefined, other: Request): boolean {
  return one?.number === other.number && one.step === other.step && one.full === other.full;
}
