// A count is recorded before its pods go, so a pod that was to go because it served nobody may have become available in
// between. Taking it away all the same could leave fewer than have to be; native does that. Here the decision is taken
// back: as long as such a pod is needed, its revision's count is what it was.
//
//   10 replicas, surge 1, none may be missing; the old revision was lowered to 5 and its broken 6th pod was to go
//   it became available; with 3 new ones that makes 9 of 10             old 6, and the room promised to new ones is back
//   two new ones more became available as well: 11, so it may go        old 5, as recorded

import { ceilingOf, type Limits } from './defaults.ts';
import type { Revision } from './snapshot.ts';

export interface ReprieveBounds {
  readonly limits: Limits;
  /** The fewest pods that have to be available. */
  readonly floor: number;
}

/** The revisions, from old to new, with counts that keep available pods which have to stay. */
export function reprieve(revisions: readonly Revision[], { limits, floor }: ReprieveBounds): readonly Revision[] {
  const doomed = sum(revisions, toGo);
  if (doomed === 0) return revisions;
  const kept = sum(revisions, ({ desired, active }) => Math.min(desired, active.length));
  const spare = sum(revisions, ({ available }) => available) - floor;
  // Those above the ceiling are too many, whatever they do: a scale-down takes its share of every revision.
  const excess = kept + doomed - ceilingOf(limits);
  const staying = doomed - Math.max(0, spare, excess);
  if (staying <= 0) return revisions;
  const raised = spend(revisions, staying, toGo, +1);
  // All of it, whether this pod's stay or a lowered ceiling has overbooked the room.
  const overbooked = Math.max(0, sum(raised, ({ desired }) => desired) - ceilingOf(limits));
  return spend(raised, overbooked, unfilled, -1);
}

/** How many of its available pods a revision is about to lose; others go first. */
function toGo({ available, desired }: Revision): number {
  return Math.max(0, available - desired);
}

/** How many pods a revision is promised and has not got. */
function unfilled({ desired, active }: Revision): number {
  return Math.max(0, desired - active.length);
}

/** Changes counts by `most` in all, each by at most its measure, the newest revision's first: the old are to go. */
function spend(
  revisions: readonly Revision[],
  most: number,
  measure: (revision: Revision) => number,
  sign: 1 | -1,
): readonly Revision[] {
  let left = most;
  return revisions
    .toReversed()
    .map((revision) => {
      const change = Math.min(left, measure(revision));
      left -= change;
      return change === 0 ? revision : { ...revision, desired: revision.desired + sign * change };
    })
    .toReversed();
}

function sum(revisions: readonly Revision[], count: (revision: Revision) => number): number {
  return revisions.reduce((total, revision) => total + count(revision), 0);
}
