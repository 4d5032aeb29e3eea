// What a Collector should say now. Nothing but its own status is ever written: the end of a change is told at once, and
// that one is under way, with its counts so far, now and then.

import { type Change, type ChangeLog, closed } from './change-log.ts';
import type { ObservedTarget, Snapshot } from './snapshot.ts';
import { statusOf } from './status.ts';
import type { CollectorStatus } from './types.gen.ts';

export interface CollectorPlan {
  /** The books as they are from now on. */
  readonly changeLog: ChangeLog;
  readonly status: CollectorStatus;
  /** When an open change will be over if nothing more is seen of it. */
  readonly checkAgainAt: number | undefined;
}

/** Also the values of the CRD: an object stored before they were there means the same. */
const DEFAULTS = { quietSeconds: 5, historyLimit: 20 };
/** A target that does not come to rest, such as a rollout that is stuck, is given so many times longer. */
const PATIENCE = 12;

/** Closes what is over, and says when to look again. */
export function plan({ object, changeLog, targets }: Snapshot, now: number): CollectorPlan {
  const { quietSeconds, historyLimit } = { ...DEFAULTS, ...object.spec };
  const quietMs = quietSeconds * 1000;
  const overAt = (change: Change): number => change.lastAt + quietMs * (isSettled(change, targets) ? 1 : PATIENCE);
  const next = closed(changeLog, (change) => overAt(change) <= now, historyLimit);
  const ends = next.changes.filter(({ state }) => state === 'Open').map(overAt);
  return {
    changeLog: next,
    status: statusOf(object, next, targets.length, now),
    checkAgainAt: ends.length > 0 ? Math.min(...ends) : undefined,
  };
}

/** A target that is no longer there has come to rest. */
function isSettled({ target }: Change, targets: readonly ObservedTarget[]): boolean {
  return targets.find(({ name }) => name === target)?.settled ?? true;
}
