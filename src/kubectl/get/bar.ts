// A bar of pods: new ones that are available, new ones that are not yet, old ones, and those that are missing.

import type { Style } from '../terminal/style.ts';

export interface PodShares {
  readonly ready: number;
  readonly starting: number;
  readonly old: number;
  readonly missing: number;
}

export interface RolloutCounts {
  readonly wanted: number;
  readonly updated: number;
  /** Of all revisions together. */
  readonly available: number;
  readonly old: number;
}

/** How the pods of a rollout share its bar, when only the counts of a status are known. */
export function podShares({ wanted, updated, available, old }: RolloutCounts): PodShares {
  // A status does not say which pods are unavailable. Old pods have been running for longer, so new ones are assumed.
  const ready = Math.min(updated, Math.max(0, available - old));
  return { ready, starting: updated - ready, old, missing: Math.max(0, wanted - updated - old) };
}

/** The bar, `width` columns wide. A group with at least one pod gets at least one column while there is room. */
export function bar({ ready, starting, old, missing }: PodShares, width: number, style: Style): string {
  const [a = 0, b = 0, c = 0, d = 0] = share([ready, starting, old, missing], width);
  const cells = `${style.good('█'.repeat(a))}${style.waiting('▒'.repeat(b))}${style.old('▓'.repeat(c))}`;
  return `${cells}${style.faint('░'.repeat(d))}`;
}

/** Splits `width` by these weights: every weight above 0 gets at least one column, and the largest gets what rounding leaves. */
export function share(weights: readonly number[], width: number): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return [...weights.slice(1).map(() => 0), width];
  const cells = weights.map((weight) => (weight === 0 ? 0 : Math.max(1, Math.floor((weight * width) / total))));
  const largest = weights.indexOf(Math.max(...weights));
  const rest = width - cells.reduce((sum, cell) => sum + cell, 0);
  return cells.map((cell, index) => (index === largest ? Math.max(0, cell + rest) : cell));
}
