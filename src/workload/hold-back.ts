// When nothing may be decided: while nobody knows what became of a delete whose answer was lost, and while the cache does
// not show all that was written. A plan made then would count pods that are gone, or miss pods that are on their way.

import type { Clock } from '../runtime/clock.ts';
import { checkAgainAt, type Result } from '../runtime/controller/result.ts';
import { settleDeletions } from './pod-writes.ts';
import type { WriteContext } from './write-context.ts';

/** What to do instead of planning; undefined when the way is clear. Not async, so that nothing changes before the plan. */
export function holdBack(context: WriteContext, clock: Clock): Promise<Result> | undefined {
  const { own, identity } = context;
  if (own.isInDoubt(identity)) return settleDeletions(context).then(() => checkAgainAt(clock.now()));
  const behindUntil = own.behindUntil(identity);
  // What we wait for will wake us sooner.
  return behindUntil === undefined ? undefined : Promise.resolve(checkAgainAt(behindUntil));
}
