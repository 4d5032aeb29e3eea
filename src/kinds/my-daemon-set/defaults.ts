// The defaults of a MyDaemonSet, and its percentages in nodes. The webhook writes the defaults into the object;
// planning applies them again, for objects that were admitted without the webhook.

import { scaledValue } from '../../workload/fenceposts.ts';
import type { MyDaemonSetSpec } from './types.gen.ts';

export type ResolvedSpec = Required<MyDaemonSetSpec>;

/** The spec with every field filled in. Objects without an image are refused at admission, and otherwise left alone. */
export function withDefaults({ image = '', maxUnavailable = 1 }: MyDaemonSetSpec): ResolvedSpec {
  return { image, maxUnavailable };
}

/** How many nodes may be without an available pod during an update. Rounds up, so that an update can always begin. */
export function unavailableLimit({ maxUnavailable }: ResolvedSpec, nodes: number): number {
  return Math.ceil(scaledValue(maxUnavailable, nodes));
}
