// What the bounds of a rollout tell: pods have to be ready for a while, no more may be missing, no more may exist.

import { maxTotalPods, minAvailable } from '../../kinds/my-deployment/defaults.ts';
import { oldRevisions } from '../../kinds/my-deployment/plan/snapshot.ts';
import { isAvailable, isReady, nextAvailability } from '../../workload/pod.ts';
import { selectorMatches } from '../../workload/selector.ts';
import { formatDuration } from '../duration.ts';
import type { Cause, Facts } from './cause.ts';

/** Ready pods that have not been ready for long enough. */
export function minReady({ rollout, now }: Facts): Cause[] {
  const { minReadySeconds } = rollout.spec;
  const active = rollout.revisions.flatMap((revision) => revision.active);
  const waiting = active.filter((pod) => isReady(pod) && !isAvailable(pod, minReadySeconds, now));
  const next = nextAvailability(waiting, minReadySeconds, now);
  const [first] = waiting;
  if (first === undefined || next === undefined) return [];
  return [
    {
      name: 'min-ready',
      sentence: `${waiting.length} ready ${waiting.length === 1 ? 'pod has' : 'pods have'} to stay ready for ${minReadySeconds} s before counting as available; the next does in ${formatDuration(next - now)}.`,
      evidence: [`spec.minReadySeconds is ${minReadySeconds}`, `pod/${first.metadata.name} is ready`],
    },
  ];
}

/** New pods are not available, so no old one may go, and there is no room for another new one. */
export function rolloutBudget({ rollout }: Facts): Cause[] {
  const { limits, revisions, update, spec } = rollout;
  const old = oldRevisions(rollout).reduce((sum, { active }) => sum + active.length, 0);
  const total = revisions.reduce((sum, { active }) => sum + active.length, 0);
  const available = revisions.reduce((sum, revision) => sum + revision.available, 0);
  const missing = (update?.active.length ?? 0) - (update?.available ?? 0);
  const isStuck = old > 0 && missing > 0 && total >= maxTotalPods(limits) && available <= minAvailable(limits);
  if (!isStuck || spec.strategy.type === 'Recreate') return [];
  return [
    {
      name: 'rollout-budget',
      sentence: `${missing} new ${missing === 1 ? 'pod is' : 'pods are'} not available, so no old one may go: ${minAvailable(limits)} of ${limits.replicas} have to be available, ${available} are, and there is no room for more than ${maxTotalPods(limits)} pods.`,
      evidence: [`maxUnavailable is ${limits.maxUnavailable} pods, maxSurge is ${limits.maxSurge}`],
      advice: 'The rollout goes on by itself when the new pods become available.',
    },
  ];
}

/** A budget that allows no disruption keeps nodes from being drained; rollouts do not ask it. */
export function disruptionBudget({ rollout, budgets, nodes, pods }: Facts): Cause[] {
  const labels = rollout.spec.template.metadata?.labels ?? {};
  const shut = budgets.find(
    ({ spec, status }) =>
      spec?.selector !== undefined &&
      selectorMatches(spec.selector as never, labels) &&
      status?.disruptionsAllowed === 0,
  );
  const cordoned = nodes.filter(({ spec }) => spec?.unschedulable === true).map(({ metadata }) => metadata.name);
  const held = pods.filter(({ spec }) => cordoned.includes(spec?.nodeName ?? ''));
  const [first] = held;
  if (shut === undefined || first === undefined) return [];
  const { currentHealthy = 0, desiredHealthy = 0 } = shut.status ?? {};
  return [
    {
      name: 'disruption-budget',
      sentence: `PodDisruptionBudget "${shut.metadata.name}" allows no eviction (${currentHealthy} healthy, ${desiredHealthy} needed), so ${held.length} pods stay on cordoned nodes such as "${first.spec?.nodeName}".`,
      evidence: [`pod/${first.metadata.name} is on node ${first.spec?.nodeName}, which is unschedulable`],
      advice: 'A drain waits until more pods are healthy; raise replicas, or loosen the budget.',
    },
  ];
}
