// How urgent it is to replace a stored status. What the essence of a status has is written at once; everything else, such as
// counts and the words of a condition, may be coalesced.

import type { StatusUrgency } from '../runtime/status-writer.ts';
import { sameMeaning } from './canonical.ts';

/** Undefined when both statuses say the same. */
export function urgencyOf<S extends object>(
  stored: S | undefined,
  next: S,
  essenceOf: (status: Partial<S>) => object,
): StatusUrgency | undefined {
  if (sameMeaning(stored ?? {}, next)) return undefined;
  return sameMeaning(essenceOf(stored ?? {}), essenceOf(next)) ? 'later' : 'now';
}

/** The part of a list of conditions that programs compare. */
export function statesOf(
  conditions: readonly { readonly type: string; readonly status: string; readonly reason?: string }[],
): object[] {
  return conditions.map(({ type, status, reason }) => ({ type, status, reason }));
}
