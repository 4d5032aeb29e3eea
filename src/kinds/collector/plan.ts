// The status that a Collector should have now. Only the status is ever written: the end of a change at once, the counts
// of an open change at intervals.

import { type Change, type ChangeLog, closed } from './change-log.ts';
import type { ObservedTarget, Snapshot } from './snapshot.ts';
import { statusOf } from './status.ts';
import type { CollectorStatus } from './types.gen.ts';

export interface CollectorPlan {
  /** The next change log. */
  readonly changeLog: ChangeLog;
  readonly status: CollectorStatus;
  /** When an open change is over if there are no more events. */
  readonly checkAgainAt: number | undefined;
}

/** The defaults of the CRD, for objects that were stored before the CRD had them. */
const DEFAULTS = { quietSeconds: 5, historyLimit: 20 };
/** A target that does not match its spec, such as a stuck rollout, is given this many times longer. */
const PATIENCE = 12;

/** Closes finished changes, and says when to check again. */
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

/** A target that no longer exists counts as settled. */
function isSettled({ target }: Change, targets: readonly ObservedTarget[]): boolean {
  return targets.find(({ name }) => name === target)?.settled ?? true;
}
