// How long a node on which pods fail has to wait for the next one: a second, then two, four, … up to a quarter of an hour.
// Without that, a kubelet that refuses the pod and a controller that replaces it would keep each other busy.

const FIRST_MS = 1000;
const LONGEST_MS = 15 * 60_000;

export interface Setback {
  readonly at: number;
  readonly waitMs: number;
}

/** By node. */
export type Setbacks = ReadonlyMap<string, Setback>;

/** The setbacks after failed pods on these nodes were removed. What is long over is forgotten. */
export function noteSetbacks(before: Setbacks, nodes: readonly string[], now: number): Setbacks {
  const recent = new Map([...before].filter(([, { at }]) => now - at <= 2 * LONGEST_MS));
  const added = nodes.map((node): [string, Setback] => {
    const last = recent.get(node);
    return [node, { at: now, waitMs: last === undefined ? FIRST_MS : Math.min(LONGEST_MS, 2 * last.waitMs) }];
  });
  return new Map([...recent, ...added]);
}

/** From when on a failed pod of this node may be removed. */
export function removableFrom(setbacks: Setbacks, node: string): number {
  const last = setbacks.get(node);
  return last === undefined ? 0 : last.at + last.waitMs;
}
