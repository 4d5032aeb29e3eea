// Whether a policy governs its target, and why not. The controller of MyDeployments asks the same functions.

import { governing, isAbout, type Refusal, refusalOf } from '../../policy/governing.ts';
import type { Snapshot } from './snapshot.ts';

/** Why the policy does not govern; undefined when it does. */
export function refusal({ policy, policies, target }: Snapshot): Refusal | undefined {
  const { name } = policy.spec.targetRef;
  if (target === undefined) return { reason: 'TargetNotFound', message: `There is no MyDeployment "${name}"` };
  const first = governing(policies.filter((each) => isAbout(each, target.metadata)));
  if (first !== undefined && first.metadata.uid !== policy.metadata.uid) {
    const message = `The older RolloutPolicy "${first.metadata.name}" governs MyDeployment "${name}"`;
    return { reason: 'Conflicted', message };
  }
  return refusalOf(policy, target);
}
