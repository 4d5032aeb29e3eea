// A count is recorded before its pods go, so a pod that was to go because it served nobody may have become available in
// between. Taking it away all the same could leave fewer than have to be; native does that. Here the decision is taken
// back: as long as such a pod is needed, its revision's count is what it was.
//
//   10 replicas, surge 1, none may be missing; the old revision was lowered to 5 and its broken 6th pod was to go
//   it became available; with 3 new ones that makes 9 of 10             old 6, and the room promised to new ones is back
//   two new ones more became available as well: 11, so it may go        old 5, as recorded
//
// Where a scale-down has lowered the ceiling, too, pods that serve nobody make room for it, whatever their revision.

import { ceilingOf, type Limits } from './defaults.ts';
import type { Revision } from './snapshot.ts';

export interface ReprieveBounds {
  readonly limits: Limits;
  /** The fewest pods that have to be available. */
  readonly floor: number;
}

/** The revisions, from old to new, with counts that keep available pods which have to stay. */
export function reprieve(revisions: readonly Revision[], { limits, floor }: ReprieveBounds): readonly Revision[] {
  const spare = sum(revisions, ({ available }) => available) - floor;
  const staying = sum(revisions, toGo) - Math.max(0, spare);
  if (staying <= 0) return revisions;
  const ceiling = ceilingOf(limits);
  // The old are to go, so it is the newest that stay, and the newest have room promised that can be taken back.
  const raised = spend(revisions.toReversed(), staying, toGo, +1);
  const unpromised = spend(raised, overbooked(raised, ceiling), unfilled, -1);
  // A lowered ceiling may ask for more: others go instead, the oldest that serve nobody.
  const oldestFirst = unpromised.toReversed();
  return spend(oldestFirst, overbooked(oldestFirst, ceiling), idle, -1);
}

/** How many of its available pods a revision is about to lose; others go first. */
function toGo({ available, desired }: Revision): number {
  return Math.max(0, available - desired);
}

/** How many pods a revision is promised and has not got. */
function unfilled({ desired, active }: Revision): number {
  return Math.max(0, desired - active.length);
}

/** How many pods of a revision would stay although they serve nobody. */
function idle({ desired, available }: Revision): number {
  return Math.max(0, desired - available);
}

/** How many more pods are promised than there is room for. */
function overbooked(revisions: readonly Revision[], ceiling: number): number {
  return Math.max(0, sum(revisions, ({ desired }) => desired) - ceiling);
}

/** Changes counts by `most` in all, each by at most its measure, in the given order. */
function spend(
  revisions: readonly Revision[],
  most: number,
  measure: (revision: Revision) => number,
  sign: 1 | -1,
): readonly Revision[] {
  let left = most;
  return revisions.map((revision) => {
    const change = Math.min(left, measure(revision));
    left -= change;
    return { ...revision, desired: revision.desired + sign * change };
  });
}

function sum(revisions: readonly Revision[], count: (revision: Revision) => number): number {
  return revisions.reduce((total, revision) => total + count(revision), 0);
}
