// `rollout promote`, `abort` and `retry`: what people ask of a rollout under a policy. Each writes a request that names the
// attempt and step it saw, waits for the operator and says what happened.

import { later } from '../../runtime/instant.ts';
import type { ObjectCommand, ObjectContext } from '../context.ts';
import { type DryRun, dryRunOf } from '../output.ts';
import { printable } from '../terminal/printable.ts';
import type { Answer } from './answer.ts';
import type { Asked, Verb } from './asked.ts';
import { decide } from './decide.ts';
import { readStanding } from './read-standing.ts';
import { awaitAnswer, send } from './send.ts';

const DEFAULT_TIMEOUT_MS = 10_000;

const WORDS: Readonly<Record<Verb, { readonly verb: string; readonly noun: string; readonly done: string }>> = {
  promote: { verb: 'promote', noun: 'promotion', done: 'promoted' },
  promoteFull: { verb: 'promote', noun: 'full promotion', done: 'promoted in full' },
  abort: { verb: 'abort', noun: 'abort', done: 'aborted' },
  retry: { verb: 'retry', noun: 'retry', done: 'retried' },
};

export const promote: ObjectCommand = (context) => ask(context, context.flags.on('full') ? 'promoteFull' : 'promote');
export const abort: ObjectCommand = (context) => ask(context, 'abort');
export const retry: ObjectCommand = (context) => ask(context, 'retry');

/** Asks, waits for the answer and prints it. */
export async function ask(context: ObjectContext, verb: Verb): Promise<number> {
  const { flags, console, wallNow, clock, target } = context;
  const dryRun = dryRunOf(flags);
  const decision = decide(verb, await readStanding(context), wallNow());
  const title = `mydeployment "${target.name}"`;
  if (decision.is === 'refused') throw new Error(`cannot ${WORDS[verb].verb} ${title}: ${decision.because}`);
  if (dryRun !== 'client') await send(context, decision, dryRun);
  const shouldWait = dryRun === 'none' && decision.waitsUntil === undefined;
  const deadline = later(clock.now(), flags.duration('timeout') ?? DEFAULT_TIMEOUT_MS);
  const answer: Answer = shouldWait ? await awaitAnswer(context, decision, deadline) : { is: 'pending' };
  console.out.write(`${title} ${printable(requestLine(decision, answer, dryRun))}\n`);
  return 0;
}

/** What happened, after the name of the object; throws when the operator did not do what it was asked. */
export function requestLine(asked: Asked, answer: Answer, dryRun: DryRun): string {
  const { verb, noun, done } = WORDS[asked.verb];
  if (dryRun !== 'none') return `${done}: ${asked.will} (${dryRun === 'server' ? 'server ' : ''}dry run)`;
  if (asked.waitsUntil !== undefined) return `waits: the ${noun} is requested, and is served when ${asked.waitsUntil}`;
  switch (answer.is) {
    case 'served':
      return `${done}: ${answer.words}`;
    case 'dropped':
      throw new Error(`the operator dropped the request to ${verb} it: ${answer.because}`);
    case 'pending':
      throw new Error(`timed out waiting for the operator: the ${noun} is requested and stays so`);
    default:
      return answer satisfies never;
  }
}
