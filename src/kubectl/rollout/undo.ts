// `rollout undo`: puts an earlier template back, with the cause it was made for, in one write. The operator recognises the
// template: its revision is in force again under a new number. Revisions that a RolloutPolicy rejected are skipped unless named.

import { CHANGE_CAUSE, type RevisionRecord } from '../../kinds/my-deployment/plan/record.ts';
import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import { sameTemplate } from '../../workload/revision.ts';
import type { PodTemplate } from '../../workload/template-schema.ts';
import { type ObjectContext, type Reach, readTarget } from '../context.ts';
import { editTarget } from '../edit.ts';
import { dryRunOf, formatOf } from '../output.ts';
import { readPolicies } from '../policy/read-policies.ts';
import { rejectionTest } from '../policy/standing.ts';
import { ask } from '../policy/verbs.ts';
import { findRevision, presentRevision, previousRevision, readRevisions } from '../revisions.ts';
import { styleFor } from '../terminal/style.ts';
import { diffText } from './diff.ts';

export async function undo(context: ObjectContext): Promise<number> {
  const { flags, console } = context;
  const number = flags.count('to-revision') ?? 0;
  const { object, revisions, target, isRejected } = await readRollback(context, number);
  // The spec has the template already: to name its revision is to try it again.
  if (isRejected(target) && sameTemplate(target.template, object.spec.template)) return ask(context, 'retry');
  const unchanged = `skipped rollback (current template already matches revision ${target.number})`;
  const code = await editTarget(context, (current) => rolledBack(current, target), { done: 'rolled back', unchanged });
  if (dryRunOf(flags) !== 'none' && formatOf(flags) === undefined) {
    const before = { number: presentRevision(object, revisions)?.number, template: object.spec.template };
    console.out.write(diffText(before, target, styleFor(console.colour)));
  }
  return code;
}

/** What a rollback is about. */
interface Rollback {
  readonly object: MyDeployment;
  readonly revisions: readonly RevisionRecord[];
  /** The revision to go back to. */
  readonly target: RevisionRecord;
  readonly isRejected: (revision: RevisionRecord) => boolean;
}

/** Reads what a rollback to this revision needs; 0 is the one before that no policy rejected. */
export async function readRollback(reach: Reach, number: number): Promise<Rollback> {
  const object = await readTarget(reach);
  const [revisions, policies] = await Promise.all([
    readRevisions(reach, object),
    readPolicies(reach, reach.target.namespace),
  ]);
  const isRejected = rejectionTest(object, policies);
  const target = number === 0 ? previousRevision(object, revisions, isRejected) : findRevision(revisions, number);
  return { object, revisions, target, isRejected };
}

/** The object with the target's template and cause. */
export function rolledBack(object: MyDeployment, { number, template, stored }: RevisionRecord): MyDeployment {
  if (object.spec.paused) {
    throw new Error(
      `cannot rollback a paused mydeployment; resume it first with "kubectl md rollout resume ${object.metadata.name}" and try again`,
    );
  }
  if (template === undefined) throw new Error(`revision ${number} cannot be read: its data is not a pod template`);
  if (sameTemplate(template, object.spec.template)) return object;
  const { [CHANGE_CAUSE]: _, ...annotations } = object.metadata.annotations ?? {};
  const cause = stored?.metadata.annotations?.[CHANGE_CAUSE];
  return {
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { ...annotations, ...(cause !== undefined && { [CHANGE_CAUSE]: cause }) },
    },
    spec: { ...object.spec, template: template as PodTemplate },
  };
}
