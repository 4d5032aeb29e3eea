// Which revision the spec's template has, and which old revisions are kept. A template that was used before gets its
// old revision under a new number, so a rollback creates no revision. Numbers only grow, so the highest is always the
// current one.

import type { Manifest } from '../../../runtime/object.ts';
import type { Action } from '../../../workload/action.ts';
import { buildRevision, type ControllerRevision } from '../../../workload/revision.ts';
import type { Labels } from '../../../workload/selector.ts';
import { historyLimit } from '../defaults.ts';
import { courseOf, withoutLost } from './course.ts';
import { keepMinAvailable } from './keep-min-available.ts';
import { nextRevision, type RevisionRecord, readRevision } from './record.ts';
import { countPods, type Revision, type Rollout, updateNumber } from './snapshot.ts';

/** The desired counts of revisions. A revision that is not included keeps its count. */
export type Sizes = ReadonlyMap<Revision, number>;

/** The count that a revision is to have. */
export function sizeOf(sizes: Sizes, revision: Revision): number {
  return sizes.get(revision) ?? revision.desired;
}

/** A rollout with the revision of the spec's template. */
export type UpdateRollout = Rollout & { readonly update: Revision };

/** The rollout with a revision for the spec's template, planned if there is none. */
export function withUpdate(rollout: Rollout): UpdateRollout {
  if (rollout.update !== undefined) return { ...rollout, update: rollout.update };
  const { collisionCount } = nextRevision(rollout.object, rollout.revisions);
  const planned = asRecord(updateManifest({ ...rollout, collisionCount }, {}));
  // Counted again, because the record of this template may have been deleted while pods of it exist.
  const records = [...rollout.revisions.filter(({ stored }) => stored !== undefined), planned];
  const counted = countPods(records, rollout.pods.owned, { ...rollout.spec, now: rollout.now });
  const update = counted.at(-1) as Revision;
  const { object, course } = rollout;
  const withCourse = {
    ...rollout,
    update,
    course: courseOf(object, course.policy, { revisions: counted, update, number: update.number }),
  };
  const revisions = keepMinAvailable(withoutLost({ ...withCourse, revisions: counted }).revisions, withCourse);
  return { ...withCourse, collisionCount, revisions, update: revisions.at(-1) as Revision };
}

/** The object that records the spec's template. */
export function updateManifest(rollout: Rollout, annotations: Labels): Manifest<ControllerRevision> {
  return buildRevision(rollout.object, {
    template: rollout.spec.template,
    number: updateNumber(rollout),
    collisionCount: rollout.collisionCount,
    annotations,
  });
}

/**
 * The revisions beyond the history limit, oldest first. Never one that has pods or a desired count, nor the newest:
 * while an object is paused with a template that is not recorded yet, scaling up creates pods of that revision. Nor the one
 * that a rollout could go back to.
 */
export function surplusRevisions(rollout: Rollout, sizes: Sizes): Action[] {
  const newest = rollout.update ?? rollout.revisions.at(-1);
  const old = rollout.revisions.flatMap((revision) =>
    revision.stored &&
    revision.stored.metadata.deletionTimestamp === undefined &&
    revision !== newest &&
    !isStable(rollout, revision)
      ? [{ revision, stored: revision.stored.metadata }]
      : [],
  );
  return old
    .slice(0, Math.max(0, old.length - historyLimit(rollout.spec)))
    .filter(({ revision }) => sizeOf(sizes, revision) === 0 && revision.living.length === 0)
    .map(({ stored: { name, uid } }) => ({
      do: 'deleteRevision',
      name,
      uid,
      because: `the history keeps ${rollout.spec.revisionHistoryLimit} old revisions`,
    }));
}

function isStable({ course }: Rollout, { name }: Revision): boolean {
  return course.policy !== undefined && course.stable === name;
}

/** The list with one more number; its first numbers are dropped when it would be longer than `limit` characters. */
export function appendNumber(list: string | undefined, number: number, limit: number): string {
  const numbers = [...(list ? list.split(',') : []), String(number)];
  while (numbers.join(',').length > limit) numbers.shift();
  return numbers.join(',');
}

function asRecord(manifest: Manifest<ControllerRevision>): RevisionRecord {
  const { name = '', labels = {} } = manifest.metadata;
  const read = readRevision({ ...manifest, metadata: { name, labels, uid: '', resourceVersion: '' } });
  return { ...read, stored: undefined };
}
