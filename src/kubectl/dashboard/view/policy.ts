// A RolloutPolicy as the page shows it: what the terminal says of it, and the last values of its gates to be drawn.

import { resultOf } from '../../../policy/gates.ts';
import type { Standing } from '../../policy/standing.ts';
import { isRolling } from '../../policy/step-words.ts';
import type { PolicyView } from '../../policy/view.ts';
import type { PlotRow, PolicyRow } from '../protocol.ts';

export function policyRow(view: PolicyView, standing: Standing): PolicyRow {
  return { ...view, plots: plotsOf(standing) };
}

/** The gates of the present step that measured numbers. */
function plotsOf(standing: Standing): PlotRow[] {
  if (!isRolling(standing)) return [];
  const { policy, phase } = standing;
  const gates = policy.spec.gates?.filter(({ name }) => phase.step?.gates?.includes(name)) ?? [];
  return gates.flatMap(({ name, prometheus }) => {
    const values = numbersOf(resultOf(policy.status?.gates ?? [], name, phase.record)?.values ?? []);
    return values.length === 0 ? [] : [{ name, values, bounds: numbersOf([prometheus?.min, prometheus?.max]) }];
  });
}

/** Those of them that can be drawn: no NaN, and nothing infinite. */
function numbersOf(texts: readonly (string | undefined)[]): number[] {
  return texts
    .filter((text) => text !== undefined)
    .map(Number)
    .filter(Number.isFinite);
}
