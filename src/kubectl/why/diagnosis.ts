// Why a rollout is not moving: every rule looks at the same facts, and what they find is told from the cause to the
// consequence. Pure.

import { isComplete } from '../../kinds/my-deployment/plan/progress.ts';
import type { Style } from '../terminal/style.ts';
import { disruptionBudget, minReady, rolloutBudget } from './budget-causes.ts';
import type { Cause, Facts } from './cause.ts';
import { deadline, deleting, howItGoes, paused, replicaFailure, revisionFailure } from './object-causes.ts';
import { operatorAway } from './operator-causes.ts';
import { evicted, podTroubles, stuckTerminating } from './pod-causes.ts';

type Rule = (facts: Facts) => Cause[];

/** Always worth saying, even about a rollout that is complete. */
const ALWAYS: readonly Rule[] = [deleting, operatorAway, disruptionBudget];

/** From the cause to the consequence. */
const UNFINISHED: readonly Rule[] = [
  paused,
  revisionFailure,
  replicaFailure,
  podTroubles,
  stuckTerminating,
  evicted,
  minReady,
  rolloutBudget,
  deadline,
];

/** Everything that was found; at least one. */
export function why(facts: Facts): Cause[] {
  const { rollout } = facts;
  const isDone = isComplete(rollout.spec, rollout.object.status ?? { replicas: 0 });
  // A pause is looked at all the same: it may hold a template back that has no pods yet.
  const rules = isDone ? [...ALWAYS, paused] : [...ALWAYS, ...UNFINISHED];
  const found = rules.flatMap((rule) => rule(facts));
  return found.length > 0 ? found : howItGoes(facts);
}

/** The causes as lines: a sentence, what it was read from, what helps. */
export function whyLines(name: string, causes: readonly Cause[], style: Style): string[] {
  return [
    style.strong(`mydeployment/${name}`),
    ...causes.flatMap(({ name: cause, sentence, evidence, advice }) => {
      const paint =
        cause === 'complete' ? style.good : cause === 'moving' || cause === 'just-changed' ? style.waiting : style.bad;
      return [
        `${paint('●')} ${sentence}`,
        ...evidence.map((line) => style.faint(`    ${line}`)),
        ...(advice === undefined ? [] : [`    → ${advice}`]),
      ];
    }),
  ];
}
