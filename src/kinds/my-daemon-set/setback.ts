// How long a node on which pods fail has to wait for the next one: a second, then two, four, … up to a quarter of an hour.
// Without that, a kubelet that refuses the pod and a controller that replaces it would keep each other busy.

import { type Instant, msBetween } from '../../runtime/clock.ts';

const FIRST_MS = 1000;
const LONGEST_MS = 15 * 60_000;

export interface Setback {
  readonly at: Instant;
  readonly waitMs: number;
}

/** By node. */
export type Setbacks = ReadonlyMap<string, Setback>;

/** The setbacks after failed pods on these nodes were removed. What is long over is forgotten. */
export function noteSetbacks(before: Setbacks, nodes: readonly string[], now: Instant): Setbacks {
  const recent = new Map([...before].filter(([, { at }]) => msBetween(at, now) <= 2 * LONGEST_MS));
  const added = nodes.map((node): [string, Setback] => {
    const last = recent.get(node);
    return [node, { at: now, waitMs: last === undefined ? FIRST_MS : Math.min(LONGEST_MS, 2 * last.waitMs) }];
  });
  return new Map([...recent, ...added]);
}

/** How many milliseconds longer a failed pod has to stay, by node; nodes where none has to are left out. */
export function waitsOf(setbacks: Setbacks, now: Instant): ReadonlyMap<string, number> {
  const left = [...setbacks].map(([node, { at, waitMs }]) => [node, waitMs - msBetween(at, now)] as const);
  return new Map(left.filter(([, ms]) => ms > 0));
}
