import { describe, expect, it } from '@jest/globals';
import type { ContainerStatus, Pod } from '../../src/workload/pod.ts';
import { isFailing, podFailure } from '../../src/workload/pod-failure.ts';

const waiting = (reason: string, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name: 'web',
  restartCount: 0,
  state: { waiting: { reason } },
  ...more,
});
const crashed = (exitCode: number, reason?: string, message?: string) => ({
  terminated: { exitCode, ...(reason && { reason }), ...(message && { message }) },
});
const disrupted = { type: 'DisruptionTarget', status: 'True' };

function pod(status: NonNullable<Pod['status']>): Pod {
  return { metadata: { name: 'web-1', uid: 'u', resourceVersion: '1' }, status } as Pod;
}

describe('a pod fails by its own fault', () => {
  it.each<{ name: string; status: NonNullable<Pod['status']>; says: string }>([
    {
      name: 'when it has crashed three times and waits for the next start',
      status: { phase: 'Running', containerStatuses: [waiting('CrashLoopBackOff', { restartCount: 3 })] },
      says: 'pod "web-1": container "web" crashed 3 times',
    },
    {
      name: 'with the exit code and the last words of its container',
      status: {
        phase: 'Running',
        containerStatuses: [
          waiting('CrashLoopBackOff', { restartCount: 4, lastState: crashed(3, 'Error', 'no database\n') }),
        ],
      },
      says: 'pod "web-1": container "web" crashed 4 times, last with exit code 3 (Error): no database',
    },
    ...['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'].map((reason) => ({
      name: `at once with ${reason}`,
      status: { phase: 'Pending', containerStatuses: [waiting(reason)] },
      says: `pod "web-1": container "web" cannot pull its image (${reason})`,
    })),
    {
      name: 'in an init container',
      status: { phase: 'Pending', initContainerStatuses: [{ ...waiting('ImagePullBackOff'), name: 'setup' }] },
      says: 'pod "web-1": container "setup" cannot pull its image (ImagePullBackOff)',
    },
    {
      name: 'when it has failed, by the container that ended badly',
      status: {
        phase: 'Failed',
        containerStatuses: [
          { name: 'side', restartCount: 0, state: crashed(0) },
          { name: 'web', restartCount: 0, state: crashed(137, 'OOMKilled') },
        ],
      },
      says: 'pod "web-1" failed: container "web", last with exit code 137 (OOMKilled)',
    },
    {
      name: 'when it has failed and a disruption was averted',
      status: { phase: 'Failed', conditions: [{ ...disrupted, status: 'False' }] },
      says: 'pod "web-1" failed',
    },
    {
      name: 'when the kubelet ended it after it had run',
      status: { phase: 'Failed', reason: 'DeadlineExceeded', containerStatuses: [{ name: 'web', restartCount: 0 }] },
      says: 'pod "web-1" failed',
    },
  ])('$name', ({ status, says }) => {
    expect(podFailure(pod(status))).toBe(says);
  });
});

describe('a pod does not fail by its own fault', () => {
  it.each<{ name: string; status: NonNullable<Pod['status']> }>([
    { name: 'while it runs', status: { phase: 'Running', containerStatuses: [{ name: 'web', restartCount: 9 }] } },
    {
      name: 'when it has crashed twice',
      status: { phase: 'Running', containerStatuses: [waiting('CrashLoopBackOff', { restartCount: 2 })] },
    },
    {
      name: 'while its container is created',
      status: { phase: 'Pending', containerStatuses: [waiting('ContainerCreating', { restartCount: 3 })] },
    },
    {
      name: 'while no node has room for it',
      status: {
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False' }],
      },
    },
    { name: 'when it was drained, evicted or preempted', status: { phase: 'Failed', conditions: [disrupted] } },
    { name: 'when the kubelet refused it', status: { phase: 'Failed', reason: 'UnexpectedAdmissionError' } },
    { name: 'when it has succeeded', status: { phase: 'Succeeded', containerStatuses: [waiting('CrashLoopBackOff')] } },
  ])('$name', ({ status }) => {
    expect(podFailure(pod(status))).toBeUndefined();
  });
});

it.each([
  { reason: 'CrashLoopBackOff', is: true },
  { reason: 'ImagePullBackOff', is: true },
  { reason: 'ContainerCreating', is: false },
])('the cache keeps the status of a container that waits with $reason: $is', ({ reason, is }) => {
  expect(isFailing(waiting(reason))).toBe(is);
});
