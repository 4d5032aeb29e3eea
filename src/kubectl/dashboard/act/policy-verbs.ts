// The decisions about a rollout under a RolloutPolicy: promote, abort, retry. Each is the request of the terminal's verb, which names
// the attempt and the step that were looked at.

import type { Clock } from '../../../runtime/clock.ts';
import { later } from '../../../runtime/instant.ts';
import type { Reach } from '../../context.ts';
import type { Answer } from '../../policy/answer.ts';
import type { Asked } from '../../policy/asked.ts';
import { decide } from '../../policy/decide.ts';
import { readStanding } from '../../policy/read-standing.ts';
import { awaitAnswer, send } from '../../policy/send.ts';
import type { Standing } from '../../policy/standing.ts';
import { isRolling } from '../../policy/step-words.ts';
import { requestLine } from '../../policy/verbs.ts';
import type { ActRequest, Done, Preview } from '../protocol.ts';
import { commandOf } from './command.ts';

export const POLICY_VERBS = ['promote', 'abort', 'retry'] as const;
export type PolicyVerb = (typeof POLICY_VERBS)[number];

/** How long a person waits for the operator. */
const PATIENCE_MS = 10_000;

export interface Decider extends Reach {
  readonly clock: Clock;
  readonly wallNow: () => number;
}

/** The decisions that fit a rollout where it stands. */
export function decisionsFor(standing: Standing | undefined): readonly PolicyVerb[] {
  if (standing?.phase.is === 'rejected') return ['retry'];
  if (standing === undefined || !isRolling(standing)) return [];
  return standing.phase.gates.is === 'failed' ? POLICY_VERBS : ['promote', 'abort'];
}

/** Why this decision cannot be made now; a promotion may end the pause, or skip every step. */
export function policyRefusal(verb: PolicyVerb, standing: Standing | undefined, now: number): string | undefined {
  const verbs = verb === 'promote' ? (['promote', 'promoteFull'] as const) : ([verb] as const);
  const decisions = verbs.map((each) => decide(each, standing, now));
  const [first] = decisions;
  return decisions.every(({ is }) => is === 'refused') && first?.is === 'refused' ? sentence(first.because) : undefined;
}

/** What the decision would do. */
export async function previewDecision(request: ActRequest, verb: PolicyVerb, reach: Decider): Promise<Preview> {
  const asked = await decided(request, verb, reach);
  await send(reach, asked, 'server');
  const waits = asked.waitsUntil === undefined ? [] : [`The operator serves it when ${asked.waitsUntil}.`];
  const { generation = 0 } = (await readStanding(reach))?.object.metadata ?? {};
  const sentences = [sentence(asked.will), ...waits];
  return { generation, attempt: attemptOf(asked), sentences, diff: [], command: commandOf(request) };
}

/** Makes the decision, and says what the operator did. */
export async function makeDecision(request: ActRequest, verb: PolicyVerb, reach: Decider): Promise<Done> {
  const asked = await decided(request, verb, reach);
  if (request.attempt !== undefined && request.attempt !== attemptOf(asked)) {
    throw new Error('The rollout has moved on since you looked: see what the decision would do now.');
  }
  await send(reach, asked);
  const deadline = later(reach.clock.now(), PATIENCE_MS);
  const answer: Answer = asked.waitsUntil === undefined ? await awaitAnswer(reach, asked, deadline) : { is: 'pending' };
  return { line: requestLine(asked, answer, 'none') };
}

async function decided({ full }: ActRequest, verb: PolicyVerb, reach: Decider): Promise<Asked> {
  const decision = decide(
    verb === 'promote' && full ? 'promoteFull' : verb,
    await readStanding(reach),
    reach.wallNow(),
  );
  if (decision.is === 'refused') throw new Error(sentence(decision.because));
  return decision;
}

function attemptOf({ request: { number, step } }: Asked): string {
  return `${number}/${step ?? ''}`;
}

function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}
