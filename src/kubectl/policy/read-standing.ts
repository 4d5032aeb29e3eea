// Reads where a rollout under a policy stands, for the verbs: they cannot do without.

import { type Reach, readTarget } from '../context.ts';
import { readRevisions } from '../revisions.ts';
import { requirePolicies } from './read-policies.ts';
import { type Standing, standingOf } from './standing.ts';

/** Policies are read first: what they ask for is recorded in the revisions before it vanishes from them. */
export async function readStanding(context: Reach): Promise<Standing | undefined> {
  const policies = await requirePolicies(context, context.target.namespace);
  const object = await readTarget(context);
  return standingOf({ object, revisions: await readRevisions(context, object), policies });
}
