// The gates of a step, as the status of the policy has them. Who measures is not who decides: the controller of
// RolloutPolicies writes results, the one of MyDeployments reads those of the recorded attempt and step, and no others.

import { timeOf } from '../workload/pod.ts';
import type { StepRecord } from './attempt.ts';
import type { Step } from './steps.ts';
import type { RolloutPolicy, RolloutPolicyStatusGate } from './types.gen.ts';

export type GateResult = RolloutPolicyStatusGate;

/** An attempt's step, and since when it is measured. */
export type Place = Pick<StepRecord, 'number' | 'step' | 'since'>;

export type GateVerdict =
  | { readonly is: 'passed' }
  | { readonly is: 'pending'; readonly message: string }
  | { readonly is: 'failed'; readonly message: string };

/** What the gates of a step say together: one that failed decides; all have to pass. */
export function gateVerdict({ status }: RolloutPolicy, { gates = [] }: Step, place: Place): GateVerdict {
  const results = gates.map((name) => ({ name, result: resultOf(status?.gates ?? [], name, place) }));
  const failed = results.find(({ result }) => result?.state === 'Failed');
  if (failed) return { is: 'failed', message: sentence(failed) };
  const pending = results.filter(({ result }) => result?.state !== 'Passed');
  return pending.length === 0 ? { is: 'passed' } : { is: 'pending', message: pending.map(sentence).join('; ') };
}

/**
 * The result of a gate for this attempt and step. One that was measured before the step's clock began is from an earlier stay in a
 * step of the same number, under other steps.
 */
export function resultOf(results: readonly GateResult[], name: string, { number, step, since }: Place) {
  return results.find(
    (each) =>
      each.name === name &&
      each.number === number &&
      each.step === step &&
      since !== undefined &&
      (timeOf(each.measuredAt) ?? 0) >= Math.floor(since / 1000) * 1000,
  );
}

function sentence({ name, result }: { readonly name: string; readonly result: GateResult | undefined }): string {
  return `gate "${name}": ${result?.message ?? 'not measured yet'}`;
}
