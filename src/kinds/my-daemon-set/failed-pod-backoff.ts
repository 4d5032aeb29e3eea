// How long a node on which pods fail waits for the next pod: one second, then two, four and so on up to 15 minutes.
// Otherwise a kubelet that rejects the pod and the operator that replaces it would loop without a pause.

import { type Instant, msBetween } from '../../runtime/instant.ts';

const FIRST_MS = 1000;
const LONGEST_MS = 15 * 60_000;

export interface Backoff {
  readonly at: Instant;
  readonly waitMs: number;
}

/** By node. */
export type Backoffs = ReadonlyMap<string, Backoff>;

/** The back-offs after failed pods on these nodes were deleted. Back-offs that ended long ago are dropped. */
export function noteFailedPods(before: Backoffs, nodes: readonly string[], now: Instant): Backoffs {
  const recent = new Map([...before].filter(([, { at }]) => msBetween(at, now) <= 2 * LONGEST_MS));
  const added = nodes.map((node): [string, Backoff] => {
    const last = recent.get(node);
    return [node, { at: now, waitMs: last === undefined ? FIRST_MS : Math.min(LONGEST_MS, 2 * last.waitMs) }];
  });
  return new Map([...recent, ...added]);
}

/** By node, how many milliseconds longer a failed pod is kept; only nodes with such a pod. */
export function waitsOf(backoffs: Backoffs, now: Instant): ReadonlyMap<string, number> {
  const left = [...backoffs].map(([node, { at, waitMs }]) => [node, waitMs - msBetween(at, now)] as const);
  return new Map(left.filter(([, ms]) => ms > 0));
}
