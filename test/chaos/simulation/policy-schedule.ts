// What happens in a simulated run under a policy, beside all that happens without one (schedule.ts). Made from a stream of chance
// of its own, so that schedules without a policy are what they were.

import { ZONE_LABEL } from '../../../src/kinds/my-deployment/plan/spread.ts';
import type { RolloutPolicySpec, RolloutPolicySpecStep } from '../../../src/policy/types.gen.ts';
import { INFEASIBLE_CPU } from '../../support/model-pod.ts';
import type { Chance } from './chance.ts';

export type PolicySpec = Omit<RolloutPolicySpec, 'targetRef'>;

export type PolicyAct =
  | { readonly do: 'govern'; readonly spec: PolicySpec }
  /** A second policy for the same object. */
  | { readonly do: 'double'; readonly spec: PolicySpec }
  | { readonly do: 'ungovern'; readonly name: 'web' | 'other' }
  /** About the attempt and step that people see, or about ones that are so far away: late, or mistaken. */
  | { readonly do: 'promote'; readonly full: boolean; readonly off: number; readonly by: number }
  | { readonly do: 'abort' | 'retry'; readonly off: number }
  /** What the measurer says of the gate, for the present place or another one. */
  | { readonly do: 'measure'; readonly state: 'Passed' | 'Failed' | 'Error'; readonly off: number; readonly by: number }
  /** The new template's pods crash over and over. */
  | { readonly do: 'rollCrashing' }
  /** The new template asks for so much CPU. */
  | { readonly do: 'rollResized'; readonly version: number; readonly cpu: string };

/** How a run under a policy ends: people let go of it, promote all steps, or roll out and abort. */
export const ENDS = ['letGo', 'promote', 'abort'] as const;
export type End = (typeof ENDS)[number];

export const GATE = 'errors';
const gates: NonNullable<PolicySpec['gates']> = [{ name: GATE, prometheus: { query: 'up', max: '1' } }];

/** A policy that is accepted, where steps are. */
export function soundPolicy(strategy: string | undefined): PolicySpec {
  if (strategy === 'Recreate') return { rollback: {} };
  const steps: RolloutPolicySpecStep[] = [
    { replicas: 1, pause: { until: 'Promoted' } },
    { replicas: '50%', gates: [GATE], pause: { until: 'Promoted' } },
  ];
  return { steps, gates, rollback: {} };
}

export function policyBy(chance: Chance): PolicySpec {
  const steps = Array.from({ length: chance.between(0, 3) }, () => stepBy(chance));
  const rollback = chance.pick<PolicySpec['rollback']>([undefined, {}, {}, { maxPodFailures: 1 }, { when: ['Gates'] }]);
  const pods = podsBy(chance);
  return { steps, gates: chance.happens(0.1) ? [] : gates, ...(rollback && { rollback }), ...(pods && { pods }) };
}

function podsBy(chance: Chance): PolicySpec['pods'] {
  const pods: PolicySpec['pods'] = {
    ...(chance.happens(0.5) && { podReplacementPolicy: 'TerminationComplete' }),
    ...(chance.happens(0.5) && { scaleDown: { spreadBy: ZONE_LABEL } }),
    ...(chance.happens(0.5) && { inPlace: { mode: 'IfPossible', gracePeriod: chance.pick(['0s', '0s', '1s', '3s']) } }),
  };
  return Object.keys(pods).length === 0 ? undefined : pods;
}

function stepBy(chance: Chance): RolloutPolicySpecStep {
  const pause = chance.pick([undefined, { until: 'Promoted' as const }, { duration: '2s' }]);
  const isGated = chance.happens(0.3);
  const replicas = chance.pick([1, 2, '25%', '50%', '100%']);
  return { replicas, ...(pause && { pause }), ...(isGated && { gates: [GATE] }) };
}

/** Mostly right. */
const offBy = (chance: Chance): number => chance.pick([0, 0, 0, 0, -1, 1]);

const MAKERS: readonly ((chance: Chance) => PolicyAct)[] = [
  (chance) => ({ do: 'govern', spec: policyBy(chance) }),
  (chance) => ({ do: 'promote', full: chance.happens(0.2), off: offBy(chance), by: offBy(chance) }),
  (chance) => ({ do: 'promote', full: false, off: offBy(chance), by: offBy(chance) }),
  () => ({ do: 'promote', full: false, off: 0, by: 0 }),
  (chance) => ({ do: 'abort', off: offBy(chance) }),
  (chance) => ({ do: 'retry', off: offBy(chance) }),
  (chance) => ({ do: 'measure', state: 'Passed', off: offBy(chance), by: offBy(chance) }),
  (chance) => ({
    do: 'measure',
    state: chance.pick(['Failed', 'Error'] as const),
    off: offBy(chance),
    by: offBy(chance),
  }),
  () => ({ do: 'rollCrashing' }),
  (chance) => ({
    do: 'rollResized',
    version: chance.between(0, 1),
    cpu: chance.pick(['2', INFEASIBLE_CPU]),
  }),
  (chance) =>
    chance.happens(0.5)
      ? { do: 'double', spec: policyBy(chance) }
      : { do: 'ungovern', name: chance.pick(['web', 'other'] as const) },
];

export function policyActBy(chance: Chance): PolicyAct {
  return chance.pick(MAKERS)(chance);
}
