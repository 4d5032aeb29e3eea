// What a MyDaemonSet means where it says nothing, and what its numbers come to on so many nodes. The webhook writes the
// defaults into the object; planning applies them again, for objects that were admitted without it.

import { scaledValue } from '../../workload/fenceposts.ts';
import type { MyDaemonSetSpec } from './types.gen.ts';

export type ResolvedSpec = Required<MyDaemonSetSpec>;

/** The spec with every field filled in. Objects without an image are refused, or not touched if one slips through. */
export function withDefaults({ image = '', maxUnavailable = 1 }: MyDaemonSetSpec): ResolvedSpec {
  return { image, maxUnavailable };
}

/** How many nodes may be without an available pod during an update. Rounds up, so that there is always one to begin with. */
export function unavailableLimit({ maxUnavailable }: ResolvedSpec, nodes: number): number {
  return Math.ceil(scaledValue(maxUnavailable, nodes));
}
