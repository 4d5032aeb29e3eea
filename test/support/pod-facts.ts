// What a pod's own record says about it, read by those who check the operator and therefore not with the operator's code.

import type { Pod, PodCondition } from '../../src/workload/pod.ts';
import type { LabelSelector } from '../../src/workload/selector.ts';

const IN_PLACE = 'kubebuilder.zq.com/in-place';
const IN_PLACE_READY = 'kubebuilder.zq.com/InPlaceReady';

export function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** Counts towards the replicas of its owner. */
export function isActive(pod: Pod): boolean {
  return !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** True while it is being changed in place; a pod without the readiness gate never is, whatever somebody writes on it. */
export function isUnderChange({ metadata, spec }: Pod): boolean {
  const isGated = spec?.readinessGates?.some(({ conditionType }) => conditionType === IN_PLACE_READY) ?? false;
  return isGated && metadata.annotations?.[IN_PLACE] !== undefined;
}

/** The condition that makes it ready; undefined when it is not, and while it is being changed in place. */
export function readyConditionOf(pod: Pod): PodCondition | undefined {
  return isUnderChange(pod) ? undefined : conditionOf(pod, 'Ready');
}

/** Since when it serves, in milliseconds; NaN when it does not. Containers that were started anew serve from then. */
export function servesSince(pod: Pod): number {
  const started = pod.status?.containerStatuses?.flatMap(({ state }) => state?.running?.startedAt ?? []) ?? [];
  const times = [readyConditionOf(pod)?.lastTransitionTime ?? '', ...started];
  return Math.max(...times.map((time) => Date.parse(time)));
}

function conditionOf({ status }: Pod, wanted: string): PodCondition | undefined {
  return status?.conditions?.find(({ type, status: is }) => type === wanted && is === 'True');
}

/** The mark of the template that it was made from. */
export function hashOf({ metadata }: Pod): string | undefined {
  return metadata.labels?.['pod-template-hash'];
}

/** Whether a selector as people write it fits these labels. */
export function isSelected(selector: LabelSelector, labels: Readonly<Record<string, string>> = {}): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const equal = Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  return equal && matchExpressions.every((expression) => holds(expression, labels[expression.key]));
}

/** Whether an owner with this selector counts a pod of its own: without a hash it is of no revision. */
export function isCounted(selector: LabelSelector, { metadata: { labels = {} } }: Pod): boolean {
  const isMarked = labels['pod-template-hash'] !== undefined || labels['controller-revision-hash'] !== undefined;
  return isMarked && isSelected(selector, labels);
}

type Expression = NonNullable<LabelSelector['matchExpressions']>[number];

function holds({ operator, values = [] }: Expression, value: string | undefined): boolean {
  switch (operator) {
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'In':
      return value !== undefined && values.includes(value);
    default:
      return value === undefined || !values.includes(value);
  }
}
