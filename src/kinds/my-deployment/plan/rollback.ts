// Rolls back on request: an annotation of the object names the revision whose template to restore (0 for the previous
// one). The same write removes the annotation, so a request is served once. Restoring an old template by hand needs no
// request: the template is recognized and its revision gets a new number.

import type { Plan, PlannedEvent } from '../../../workload/action.ts';
import { sameTemplate } from '../../../workload/revision.ts';
import { ANNOTATIONS } from '../names.ts';
import type { MyDeployment } from '../types.gen.ts';
import { isRejected } from './course.ts';
import { CHANGE_CAUSE } from './record.ts';
import { announceSizes, recordSizes } from './record-sizes.ts';
import { oldRevisions, type Revision, type Rollout } from './snapshot.ts';

export const ROLLBACK_TO = `${ANNOTATIONS}/rollback-to`;

/** The requested revision number; undefined when the annotation is not a number. */
export function requestedRevision({ metadata }: MyDeployment): number | undefined {
  const text = metadata.annotations?.[ROLLBACK_TO];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/**
 * The writes that serve the request, or that remove it with an event that says why it cannot be served. The revision of the
 * present template, if it was rejected, is tried again.
 */
export function rollBack(rollout: Rollout, requested: number): Pick<Plan<never>, 'actions' | 'events'> {
  const { object, spec } = rollout;
  const target = findTarget(rollout, requested);
  const { resourceVersion } = object.metadata;
  const dropped = { do: 'updateOwner', resourceVersion, annotations: { [ROLLBACK_TO]: null } } as const;
  if (target?.template === undefined) {
    const message = requested === 0 ? 'Unable to find last revision.' : `Unable to find revision ${requested}.`;
    return { actions: [dropped], events: [warning('DeploymentRollbackRevisionNotFound', message)] };
  }
  if (sameTemplate(target.template, spec.template) && isRejected(rollout, target)) {
    const retried = { ...rollout, isRetried: true };
    return {
      actions: [...recordSizes(retried, new Map(), 'changed'), dropped],
      events: announceSizes(retried, new Map()),
    };
  }
  if (sameTemplate(target.template, spec.template)) {
    const message = `Revision ${target.number} has the same template as MyDeployment "${object.metadata.name}"`;
    return { actions: [dropped], events: [warning('DeploymentRollbackTemplateUnchanged', message)] };
  }
  const message = `Rolled back MyDeployment "${object.metadata.name}" to revision ${target.number}`;
  // The change cause is restored, too: otherwise the old revision would get the cause of the newer one.
  const cause = target.stored?.metadata.annotations?.[CHANGE_CAUSE] ?? null;
  return {
    actions: [
      { ...dropped, template: target.template, annotations: { ...dropped.annotations, [CHANGE_CAUSE]: cause } },
    ],
    events: [{ type: 'Normal', reason: 'DeploymentRollback', message }],
  };
}

/** 0 requests the revision before that of the present template, which may not be recorded yet; not one that was rejected. */
function findTarget(rollout: Rollout, requested: number): Revision | undefined {
  return requested === 0
    ? oldRevisions(rollout).findLast((revision) => revision.stored !== undefined && !isRejected(rollout, revision))
    : rollout.revisions.find(({ number }) => number === requested);
}

function warning(reason: string, message: string): PlannedEvent {
  return { type: 'Warning', reason, message };
}
