// The causes that are limits of a rollout: minReadySeconds, maxUnavailable, maxSurge, and PodDisruptionBudgets.

import { maxTotalPods, minAvailable } from '../../kinds/my-deployment/defaults.ts';
import { oldRevisions } from '../../kinds/my-deployment/plan/snapshot.ts';
import { isAvailable, isReady, nextAvailability } from '../../workload/pod.ts';
import { selectorMatches } from '../../workload/selector.ts';
import { formatDuration } from '../duration.ts';
import { counted } from '../phrasing.ts';
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
      sentence: `${counted(waiting.length, 'ready pod')} ${waiting.length === 1 ? 'has' : 'have'} to stay ready for ${minReadySeconds} s before counting as available; the next does in ${formatDuration(next - now)}.`,
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
      sentence: `${counted(missing, 'new pod')} ${missing === 1 ? 'is' : 'are'} not available, so no old one may go: ${minAvailable(limits)} of ${limits.replicas} have to be available, ${available} are, and there is no room for more than ${counted(maxTotalPods(limits), 'pod')}.`,
      evidence: [
        `maxUnavailable is ${counted(limits.maxUnavailable, 'pod')}, maxSurge is ${counted(limits.maxSurge, 'pod')}`,
      ],
      advice: 'The rollout goes on by itself when the new pods become available.',
    },
  ];
}

/** A budget that allows no disruption blocks drains; rollouts are not subject to it. */
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
      sentence: `PodDisruptionBudget "${shut.metadata.name}" allows no eviction (${currentHealthy} healthy, ${desiredHealthy} needed), so ${counted(held.length, 'pod')} ${held.length === 1 ? 'stays' : 'stay'} on cordoned nodes such as "${first.spec?.nodeName}".`,
      evidence: [`pod/${first.metadata.name} is on node ${first.spec?.nodeName}, which is unschedulable`],
      advice: 'A drain waits until more pods are healthy; raise replicas, or loosen the budget.',
    },
  ];
}
