// The PodDisruptionBudget of a MyDeployment: how many of its pods may be evicted at once, by a drain or by an autoscaler.

import { ApiObject, Lazy } from 'cdk8s';
import type * as kplus from 'cdk8s-plus-27';
import type { Construct } from 'constructs';
import type { DisruptionBudget } from './props.ts';

const LIMITS = ['maxUnavailable', 'minAvailable'] as const;

/** One sentence for each mistake, with the invalid value. */
export function budgetProblems(budget: DisruptionBudget | undefined): string[] {
  if (budget === undefined) return [];
  const given = LIMITS.filter((limit) => budget[limit] !== undefined);
  if (given.length !== 1) {
    return [`disruptionBudget needs either maxUnavailable or minAvailable, got ${given.join(' and ') || 'neither'}`];
  }
  return given.flatMap((limit) => {
    const value: unknown = budget[limit]?.value;
    return isLimit(value)
      ? []
      : [`disruptionBudget.${limit} must be a whole number from 0 or a percentage from 0% to 100%, got ${value}`];
  });
}

function isLimit(value: unknown): boolean {
  const [, percent] = /^(\d+)%$/.exec(String(value)) ?? [];
  return percent === undefined ? Number.isInteger(value) && Number(value) >= 0 : Number(percent) <= 100;
}

/** Adds the budget to the app, with the name and namespace of the MyDeployment. */
export function addDisruptionBudget(
  owner: Construct & Pick<kplus.Workload, 'name' | 'metadata' | '_toLabelSelector'>,
  { maxUnavailable, minAvailable }: DisruptionBudget,
): void {
  const { namespace } = owner.metadata;
  new ApiObject(owner, 'DisruptionBudget', {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: owner.name, ...(namespace !== undefined && { namespace }) },
    spec: {
      ...(maxUnavailable && { maxUnavailable: maxUnavailable.value }),
      ...(minAvailable && { minAvailable: minAvailable.value }),
      // Labels can be selected until synthesis, and an empty selector would select every pod of the namespace.
      selector: Lazy.any({ produce: () => owner._toLabelSelector() }),
    },
  });
}
