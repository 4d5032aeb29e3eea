// Every value of every field of a MyDeployment's spec, offered to it and to a Deployment without storing either: both take
// it, and would store the same template, or both refuse it, and ours names the field as well as native does. A value that
// is refused is also written for real, over an object that exists and must not be harmed.

import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../../src/runtime/client/client.ts';
import type { Patch } from '../../../src/runtime/client/options.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import type { Json } from '../../support/merge-patch.ts';
import { differenceAt } from './differences.ts';
import type { Transition } from './fields.ts';
import { deployments, freshNamespace, manifestOf, ours, type Workload } from './kinds.ts';
import { inLanes, isOver, type Part, type Tally, type TransitionStage, titleOf } from './part.ts';
import { canBeTaken } from './pod-samples.ts';
import { harmTo, said, type Twins, twinsAtRest } from './twins.ts';
import { SAMPLE } from './value.ts';
import { namesField, type Refusal, type Verdict, verdictOf } from './verdict.ts';

/** Both cores of a small machine are busy then: the API server's part is the larger one. */
const LANES = 6;
const OFFERED = { dryRun: true, fieldValidation: 'Strict' } as const;

/** Offers each value in turn until the time is up. */
export async function offerAll(
  { cluster: { client } }: TransitionStage,
  transitions: readonly Transition[],
  part: Part,
  tally: Tally,
): Promise<void> {
  if (isOver(part)) return;
  const twins = await twinsAtRest(client, await freshNamespace(client));
  await inLanes(transitions, LANES, part, async (transition) => {
    for (const what of await offer(client, twins, transition)) part.onViolation(`${titleOf(transition)}: ${what}`);
    tally.fields.add(`MyDeployment ${transition.path}`);
    tally.transitions += 1;
  });
  for (const what of await harmTo(client, twins)) part.onViolation(`after values that were refused: ${what}`);
}

async function offer(client: Client, { namespace, names }: Twins, transition: Transition): Promise<string[]> {
  const create = (resource: Resource<Workload>) =>
    verdictOf(client.create(resource, manifestOf<Workload>(namespace, 'another', transition.spec), OFFERED));
  const [native, own] = await Promise.all([create(deployments), create(ours)]);
  const change = (resource: Resource<Workload>, name: string, options: object) =>
    verdictOf(client.patch(resource, { namespace, name }, replacing(transition.spec), options));
  // What is refused is sent for real: nothing may come of it.
  const options = own.is === 'refused' ? { fieldValidation: 'Strict' } : OFFERED;
  const [nativeChange, ownChange] = await Promise.all([
    change(deployments, names.native, OFFERED),
    change(ours, names.ours, options),
  ]);
  return [
    ...uselessness(native, transition),
    ...compared(native, own, transition).map((what) => `created, ${what}`),
    ...compared(nativeChange, ownChange, transition).map((what) => `as a change, ${what}`),
  ];
}

/** A field whose sample is refused has not been tried at all: the samples need an entry for it. */
function uselessness(native: Verdict, { path, what }: Transition): string[] {
  return what === SAMPLE && native.is === 'refused' && canBeTaken(path) ? [`no good sample: ${native.message}`] : [];
}

/** The whole spec: a merge patch would keep what the value leaves out. */
export function replacing(spec: Json): Patch {
  return { type: 'json', body: [{ op: 'replace', path: '/spec', value: spec }] };
}

/** In what two verdicts on the same spec differ, unless they may. */
export function compared(native: Verdict, own: Verdict, transition: Transition): string[] {
  if (native.is !== own.is) {
    if (differenceAt(transition, 'verdict')) return [];
    return [`native ${toldOf(native)}, ours ${toldOf(own)}`];
  }
  if (native.is === 'refused' || own.is === 'refused') {
    return isNamedAsWell(native as Refusal, own as Refusal, transition) ? [] : [`no word of the field: ${toldOf(own)}`];
  }
  const [theirs, mine] = [native, own].map(({ object }) => said((object as Workload).spec.template as Json));
  if (isDeepStrictEqual(theirs, mine) || differenceAt(transition, 'template')) return [];
  return [`native would store ${JSON.stringify(theirs)}, ours ${JSON.stringify(mine)}`];
}

/** True where native does not name the field either, or both name the same other field. */
function isNamedAsWell(native: Refusal, own: Refusal, transition: Transition): boolean {
  const { path } = transition;
  if (namesField(own, path) || !namesField(native, path)) return true;
  return (
    isDeepStrictEqual(new Set(own.fields), new Set(native.fields)) || differenceAt(transition, 'names') !== undefined
  );
}

function toldOf(verdict: Verdict): string {
  return verdict.is === 'taken' ? 'takes it' : `refuses it: ${verdict.message}`;
}
