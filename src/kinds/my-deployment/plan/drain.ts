// Surplus pods for drains. `kubectl drain` cordons a node and evicts its pods, and the API server refuses an eviction that a
// PodDisruptionBudget does not allow. Where a budget allows none although all replicas are healthy, the drain never ends
// (kubernetes#66811). Under pods.surgeOnDrain each pod on a cordoned node that such a budget protects gets its successor before it
// is evicted, as many at a time as the surge allows:
//
//   3 replicas, surge 1, at least 3 have to be healthy; 2 pods are on the node     elsewhere  on the node  surplus
//   the node is cordoned                                                           1          2            0
//   one surplus pod is created, and becomes ready                                  2          2            1
//   so one pod may be evicted; the surplus remains, for the other one              3          1            1
//   the next one is evicted; nothing is left to wait for                           3          0            0
//
// An eviction takes a pod and the need for a surplus at the same time, so no pod is deleted in the end. Uncordoned, the node keeps its
// pods, and the surplus goes. The number follows from cordoned nodes, budgets and the spec alone. Neither the surplus pods
// themselves nor the readiness of any pod change it, so it does not flap, and a restart forgets nothing.

import { SURGING_ON_DRAIN } from '../../../policy/conditions.ts';
import type { ConditionUpdate } from '../../../runtime/conditions.ts';
import type { DisruptionBudget } from '../../../workload/disruption-budget.ts';
import { isActive, type Pod } from '../../../workload/pod.ts';
import { type LabelSelector, selectorMatches } from '../../../workload/selector.ts';
import { maxTotalPods } from '../defaults.ts';
import type { Attempt } from './attempt.ts';
import { isRejected } from './course.ts';
import { handOverPartner } from './hand-over.ts';
import { type Sizes, sizeOf } from './history.ts';
import { reconciling } from './reconciling.ts';
import type { Revision, Rollout } from './snapshot.ts';

/** The pods on cordoned nodes that no drain can evict, because a budget protects them. */
export function heldPods({ course, object, nodes, revisions, ...rollout }: Rollout): readonly Pod[] {
  if (!course.policy?.spec.pods?.surgeOnDrain || handOverPartner(object) !== undefined) return [];
  const cordoned = new Set(nodes.filter(({ spec }) => spec?.unschedulable).map(({ metadata }) => metadata.name));
  if (cordoned.size === 0) return [];
  const shut = selectorsOfShut(rollout);
  const active = revisions.flatMap((revision) => revision.active);
  return active.filter(
    ({ spec, metadata }) =>
      cordoned.has(spec?.nodeName ?? '') && shut.some((selector) => selectorMatches(selector, metadata.labels)),
  );
}

/** The sizes, with the surplus pods that drains need. Where a rollout moves, its own surge is all there is. */
export function withDrainSurplus(
  rollout: Rollout,
  sizes: Sizes,
  attempt: Pick<Attempt, 'targets' | 'goesBackTo'>,
): Sizes {
  const held = heldPods(rollout).length;
  const taker = held === 0 ? undefined : takerOf(rollout, sizes, attempt);
  if (taker === undefined) return sizes;
  const { limits, revisions } = rollout;
  const wanted = Math.min(limits.replicas + held, maxTotalPods(limits));
  const missing = wanted - revisions.reduce((sum, revision) => sum + sizeOf(sizes, revision), 0);
  return missing > 0 ? new Map([...sizes, [taker, sizeOf(sizes, taker) + missing]]) : sizes;
}

/** What the status says while there are surplus pods, or are about to be. */
export function drainCondition(rollout: Rollout, sizes: Sizes): ConditionUpdate | undefined {
  const total = rollout.revisions.reduce((sum, revision) => sum + sizeOf(sizes, revision), 0);
  if (total <= rollout.limits.replicas || heldPods(rollout).length === 0) return undefined;
  const message = 'Surplus pods replace pods on cordoned nodes that a PodDisruptionBudget protects.';
  return reconciling(SURGING_ON_DRAIN, message);
}

/** The revision that has the surplus pods, where all others are as large as they are to be; undefined where sizes are moving. */
function takerOf(
  rollout: Rollout,
  sizes: Sizes,
  { targets, goesBackTo }: Pick<Attempt, 'targets' | 'goesBackTo'>,
): Revision | undefined {
  const { revisions, update, course } = rollout;
  const stable = course.policy && revisions.find(({ name }) => name === course.stable);
  const taker =
    targets === undefined ? (update ?? revisions.findLast(({ desired }) => desired > 0)) : (goesBackTo ?? stable);
  if (taker?.template === undefined || isRejected(rollout, taker)) return undefined;
  const others = revisions.filter((revision) => revision !== taker);
  return others.every((each) => sizeOf(sizes, each) === (targets?.get(each) ?? 0)) ? taker : undefined;
}

/** Of the budgets that allow no disruption even if all pods that they are about were healthy. */
function selectorsOfShut({
  budgets,
  neighbours,
  pods,
  limits,
}: Pick<Rollout, 'budgets' | 'neighbours' | 'pods' | 'limits'>): LabelSelector[] {
  const ours = new Set(pods.owned.map(({ metadata }) => metadata.uid));
  const others = (selector: LabelSelector): number =>
    neighbours.filter(
      (pod) => !ours.has(pod.metadata.uid) && isActive(pod) && selectorMatches(selector, pod.metadata.labels),
    ).length;
  return budgets.flatMap(({ spec, status }: DisruptionBudget) => {
    const selector = spec?.selector;
    if (selector === undefined || status?.desiredHealthy === undefined) return [];
    return limits.replicas + others(selector) <= status.desiredHealthy ? [selector] : [];
  });
}
