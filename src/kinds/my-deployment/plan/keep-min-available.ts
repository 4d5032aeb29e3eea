// Keeps decided scale-downs from taking pods that have become available in the meantime. A count is recorded before its pods
// are deleted, so a pod that was to go because it was unavailable may be available by then. Deleting it anyway could leave
// fewer available pods than required; native does that. Here the decision is revised: as long as such a pod is needed, the
// count of its revision is what it was.
//
//   10 replicas, surge 1, none may be missing; the old revision was lowered to 5 and its broken 6th pod was to go
//   it became available; with 3 new ones that makes 9 of 10             old 6, and the room promised to new ones is back
//   two new ones more became available as well: 11, so it may go        old 5, as recorded
//
// Where a scale-down has also lowered maxTotalPods, unavailable pods of any revision are deleted to make room.

import { maxTotalPods, minAvailableFor } from '../defaults.ts';
import { leavingOrder } from './course.ts';
import { type Revision, type Rollout, sum } from './snapshot.ts';

/** The revisions, from old to new, with counts that keep available pods which are required. */
export function keepMinAvailable(
  revisions: readonly Revision[],
  { limits, spec, update, course }: Pick<Rollout, 'limits' | 'spec' | 'update' | 'course'>,
): readonly Revision[] {
  const spare = sum(revisions, ({ available }) => available) - minAvailableFor(spec, limits);
  const staying = sum(revisions, toGo) - Math.max(0, spare);
  if (staying <= 0) return revisions;
  const most = maxTotalPods(limits);
  // Those that leave last keep their pods and give up counts that have no pods yet.
  const order = leavingOrder({ revisions, update, course });
  const raised = spend(order.toReversed(), staying, toGo, +1);
  const unpromised = spend(raised, overbooked(raised, most), unfilled, -1);
  // A lowered maximum may need more room: then unavailable pods are deleted, of those first that leave first.
  const firstFirst = unpromised.toReversed();
  const kept = spend(firstFirst, overbooked(firstFirst, most), idle, -1);
  return revisions.map((revision) => kept[order.indexOf(revision)] as Revision);
}

/** The rollout with counts revised so that enough pods stay available. */
export function withMinAvailable(rollout: Rollout): Rollout {
  const revisions = keepMinAvailable(rollout.revisions, rollout);
  return { ...rollout, revisions, update: revisions.find(({ name }) => name === rollout.update?.name) };
}

/** How many of its available pods a revision is about to lose; unavailable ones are deleted first. */
function toGo({ available, desired }: Revision): number {
  return Math.max(0, available - desired);
}

/** How many pods a revision lacks. */
function unfilled({ desired, active }: Revision): number {
  return Math.max(0, desired - active.length);
}

/** How many unavailable pods of a revision would stay. */
function idle({ desired, available }: Revision): number {
  return Math.max(0, desired - available);
}

/** By how much the counts exceed the maximum. */
function overbooked(revisions: readonly Revision[], most: number): number {
  return Math.max(0, sum(revisions, ({ desired }) => desired) - most);
}

/** Changes counts by `most` in total, each by at most its measure, in the given order. */
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
