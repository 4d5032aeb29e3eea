// Rolling back on request: an annotation on the object names the revision whose template it should have again (0 for the
// one before), and the annotation goes with the same write, so a request is served once. Undoing by hand (putting
// the old template back) needs none of this: the template is recognised and its revision is back under a new number.

import type { Plan, PlannedEvent } from '../../../workload/action.ts';
import { sameTemplate } from '../../../workload/revision.ts';
import type { MyDeployment } from '../types.gen.ts';
import { CHANGE_CAUSE } from './record.ts';
import { oldRevisions, type Revision, type Rollout } from './snapshot.ts';

export const ROLLBACK_TO = 'mydeployment.kubebuilder.zq.com/rollback-to';

/** The revision number that somebody asks for; what is not a number is no request. */
export function requestedRevision({ metadata }: MyDeployment): number | undefined {
  const text = metadata.annotations?.[ROLLBACK_TO];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The write that serves the request, or that drops it with a word why it cannot be served. */
export function rollBack(rollout: Rollout, requested: number): Pick<Plan<never>, 'actions' | 'events'> {
  const { object, spec } = rollout;
  const target = findTarget(rollout, requested);
  const { resourceVersion } = object.metadata;
  const dropped = { do: 'updateOwner', resourceVersion, annotations: { [ROLLBACK_TO]: null } } as const;
  if (target?.template === undefined) {
    const message = requested === 0 ? 'Unable to find last revision.' : `Unable to find revision ${requested}.`;
    return { actions: [dropped], events: [warning('DeploymentRollbackRevisionNotFound', message)] };
  }
  if (sameTemplate(target.template, spec.template)) {
    const message = `Revision ${target.number} has the same template as MyDeployment "${object.metadata.name}"`;
    return { actions: [dropped], events: [warning('DeploymentRollbackTemplateUnchanged', message)] };
  }
  const message = `Rolled back MyDeployment "${object.metadata.name}" to revision ${target.number}`;
  // The cause goes back too: else the old revision would be recorded as made for what the newer one was made for.
  const cause = target.stored?.metadata.annotations?.[CHANGE_CAUSE] ?? null;
  return {
    actions: [
      { ...dropped, template: target.template, annotations: { ...dropped.annotations, [CHANGE_CAUSE]: cause } },
    ],
    events: [{ type: 'Normal', reason: 'DeploymentRollback', message }],
  };
}

/** 0 asks for the revision before the present template's, which may not even be recorded. */
function findTarget(rollout: Rollout, requested: number): Revision | undefined {
  return requested === 0
    ? oldRevisions(rollout).findLast(({ stored }) => stored !== undefined)
    : rollout.revisions.find(({ number }) => number === requested);
}

function warning(reason: string, message: string): PlannedEvent {
  return { type: 'Warning', reason, message };
}
