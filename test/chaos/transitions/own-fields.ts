// Every value of every field that is a MyDeployment's own, for real: twins at rest are given it, both take it and come to
// rest alike, or both refuse it and stay as they were.

import type { Client } from '../../../src/runtime/client/client.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import type { Transition } from './fields.ts';
import { deployments, freshNamespace, ours, type Workload } from './kinds.ts';
import { inLanes, type Part, type Tally, type TransitionStage, titleOf } from './part.ts';
import { compared, replacing } from './template-fields.ts';
import { alike, harmTo, type Twins, twinsAtRest } from './twins.ts';
import { type Verdict, verdictOf } from './verdict.ts';

const LANES = 6;
/** More pods than these are only offered, and not waited for. */
const MOST_PODS = 12;

/** The transitions that are not about what is inside of the template. */
export function isOwn({ path }: Transition): boolean {
  return !path.startsWith('spec.template.');
}

/** Gives each value to twins of their own until the time is up. */
export async function convergeAll(
  { cluster: { client } }: TransitionStage,
  transitions: readonly Transition[],
  part: Part,
  tally: Tally,
): Promise<void> {
  const unharmed: Twins[] = [];
  await inLanes(transitions, LANES, part, async (transition) => {
    const twins = unharmed.pop() ?? (await twinsAtRest(client, await freshNamespace(client)));
    const { wrong, isChanged } = await change(client, twins, transition);
    for (const what of wrong) part.onViolation(`${titleOf(transition)}: ${what}`);
    tally.fields.add(`MyDeployment ${transition.path}`);
    tally.transitions += 1;
    if (isChanged) await remove(client, twins);
    else unharmed.push(twins);
  });
}

interface TransitionResult {
  readonly wrong: readonly string[];
  /** Whether the twins are not what they were. */
  readonly isChanged: boolean;
}

async function change(client: Client, twins: Twins, transition: Transition): Promise<TransitionResult> {
  const { namespace, names } = twins;
  const dryRun = askedFor(transition) > MOST_PODS;
  const to = (resource: Resource<Workload>, name: string): Promise<Verdict> => {
    const options = { fieldValidation: 'Strict', dryRun } as const;
    return verdictOf(client.patch(resource, { namespace, name }, replacing(transition.spec), options));
  };
  const [native, own] = [await to(deployments, names.native), await to(ours, names.ours)];
  const wrong = compared(native, own, transition);
  if (native.is !== own.is) return { wrong, isChanged: true };
  if (native.is === 'taken' && !dryRun) {
    await alike(client, namespace);
    return { wrong, isChanged: true };
  }
  const harm = await harmTo(client, twins);
  return { wrong: [...wrong, ...harm], isChanged: harm.length > 0 };
}

function askedFor({ spec }: Transition): number {
  const { replicas } = (spec ?? {}) as { readonly replicas?: unknown };
  return typeof replicas === 'number' ? replicas : 1;
}

/** Their pods would fill the cluster. */
async function remove(client: Client, { namespace, names }: Twins): Promise<void> {
  const options = { propagationPolicy: 'Background' } as const;
  await client.delete(deployments, { namespace, name: names.native }, options);
  await client.delete(ours, { namespace, name: names.ours }, options);
}
