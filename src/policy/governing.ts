// Which policy governs a MyDeployment, and whether it can. Both controllers ask here, so that they agree: one goes by the
// policy, the other one says in its status that it does.

import type { KubeObject } from '../runtime/object.ts';
import { timeOf } from '../workload/pod.ts';
import { durationMs } from './duration.ts';
import type { RolloutPolicy } from './types.gen.ts';

/** What of a target decides whether a policy can govern it. */
export interface Target {
  readonly spec: { readonly strategy?: { readonly type?: string } };
}

/** Why a policy does not govern its target. */
export interface Refusal {
  readonly reason: 'Conflicted' | 'TargetNotFound' | 'StrategyNotSupported' | 'InvalidSpec';
  readonly message: string;
}

/** True when the policy is about the MyDeployment of this name in its own namespace, and is not being deleted. */
export function isAbout({ metadata, spec }: RolloutPolicy, target: KubeObject['metadata']): boolean {
  return (
    metadata.namespace === target.namespace &&
    metadata.deletionTimestamp === undefined &&
    spec.targetRef.name === target.name
  );
}

/** Of several policies for one target the oldest governs. */
export function governing(policies: readonly RolloutPolicy[]): RolloutPolicy | undefined {
  return policies.toSorted(compareAges)[0];
}

/** Why this policy cannot govern this target; undefined when it can. */
export function refusalOf({ spec }: RolloutPolicy, target: Target): Refusal | undefined {
  const { steps = [], gates = [] } = spec;
  if (steps.length > 0 && target.spec.strategy?.type === 'Recreate') {
    const message = 'spec.steps: a target with strategy Recreate cannot roll out in steps, only go back';
    return { reason: 'StrategyNotSupported', message };
  }
  const known = new Set(gates.map(({ name }) => name));
  const unknown = steps.flatMap((step) => step.gates ?? []).find((name) => !known.has(name));
  if (unknown !== undefined) return { reason: 'InvalidSpec', message: `spec.steps: there is no gate "${unknown}"` };
  const durations = [...steps.map(({ pause }) => pause?.duration), ...gates.map(({ interval }) => interval)];
  const bad = durations.find((text) => text !== undefined && !durationMs(text));
  if (bad !== undefined) return { reason: 'InvalidSpec', message: `"${bad}" is not a duration above 0` };
  const { gracePeriod } = spec.pods?.inPlace ?? {};
  if (gracePeriod !== undefined && durationMs(gracePeriod) === undefined) {
    return { reason: 'InvalidSpec', message: `spec.pods.inPlace.gracePeriod: "${gracePeriod}" is not a duration` };
  }
  return undefined;
}

function compareAges({ metadata: one }: RolloutPolicy, { metadata: other }: RolloutPolicy): number {
  const byAge = (timeOf(one.creationTimestamp) ?? 0) - (timeOf(other.creationTimestamp) ?? 0);
  return byAge || (one.name < other.name ? -1 : Number(one.name > other.name));
}
