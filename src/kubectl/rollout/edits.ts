// `rollout pause`, `resume` and `restart`: edits of the spec, with the messages and the errors of kubectl.

import { myDeployments } from '../../kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import { groupResourceOf } from '../../runtime/resource.ts';
import type { ObjectContext } from '../context.ts';
import { editTarget } from '../edit.ts';

/** The annotation that `kubectl rollout restart` writes; other tools read it, too. */
const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';

export function pause(context: ObjectContext): Promise<number> {
  return editTarget(context, paused, { done: 'paused' });
}

export function resume(context: ObjectContext): Promise<number> {
  return editTarget(context, resumed, { done: 'resumed' });
}

export function restart(context: ObjectContext): Promise<number> {
  const now = context.wallNow();
  return editTarget(context, (object) => restarted(object, now), { done: 'restarted' });
}

/** The object with its rollout paused. */
export function paused(object: MyDeployment): MyDeployment {
  if (object.spec.paused) throw new Error(`${titleOf(object)} is already paused`);
  return { ...object, spec: { ...object.spec, paused: true } };
}

/** The object with its rollout resumed. */
export function resumed(object: MyDeployment): MyDeployment {
  if (!object.spec.paused) throw new Error(`${titleOf(object)} is not paused`);
  return { ...object, spec: { ...object.spec, paused: false } };
}

/** The object with a template that differs only in the time of the restart. */
export function restarted(object: MyDeployment, now: number): MyDeployment {
  if (object.spec.paused) {
    throw new Error(`${titleOf(object)} can't restart a paused rollout (run kubectl md rollout resume first)`);
  }
  const { template } = object.spec;
  const restartedAt = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  const annotations = { ...template.metadata?.annotations, [RESTARTED_AT]: restartedAt };
  return {
    ...object,
    spec: { ...object.spec, template: { ...template, metadata: { ...template.metadata, annotations } } },
  };
}

function titleOf({ metadata }: MyDeployment): string {
  return `${groupResourceOf(myDeployments)} "${metadata.name}"`;
}
