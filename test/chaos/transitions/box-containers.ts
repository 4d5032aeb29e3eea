// What a ModelBox says about containers, variables, probes and resources ends up in a pod template: it takes what a
// Deployment with the same containers takes, refuses what that refuses, and tells it of its own field. Nothing is stored.

import { modelBox } from '../../../src/kinds/model-box/schema.ts';
import type { Client } from '../../../src/runtime/client/client.ts';
import type { Json } from '../../support/merge-patch.ts';
import { differenceAt } from './differences.ts';
import type { Transition } from './fields.ts';
import { deployments, freshNamespace, manifestOf, type Workload } from './kinds.ts';
import { inLanes, isOver, type Part, type Tally, type TransitionStage, titleOf } from './part.ts';
import { namesField, verdictOf } from './verdict.ts';

const LANES = 6;
const OFFERED = { dryRun: true, fieldValidation: 'Strict' } as const;
const INSIDE = /^spec\.(containers|initContainers|envs|resources|livenessProbe|readinessProbe)[.[{]/;

/** True for what a ModelBox passes on as it is. */
export function isPassedOn({ path }: Transition): boolean {
  return INSIDE.test(path);
}

/** Offers each value to both until the time is up. */
export async function offerContainers(
  { cluster: { client } }: TransitionStage,
  transitions: readonly Transition[],
  part: Part,
  tally: Tally,
): Promise<void> {
  if (isOver(part)) return;
  const namespace = await freshNamespace(client);
  await inLanes(transitions, LANES, part, async (transition) => {
    const what = await offer(client, namespace, transition);
    if (what !== undefined) part.onViolation(`ModelBox ${titleOf(transition)}: ${what}`);
    tally.fields.add(`ModelBox ${transition.path}`);
    tally.transitions += 1;
  });
}

async function offer(client: Client, namespace: string, transition: Transition): Promise<string | undefined> {
  const { spec, path } = transition;
  const [native, own] = await Promise.all([
    verdictOf(client.create(deployments, manifestOf<Workload>(namespace, 'box', nativeSpec(spec)), OFFERED)),
    verdictOf(client.create(modelBox.resource, manifestOf(namespace, 'box', spec), OFFERED)),
  ]);
  if (native.is !== own.is) {
    if (differenceAt(transition, 'verdict')) return undefined;
    const words = [native, own].map((verdict) =>
      verdict.is === 'taken' ? 'takes it' : `refuses it: ${verdict.message}`,
    );
    return `a Deployment ${words[0]}, a ModelBox ${words[1]}`;
  }
  if (own.is === 'taken' || native.is === 'taken') return undefined;
  const isNamed = namesField(own, path) || !namesField(native, nativePath(path)) || namesSibling(own.fields, path);
  return isNamed ? undefined : `no word of the field: ${own.message}`;
}

/** What stands beside it, and contradicts it. */
function namesSibling(fields: readonly string[], path: string): boolean {
  const top = path.split(/[.[]/, 2).join('.');
  return fields.some((field) => field.startsWith(top));
}

/** The first container is the ModelBox's own. */
function nativeSpec(spec: Json): Json {
  const { image, envs, resources, livenessProbe, readinessProbe, containers, initContainers } = spec as Readonly<
    Record<string, Json>
  >;
  const first = { name: 'box', image, env: envs, resources, livenessProbe, readinessProbe };
  const template = {
    metadata: { labels: { app: 'box' } },
    spec: { containers: [first, ...((containers as readonly Json[] | undefined) ?? [])], initContainers },
  };
  return JSON.parse(JSON.stringify({ selector: { matchLabels: { app: 'box' } }, template })) as Json;
}

function nativePath(path: string): string {
  const inTemplate = path.replace(/^spec\.envs/, 'spec.containers[].env');
  return inTemplate
    .replace(/^spec\.(resources|livenessProbe|readinessProbe)/, 'spec.containers[].$1')
    .replace(/^spec\./, 'spec.template.spec.');
}
