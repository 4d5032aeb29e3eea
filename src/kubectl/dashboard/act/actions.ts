// The actions of the page: each is the edit of a command of the terminal. A preview says first what it would do, checked by the API
// server without storing it; then it is done, but only to the generation that was looked at.

import { myDeployments } from '../../../kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../../kinds/my-deployment/types.gen.ts';
import type { Client } from '../../../runtime/client/client.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Reach } from '../../context.ts';
import { readTarget } from '../../context.ts';
import { type Edit, type Edited, writeEdit } from '../../edit.ts';
import { doneLine } from '../../output.ts';
import { readPolicies } from '../../policy/read-policies.ts';
import { type Standing, standingOf } from '../../policy/standing.ts';
import { readRevisions } from '../../revisions.ts';
import { templateDiff } from '../../rollout/diff.ts';
import { paused, restarted, resumed } from '../../rollout/edits.ts';
import { readRollback, rolledBack } from '../../rollout/undo.ts';
import { withImages } from '../../set-image.ts';
import type { ActRequest, Done, Preview, Verb } from '../protocol.ts';
import { commandOf } from './command.ts';
import { consequences } from './consequences.ts';
import { type Decider, makeDecision, POLICY_VERBS, type PolicyVerb, previewDecision } from './policy-verbs.ts';

export interface ActContext {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly wallNow: () => number;
}

type Store = 'server' | 'none';

/** What this action would do now. */
export async function preview(request: ActRequest, context: ActContext): Promise<Preview> {
  const decision = POLICY_VERBS.find((verb) => verb === request.verb);
  if (decision !== undefined) return previewDecision(request, decision, reachOf(request, context));
  const { before, after } = await execute(request, context, 'server');
  const standing = await standingNow(reachOf(request, context), before);
  const [from, to] = [before, after].map(({ spec }) => ({ number: undefined, template: spec.template }));
  return {
    generation: before.metadata.generation ?? 0,
    sentences: consequences(request, { before, after, standing }),
    diff: from && to ? templateDiff(from, to) : [],
    command: commandOf(request),
  };
}

/** Does it. */
export async function act(request: ActRequest, context: ActContext): Promise<Done> {
  const decision = POLICY_VERBS.find((verb) => verb === request.verb);
  if (decision !== undefined) return makeDecision(request, decision, reachOf(request, context));
  await execute(request, context, 'none');
  return { line: doneLine(request.name, DONE[request.verb as keyof typeof DONE], 'none').trim() };
}

/** Where the object stands under its policy; undefined without one, or where it cannot be read. */
async function standingNow(reach: Reach, object: MyDeployment): Promise<Standing | undefined> {
  const policies = await readPolicies(reach, reach.target.namespace);
  if (policies.length === 0) return undefined;
  return standingOf({ object, revisions: await readRevisions(reach, object), policies });
}

const DONE: Readonly<Record<Exclude<Verb, PolicyVerb>, string>> = {
  pause: 'paused',
  resume: 'resumed',
  restart: 'restarted',
  undo: 'rolled back',
  'set image': 'image updated',
  scale: 'scaled',
};

async function execute(request: ActRequest, context: ActContext, dryRun: Store): Promise<Edited> {
  const { generation } = request;
  const reach = reachOf(request, context);
  const current = (object: MyDeployment): MyDeployment => {
    if (generation === undefined || object.metadata.generation === generation) return object;
    throw new Error('It has been changed since you looked: see what the action would do now.');
  };
  if (request.verb === 'scale') return scale(request, reach, current, dryRun);
  const edit = await editFor(request, reach, context.wallNow());
  return writeEdit(reach, (object) => edit(current(object)), dryRun);
}

function reachOf({ namespace, name }: ActRequest, { client, signal, clock, wallNow }: ActContext): Decider {
  return { client, target: { namespace, name }, console: { interrupted: signal }, clock, wallNow };
}

async function editFor(request: ActRequest, reach: Reach, now: number): Promise<Edit> {
  switch (request.verb) {
    case 'pause':
      return paused;
    case 'resume':
      return resumed;
    case 'restart':
      return (object) => restarted(object, now);
    case 'undo':
      return undoTo(request.revision ?? 0, reach);
    case 'set image':
      return (object) => withImages(object, new Map(Object.entries(request.images ?? {})));
    default:
      throw new Error(`This version of kubectl md cannot ${request.verb}.`);
  }
}

async function undoTo(number: number, reach: Reach): Promise<Edit> {
  const { target } = await readRollback(reach, number);
  return (current) => rolledBack(current, target);
}

/** As kubectl scale does it: through the subresource, for which there is a right of its own. */
async function scale({ replicas = 0 }: ActRequest, reach: Reach, current: Edit, dryRun: Store): Promise<Edited> {
  const before = current(await readTarget(reach));
  const patch = { type: 'merge', body: { spec: { replicas } } } as const;
  const options = { subresource: 'scale', dryRun: dryRun === 'server', signal: reach.console.interrupted };
  await reach.client.patch(myDeployments, reach.target, patch, options);
  return { before, after: { ...before, spec: { ...before.spec, replicas } } };
}
