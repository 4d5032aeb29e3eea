// Whether a pod fails because of what it runs. Pods that nodes, budgets or drains end say nothing about their template.

import { inPlaceRecord } from './in-place/record.ts';
import { type ContainerStatus, isTerminal, type Pod } from './pod.ts';

/** A crash may have a passing cause, so only the third restart counts. */
const CRASHES = 3;
const CRASH_LOOP = 'CrashLoopBackOff';
const NO_IMAGE: readonly string[] = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'];
/** Set on a pod that was evicted, preempted, drained or removed by a taint. */
export const DISRUPTION_TARGET = 'DisruptionTarget';

/** Why the pod fails, in a sentence; undefined when it does not, or not by its own fault. */
export function podFailure(pod: Pod): string | undefined {
  const { name } = pod.metadata;
  if (pod.status?.phase === 'Failed') return isVictim(pod) ? undefined : `pod "${name}" failed${endOf(pod)}`;
  if (isTerminal(pod)) return undefined;
  for (const container of containersOf(pod)) {
    const words = containerFailure(container, restartsBefore(pod, container));
    if (words !== undefined) return `pod "${name}": ${words}`;
  }
  return undefined;
}

/** True when the kubelet reports that the container does not start; such a status is worth keeping. */
export function isFailing({ state }: ContainerStatus): boolean {
  const reason = state?.waiting?.reason ?? '';
  return reason === CRASH_LOOP || NO_IMAGE.includes(reason);
}

/** What the container had been restarted before it was changed in place, the start of the change included. */
function restartsBefore(pod: Pod, { name = '' }: ContainerStatus): number {
  const noted = inPlaceRecord(pod)?.changed?.containers[name];
  return noted === undefined ? 0 : noted.restarts + 1;
}

function containerFailure(container: ContainerStatus, before: number): string | undefined {
  const { name = '', state } = container;
  const restartCount = (container.restartCount ?? 0) - before;
  const reason = state?.waiting?.reason ?? '';
  if (NO_IMAGE.includes(reason)) return `container "${name}" cannot pull its image (${reason})`;
  if (reason !== CRASH_LOOP || restartCount < CRASHES) return undefined;
  return `container "${name}" crashed ${restartCount} times${exitOf(container)}`;
}

/** True when the pod was ended from outside, or refused by the kubelet before any container started. */
function isVictim({ status }: Pod): boolean {
  const isDisrupted = status?.conditions?.some((each) => each.type === DISRUPTION_TARGET && each.status === 'True');
  return isDisrupted === true || (status?.reason !== undefined && (status.containerStatuses ?? []).length === 0);
}

function endOf(pod: Pod): string {
  const ended = containersOf(pod).find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  return ended === undefined ? '' : `: container "${ended.name}"${exitOf({ lastState: ended.state ?? {} })}`;
}

function exitOf({ lastState }: ContainerStatus): string {
  const { exitCode, reason, message } = lastState?.terminated ?? {};
  if (exitCode === undefined) return '';
  return `, last with exit code ${exitCode}${reason ? ` (${reason})` : ''}${message ? `: ${message.trim()}` : ''}`;
}

function containersOf({ status }: Pod): readonly ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}
