// When nothing may be decided: while nobody knows what became of a write whose answer was lost, and while the cache does
// not show all that was written. A plan made then would count pods that are gone, miss pods that are on their way, or go by
// counts that are no longer recorded.

import { type Clock, msBetween } from '../runtime/clock.ts';
import { notYet, type Result } from '../runtime/controller/result.ts';
import { settleDoubts } from './settle.ts';
import type { WriteContext } from './write-context.ts';

/** What to do instead of planning; undefined when the way is clear. Not async, so that nothing changes before the plan. */
export function holdBack(context: WriteContext, clock: Clock): Promise<Result> | undefined {
  const { own, identity } = context;
  if (own.doubtsOf(identity).length > 0) return settleDoubts(context).then(() => notYet(0));
  const behindUntil = own.behindUntil(identity);
  // What we wait for will wake us sooner.
  return behindUntil && Promise.resolve(notYet(msBetween(clock.now(), behindUntil)));
}
