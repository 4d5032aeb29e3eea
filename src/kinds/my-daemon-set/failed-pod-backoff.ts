// How long a node on which pods fail waits for the next pod: a second, then two, four, … up to a quarter of an hour.
// Otherwise a kubelet that rejects the pod and a controller that replaces it would keep each other busy.

import { type Instant, msBetween } from '../../runtime/instant.ts';

const FIRST_MS = 1000;
const LONGEST_MS = 15 * 60_000;

export interface Backoff {
  readonly at: Instant;
  readonly waitMs: number;
}

/** By node. */
export type Backoffs = ReadonlyMap<string, Backoff>;

/** The back-offs after failed pods on these nodes were removed. Those that are long over are forgotten. */
export function noteFailedPods(before: Backoffs, nodes: readonly string[], now: Instant): Backoffs {
  const recent = new Map([...before].filter(([, { at }]) => msBetween(at, now) <= 2 * LONGEST_MS));
  const added = nodes.map((node): [string, Backoff] => {
    const last = recent.get(node);
    return [node, { at: now, waitMs: last === undefined ? FIRST_MS : Math.min(LONGEST_MS, 2 * last.waitMs) }];
  });
  return new Map([...recent, ...added]);
}

/** How many milliseconds longer a failed pod stays, by node; only nodes where it does. */
export function waitsOf(backoffs: Backoffs, now: Instant): ReadonlyMap<string, number> {
  const left = [...backoffs].map(([node, { at, waitMs }]) => [node, waitMs - msBetween(at, now)] as const);
  return new Map(left.filter(([, ms]) => ms > 0));
}
