// What plans need to know of a PodDisruptionBudget: which pods it is about, and how many of them have to be healthy. How many
// disruptions it allows at the moment is not kept: that changes with every pod.

import { podDisruptionBudgets } from '../runtime/built-in.ts';
import type { Cache } from '../runtime/cache/cache.ts';
import type { Change, Informer } from '../runtime/cache/informer.ts';
import type { KubeObject } from '../runtime/object.ts';
import type { Resource } from '../runtime/resource.ts';
import { sameMeaning } from './canonical.ts';
import type { LabelSelector } from './selector.ts';

export interface DisruptionBudget extends KubeObject {
  /** Without a selector it is about no pod. */
  readonly spec?: { readonly selector?: LabelSelector };
  readonly status?: { readonly desiredHealthy?: number };
}

export const disruptionBudgets = podDisruptionBudgets as Resource<KubeObject> as Resource<DisruptionBudget>;

/** The budgets of all namespaces, trimmed. */
export function disruptionBudgetInformer(cache: Cache): Informer<DisruptionBudget> {
  return cache.informer(disruptionBudgets, { transform: trimBudget });
}

/** True unless a budget's update left what the type names as it was. */
export function budgetMatters(change: Change<DisruptionBudget>): boolean {
  return change.type !== 'updated' || !sameMeaning(essence(change.old), essence(change.object));
}

function essence({ spec, status }: DisruptionBudget): object {
  return { spec, status };
}

/** Keeps the fields of a budget that the type names. */
export function trimBudget({ metadata, spec, status }: DisruptionBudget): DisruptionBudget {
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    metadata: { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion },
    spec: { ...(spec?.selector && { selector: spec.selector }) },
    status: { ...(status?.desiredHealthy !== undefined && { desiredHealthy: status.desiredHealthy }) },
  };
}
