// Which pods fail by their own fault, and in which words.

import { describe, expect, it } from '@jest/globals';
import type { ContainerStatus, Pod } from '../../src/workload/pod.ts';
import { isFailing, podFailure } from '../../src/workload/pod-failure.ts';

type Status = NonNullable<Pod['status']>;

const failureOf = (status: Status): string | undefined =>
  podFailure({ metadata: { name: 'web-1', uid: 'u', resourceVersion: '1' }, status });
const waiting = (reason: string, more: ContainerStatus = {}): ContainerStatus & { readonly name: string } => ({
  name: 'nginx',
  state: { waiting: { reason } },
  ...more,
});
const exited = (exitCode: number, more: object = {}): NonNullable<ContainerStatus['state']> => ({
  terminated: { exitCode, ...more },
});
const disrupted = { type: 'DisruptionTarget', status: 'True' };

describe('a pod that runs', () => {
  it.each(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'])('fails by %s', (reason) => {
    const because = `pod "web-1": container "nginx" cannot pull its image (${reason})`;
    expect(failureOf({ phase: 'Pending', containerStatuses: [waiting(reason)] })).toBe(because);
    expect(isFailing(waiting(reason))).toBe(true);
  });

  it.each<{ name: string; container: ContainerStatus; words: string | undefined }>([
    { name: 'a second crash', container: waiting('CrashLoopBackOff', { restartCount: 2 }), words: undefined },
    {
      name: 'a third crash',
      container: waiting('CrashLoopBackOff', { restartCount: 3 }),
      words: 'container "nginx" crashed 3 times',
    },
    {
      name: 'its exit code',
      container: waiting('CrashLoopBackOff', { restartCount: 4, lastState: exited(2) }),
      words: 'container "nginx" crashed 4 times, last with exit code 2',
    },
    {
      name: 'its reason and message',
      container: waiting('CrashLoopBackOff', {
        restartCount: 4,
        lastState: exited(1, { reason: 'Error', message: ' no config\n' }),
      }),
      words: 'container "nginx" crashed 4 times, last with exit code 1 (Error): no config',
    },
    {
      name: 'a container without a name',
      container: { state: { waiting: { reason: 'ErrImagePull' } } },
      words: 'container "" cannot pull its image (ErrImagePull)',
    },
    {
      name: 'a crash without a count',
      container: { state: { waiting: { reason: 'CrashLoopBackOff' } } },
      words: undefined,
    },
    { name: 'many restarts, and running', container: { name: 'nginx', restartCount: 9 }, words: undefined },
    { name: 'being created', container: waiting('ContainerCreating', { restartCount: 9 }), words: undefined },
  ])('says what its container does: $name', ({ container, words }) => {
    expect(failureOf({ phase: 'Running', containerStatuses: [container] })).toBe(words && `pod "web-1": ${words}`);
  });

  it('counts a crash loop of any length as a status worth keeping, and nothing else', () => {
    expect(isFailing(waiting('CrashLoopBackOff'))).toBe(true);
    expect(isFailing(waiting('ContainerCreating'))).toBe(false);
    expect(isFailing({ name: 'nginx', state: {} })).toBe(false);
  });

  it('is looked at from its init containers on', () => {
    const statuses = {
      initContainerStatuses: [waiting('PodInitializing', { name: 'ready' }), waiting('ErrImagePull', { name: 'init' })],
      containerStatuses: [waiting('ErrImagePull', { name: 'main' })],
    };
    expect(failureOf(statuses)).toContain('container "init"');
  });

  it('does not fail when it has ended well, whatever a container last said', () => {
    expect(failureOf({ phase: 'Succeeded', containerStatuses: [waiting('ErrImagePull')] })).toBeUndefined();
  });
});

describe('a pod that has failed', () => {
  const ended = { name: 'nginx', state: exited(1) };

  it.each<{ name: string; status: Status; words: string | undefined }>([
    { name: 'of which nothing more is known', status: {}, words: '' },
    {
      name: 'by an exit code',
      status: { containerStatuses: [ended] },
      words: ': container "nginx", last with exit code 1',
    },
    {
      name: 'by the first container that did not end well',
      status: {
        containerStatuses: [{ name: 'ok', state: exited(0) }, ended, { name: 'last', state: exited(3) }],
      },
      words: ': container "nginx", last with exit code 1',
    },
    {
      name: 'of which all containers ended well',
      status: { containerStatuses: [{ name: 'ok', state: exited(0) }] },
      words: '',
    },
    { name: 'by a container that still runs', status: { containerStatuses: [{ name: 'on', state: {} }] }, words: '' },
    {
      name: 'at its deadline, with containers',
      status: { reason: 'DeadlineExceeded', containerStatuses: [ended] },
      words: ': container "nginx", last with exit code 1',
    },
    { name: 'refused by the kubelet', status: { reason: 'OutOfcpu' }, words: undefined },
    { name: 'refused with an empty list', status: { reason: 'OutOfcpu', containerStatuses: [] }, words: undefined },
    {
      name: 'evicted',
      status: { conditions: [{ type: 'Ready', status: 'False' }, disrupted], containerStatuses: [ended] },
      words: undefined,
    },
    {
      name: 'once meant to be evicted',
      status: { conditions: [{ ...disrupted, status: 'False' }], containerStatuses: [ended] },
      words: ': container "nginx", last with exit code 1',
    },
    {
      name: 'with another condition',
      status: { conditions: [{ type: 'PodScheduled', status: 'True' }], containerStatuses: [ended] },
      words: ': container "nginx", last with exit code 1',
    },
  ])('$name', ({ status, words }) => {
    expect(failureOf({ phase: 'Failed', ...status })).toBe(
      words === undefined ? undefined : `pod "web-1" failed${words}`,
    );
  });
});
