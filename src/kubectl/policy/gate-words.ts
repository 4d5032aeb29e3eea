// A gate and what was measured of it, in a line.

import type { GateResult } from '../../policy/gates.ts';
import type { RolloutPolicySpecGate } from '../../policy/types.gen.ts';
import { timeOf } from '../../workload/pod.ts';
import { formatDuration } from '../duration.ts';
import { unended } from '../phrasing.ts';

/** More values than this say no more. */
const MOST_VALUES = 5;

/** `gate "errors" (Pending): 2 of 5 were good; values 0.1, 0.2; at most 0.5 is good; measured 12s ago` */
export function gateLine(
  { name, prometheus }: RolloutPolicySpecGate,
  result: GateResult | undefined,
  now: number,
): string {
  if (result === undefined) return `gate "${name}": not measured yet`;
  const { state, message, values = [], measuredAt } = result;
  const measured = timeOf(measuredAt);
  const parts = [
    ...(message === undefined ? [] : [unended(message)]),
    ...(values.length > 0 ? [`values ${values.slice(-MOST_VALUES).join(', ')}`] : []),
    ...(prometheus === undefined ? [] : [`${boundWords(prometheus)} is good`]),
    ...(measured === undefined ? [] : [`measured ${formatDuration(now - measured)} ago`]),
  ];
  return `gate "${name}" (${state}): ${parts.join('; ')}`;
}

function boundWords({ min, max }: NonNullable<RolloutPolicySpecGate['prometheus']>): string {
  return [...(min === undefined ? [] : [`at least ${min}`]), ...(max === undefined ? [] : [`at most ${max}`])].join(
    ' and ',
  );
}
