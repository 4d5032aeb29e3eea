// When no plan may be made: while a write is unconfirmed, and while the cache does not show everything that was written. A
// plan made then would count pods that are gone, miss pods that are on their way, or go by counts that are outdated.

import type { Clock } from '../clock.ts';
import { notYet, type Result } from '../controller/result.ts';
import { msBetween } from '../instant.ts';
import { type ConfirmContext, confirmWrites } from './confirm.ts';

/** What to do instead of planning; undefined when a plan may be made. Not async, so that nothing changes before the plan. */
export function awaitCache(context: ConfirmContext, clock: Clock): Promise<Result> | undefined {
  const { writes } = context;
  if (writes.unconfirmed.length > 0) return confirmWrites(context).then(() => notYet(0));
  const behindUntil = writes.behindUntil();
  // The change that the reconcile waits for wakes it sooner.
  return behindUntil && Promise.resolve(notYet(msBetween(clock.now(), behindUntil)));
}
