// The writes that record the decided counts in the revisions, and the events about them.
//
// Guarantees: one write for each revision carries all its changes, and an unchanged revision is not written. Counts
// that go down are written before counts that go up, so after any number of these writes their sum is within the limit.
// Pods follow the counts, so a crash after any write loses nothing.

import type { Action, PlannedEvent } from '../../../workload/action.ts';
import type { Labels } from '../../../workload/selector.ts';
import { appendNumber, type Sizes, sizeOf, updateManifest } from './history.ts';
import { CHANGE_CAUSE, countAnnotations, missingAnnotations, REVISION_HISTORY } from './record.ts';
import { type Revision, type Rollout, updateNumber } from './snapshot.ts';

const LONGEST_HISTORY = 2000;

/** The revisions on which the owner's size is recorded: those whose count changes, or all that have a count. */
export type Scope = 'changed' | 'active';

/** The writes for these sizes, those that free room first; the update's also has what is recorded of its attempt. */
export function recordSizes(rollout: Rollout, sizes: Sizes, scope: Scope, attempt: Labels = {}): Action[] {
  return rollout.revisions
    .toSorted((one, other) => growth(sizes, one) - growth(sizes, other))
    .flatMap((revision) => {
      const size = sizeOf(sizes, revision);
      const isNews = size !== revision.recorded.desired || (scope === 'active' && size > 0);
      const counts = isNews ? countAnnotations(rollout.limits, size) : {};
      return writeRevision(rollout, revision, revision === rollout.update ? { ...counts, ...attempt } : counts);
    });
}

/** The events about these sizes: one for each step, whatever the number of revisions and pods. */
export function announceSizes(rollout: Rollout, sizes: Sizes): PlannedEvent[] {
  const scaled = rollout.revisions.filter((revision) => growth(sizes, revision) !== 0);
  const sizings = scaled.map((revision) => {
    const direction = growth(sizes, revision) > 0 ? 'up' : 'down';
    return `scaled ${direction} revision ${revision.name} from ${sizeBefore(revision)} to ${sizeOf(sizes, revision)}`;
  });
  const update = announceUpdate(rollout);
  const parts = [...(update ? [update.message] : []), ...sizings];
  if (parts.length === 0) return [];
  return [{ type: 'Normal', reason: update?.reason ?? 'ScalingRevision', message: sentence(parts) }];
}

function sentence(parts: readonly string[]): string {
  const text = parts.join('; ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function growth(sizes: Sizes, revision: Revision): number {
  return sizeOf(sizes, revision) - sizeBefore(revision);
}

function sizeBefore({ recorded, desired }: Revision): number {
  return recorded.desired ?? desired;
}

function writeRevision(rollout: Rollout, revision: Revision, counts: Labels): Action[] {
  const isUpdate = revision === rollout.update;
  const wanted = isUpdate ? { ...counts, ...changeCause(rollout), ...formerNumbers(rollout, revision) } : counts;
  if (revision.stored === undefined) {
    return isUpdate ? [{ do: 'createRevision', manifest: updateManifest(rollout, wanted) }] : [];
  }
  const number = isUpdate ? updateNumber(rollout) : revision.number;
  const annotations = missingAnnotations(revision, wanted);
  // A new number comes with an extended list of former numbers.
  if (Object.keys(annotations).length === 0) return [];
  const { name, uid, resourceVersion } = revision.stored.metadata;
  const renumber = number === revision.number ? {} : { number };
  return [{ do: 'updateRevision', name, uid, resourceVersion, ...renumber, annotations }];
}

function changeCause({ object }: Rollout): Labels {
  const cause = object.metadata.annotations?.[CHANGE_CAUSE];
  return cause === undefined ? {} : { [CHANGE_CAUSE]: cause };
}

/** The revision's list of numbers with the present one added, when it is about to get another. */
function formerNumbers(rollout: Rollout, { stored, number }: Revision): Labels {
  if (stored === undefined || updateNumber(rollout) === number) return {};
  return { [REVISION_HISTORY]: appendNumber(stored.metadata.annotations?.[REVISION_HISTORY], number, LONGEST_HISTORY) };
}

function announceUpdate(rollout: Rollout): Pick<PlannedEvent, 'reason' | 'message'> | undefined {
  const { update } = rollout;
  const number = updateNumber(rollout);
  if (update === undefined) return undefined;
  if (update.stored === undefined) {
    return { reason: 'RevisionCreated', message: `created revision ${number}: ${update.name}` };
  }
  if (number === update.number) return undefined;
  return {
    reason: 'RevisionReused',
    message: `revision ${update.number} is back as revision ${number}: ${update.name}`,
  };
}
