// Why a rollout makes no progress: every rule reads the same facts and returns the causes it finds, in order from cause to
// consequence. Pure.

import { isComplete } from '../../kinds/my-deployment/plan/progress.ts';
import type { Style } from '../terminal/style.ts';
import { disruptionBudget, minReady, rolloutBudget } from './budget-causes.ts';
import type { Cause, CauseName, Facts } from './cause.ts';
import { notInPlace } from './in-place-causes.ts';
import { deadline, deleting, howItGoes, paused, replicaFailure, revisionFailure, stalled } from './object-causes.ts';
import { operatorAway } from './operator-causes.ts';
import { evicted, podProblems, stuckTerminating } from './pod-causes.ts';
import { policyConflict, policyRefused, rejected, stableTrouble } from './policy-causes.ts';
import { stepHeld } from './step-causes.ts';

type Rule = (facts: Facts) => Cause[];

/** Rules that also apply to a complete rollout. */
const ALWAYS: readonly Rule[] = [
  deleting,
  operatorAway,
  stalled,
  policyRefused,
  policyConflict,
  stableTrouble,
  rejected,
  disruptionBudget,
];

/** Rules for a rollout that is not complete, from cause to consequence. */
const UNFINISHED: readonly Rule[] = [
  paused,
  stepHeld,
  revisionFailure,
  replicaFailure,
  podProblems,
  notInPlace,
  stuckTerminating,
  evicted,
  minReady,
  rolloutBudget,
  deadline,
];

/** Every cause that the rules find; at least one. */
export function why(facts: Facts): Cause[] {
  const { rollout } = facts;
  const isDone = isComplete(rollout.spec, rollout.object.status ?? { replicas: 0 });
  // A pause matters here, too: it may hold back a template that has no pods yet.
  const rules = isDone ? [...ALWAYS, paused] : [...ALWAYS, ...UNFINISHED];
  const found = rules.flatMap((rule) => rule(facts));
  return found.length > 0 ? found : howItGoes(facts);
}

/** Nothing is wrong: the rollout goes on, or waits as its spec or policy says. */
const HARMLESS: readonly CauseName[] = [
  'moving',
  'just-changed',
  'awaiting-promotion',
  'step-paused',
  'gate-pending',
  'in-place',
  'not-in-place',
];

/** How bad a cause is: nothing to do, wait, or act. */
export function toneOf(cause: CauseName): 'good' | 'waiting' | 'bad' {
  if (cause === 'complete') return 'good';
  return HARMLESS.includes(cause) ? 'waiting' : 'bad';
}

/** The causes as lines: a sentence, its evidence, and advice. */
export function whyLines(name: string, causes: readonly Cause[], style: Style): string[] {
  return [
    style.strong(`mydeployment/${name}`),
    ...causes.flatMap(({ name: cause, sentence, evidence, advice }) => [
      `${style[toneOf(cause)]('●')} ${sentence}`,
      ...evidence.map((line) => style.faint(`    ${line}`)),
      ...(advice === undefined ? [] : [`    → ${advice}`]),
    ]),
  ];
}
