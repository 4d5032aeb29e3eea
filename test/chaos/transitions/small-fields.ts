// Every value of every field of the smaller kinds, for real: a good one is taken and carried out, a bad one refused with
// its field named and the object unharmed; of the rest, whichever it is, the same holds.

import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../../src/runtime/client/client.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { eventually } from '../../support/eventually.ts';
import type { Json } from '../../support/merge-patch.ts';
import type { Transition } from './fields.ts';
import { freshNamespace, manifestOf } from './kinds.ts';
import { inLanes, type Part, type Tally, type TransitionStage, titleOf } from './part.ts';
import { expectedOf, isAnswered, type SmallKind, type SmallObject } from './small-kinds.ts';
import { replacing } from './template-fields.ts';
import { namesField, verdictOf } from './verdict.ts';

const LANES = 4;
/** More pods than these, or a longer wait until one is available, are only offered. */
const MOST_PODS = 12;
const LONGEST_WAIT_SECONDS = 10;

interface Subject {
  readonly kind: SmallKind;
  readonly namespace: string;
  readonly before: SmallObject;
}

/** Gives each value to an object of the kind until the time is up. */
export async function smallTransitions(
  { cluster: { client } }: TransitionStage,
  kind: SmallKind,
  transitions: readonly Transition[],
  part: Part,
  tally: Tally,
): Promise<void> {
  const unharmed: Subject[] = [];
  const title = kind.kind.resource.kind;
  await inLanes(transitions, LANES, part, async (transition) => {
    const subject = unharmed.pop() ?? (await subjectAtRest(client, kind));
    const { wrong, isChanged } = await change(client, subject, transition);
    for (const what of wrong) part.onViolation(`${title} ${titleOf(transition)}: ${what}`);
    tally.fields.add(`${title} ${transition.path}`);
    tally.transitions += 1;
    if (isChanged) await client.delete(resourceOf(kind), refOf(subject), { propagationPolicy: 'Background' });
    else unharmed.push(subject);
  });
}

function resourceOf({ kind }: SmallKind): Resource<SmallObject> {
  return kind.resource as Resource<SmallObject>;
}

function refOf({ namespace, before }: Subject): { readonly namespace: string; readonly name: string } {
  return { namespace, name: before.metadata.name };
}

async function subjectAtRest(client: Client, kind: SmallKind): Promise<Subject> {
  const namespace = await freshNamespace(client);
  const { metadata } = await client.create(resourceOf(kind), manifestOf<SmallObject>(namespace, 'small', kind.base));
  const before = await answered(client, kind, { namespace, name: metadata.name });
  return { kind, namespace, before };
}

function answered(client: Client, kind: SmallKind, ref: { namespace: string; name: string }): Promise<SmallObject> {
  return eventually(async () => {
    const object = await client.get(resourceOf(kind), ref);
    if (!isAnswered(kind, object)) throw new Error(`not carried out: ${JSON.stringify(object.status)}`);
    return object;
  });
}

interface TransitionResult {
  readonly wrong: readonly string[];
  readonly isChanged: boolean;
}

async function change(client: Client, subject: Subject, transition: Transition): Promise<TransitionResult> {
  const { kind, before } = subject;
  const { intent, blames } = expectedOf(kind, transition);
  const dryRun = isTooMuch(transition.spec);
  const options = { fieldValidation: 'Strict', dryRun } as const;
  const verdict = await verdictOf(client.patch(resourceOf(kind), refOf(subject), replacing(transition.spec), options));
  if (verdict.is === 'taken') {
    if (!dryRun) await answered(client, kind, refOf(subject));
    return { wrong: intent === 'bad' ? ['it takes it'] : [], isChanged: !dryRun };
  }
  const now = await client.get(resourceOf(kind), refOf(subject));
  const harm = isDeepStrictEqual(now.spec, before.spec) && now.metadata.generation === before.metadata.generation;
  const wrong = [
    ...(intent === 'good' ? [`it refuses it: ${verdict.message}`] : []),
    ...(namesField(verdict, blames) ? [] : [`no word of the field: ${verdict.message}`]),
    ...(harm ? [] : [`although refused, it has become ${JSON.stringify(now.spec)}`]),
  ];
  return { wrong, isChanged: false };
}

function isTooMuch(spec: Json): boolean {
  const { replicas, minReadySeconds } = (spec ?? {}) as {
    readonly replicas?: unknown;
    readonly minReadySeconds?: unknown;
  };
  return Number(replicas ?? 1) > MOST_PODS || Number(minReadySeconds ?? 0) > LONGEST_WAIT_SECONDS;
}
