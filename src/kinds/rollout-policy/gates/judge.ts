// What a measurement means for its gate. Pure: the result before, the outcome of one measurement, and the result after it.
//
// Guarantees: a gate passes only with as many good measurements as it asks for; one value out of bounds fails it for good; a
// measurement that could not be made never fails it.

import type { GateResult, Place } from '../../../policy/gates.ts';
import type { RolloutPolicySpecGate, RolloutPolicySpecGatePrometheus } from '../../../policy/types.gen.ts';
import { timestamp } from '../../../runtime/conditions.ts';

export type Gate = RolloutPolicySpecGate;

export type Outcome =
  /** A number as the server wrote it; `+Inf` and `-Inf` are numbers. */
  | { readonly is: 'value'; readonly text: string }
  | { readonly is: 'noData'; readonly message: string }
  /** It could not be measured this time. */
  | { readonly is: 'error'; readonly message: string }
  /** It cannot be measured until a user changes the policy, or creates what it refers to. */
  | { readonly is: 'blocked'; readonly message: string }
  /** The state of a Job. */
  | { readonly is: 'running' | 'succeeded' | 'failed'; readonly message: string };

/** With so many errors in a row, the gate is in state Error. */
const ERRORS_IN_A_ROW = 5;
/** So many of the last values are kept. */
const KEPT_VALUES = 20;

/** The result of the gate after a measurement that ended at `at`. */
export function judge(
  gate: Gate,
  before: GateResult | undefined,
  outcome: Outcome,
  { place: { number, step }, at }: { readonly place: Place; readonly at: number },
): GateResult {
  const { state = 'Pending', successes, lastValue, values } = before ?? {};
  const kept = {
    name: gate.name,
    number,
    step,
    ...(successes !== undefined && { successes }),
    ...(lastValue !== undefined && { lastValue }),
    ...(values && { values }),
    measuredAt: timestamp(at),
  };
  switch (outcome.is) {
    case 'value':
      return { ...kept, ...judgeValue(gate, before, outcome.text) };
    case 'noData': {
      const fails = gate.onNoData === 'Fail';
      return { ...kept, state: fails ? 'Failed' : 'NoData', message: outcome.message };
    }
    case 'error':
    case 'blocked': {
      const errors = (before?.errors ?? 0) + 1;
      const isError = outcome.is === 'blocked' || errors >= ERRORS_IN_A_ROW;
      const message = errors === 1 ? outcome.message : `${outcome.message} (${errors} errors in a row)`;
      return { ...kept, state: isError ? 'Error' : state, errors, message };
    }
    case 'running':
      return { ...kept, state: 'Pending', message: outcome.message };
    case 'succeeded':
      return { ...kept, state: 'Passed', message: outcome.message };
    case 'failed':
      return { ...kept, state: 'Failed', message: outcome.message };
    default:
      return outcome satisfies never;
  }
}

/** True when nothing changes the result any more. */
export function isFinal(result: GateResult | undefined): boolean {
  return result?.state === 'Passed' || result?.state === 'Failed';
}

/** The number of a text that Prometheus wrote; NaN for any other text. */
export function numberOf(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  if (text === '-Inf') return Number.NEGATIVE_INFINITY;
  return /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

function judgeValue({ prometheus, count = 1 }: Gate, before: GateResult | undefined, text: string) {
  const value = numberOf(text);
  const measured = { lastValue: text, values: [...(before?.values ?? []), text].slice(-KEPT_VALUES) };
  const problem = outOfBounds(prometheus, value, text);
  if (problem !== undefined) return { ...measured, state: 'Failed' as const, message: problem };
  const successes = (before?.successes ?? 0) + 1;
  const message = `${successes} of ${count} measurements were good, the last value is ${text}`;
  return { ...measured, successes, state: successes >= count ? ('Passed' as const) : ('Pending' as const), message };
}

function outOfBounds(
  { min, max }: Pick<RolloutPolicySpecGatePrometheus, 'min' | 'max'> = {},
  value: number,
  text: string,
): string | undefined {
  if (max !== undefined && value > Number(max)) return `${text} is above the maximum ${max}`;
  if (min !== undefined && value < Number(min)) return `${text} is below the minimum ${min}`;
  return undefined;
}
