import { describe, expect, it } from '@jest/globals';
import { failureOf, isStableUnhealthy } from '../../../src/kinds/my-deployment/plan/failures.ts';
import type { RolloutPolicySpecRollback } from '../../../src/policy/types.gen.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { type AttemptOptions, situation } from './attempt-fixture.ts';
import { secondsAgo } from './fixture.ts';

const gate = (state: 'Failed' | 'Pending') => ({
  status: {
    gates: [{ name: 'errors', number: 2, step: 1, state, message: 'too many', measuredAt: secondsAgo(5) }],
  },
});

const crash = (pod: Pod, message = ''): Pod => ({
  ...pod,
  status: {
    phase: 'Running',
    containerStatuses: [
      {
        name: 'web',
        restartCount: 3,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        ...(message && { lastState: { terminated: { exitCode: 1, message } } }),
      },
    ],
  },
});
const failed = (pod: Pod, createdSecondsAgo: number): Pod => ({
  metadata: { ...pod.metadata, creationTimestamp: secondsAgo(createdSecondsAgo) },
  status: { phase: 'Failed', containerStatuses: [{ name: 'web', restartCount: 0 }] },
});
const terminating = (pod: Pod): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, deletionTimestamp: secondsAgo(1) },
});

/** So many of the pods of the update become what `change` makes of them. */
const some = (count: number, change: (pod: Pod) => Pod): NonNullable<AttemptOptions['pods']> => {
  return (update, stable) => [...stable, ...update.map((pod, index) => (index < count ? change(pod) : pod))];
};

const four: AttemptOptions = { stable: [6, 6], update: [4, 4] };
const why = (options: AttemptOptions, deadline: 'met' | 'exceeded' = 'met') => failureOf(situation(options), deadline);
const rollback = (change: RolloutPolicySpecRollback) => ({ spec: { rollback: change } });

describe('a rollout goes back', () => {
  it('when one of its gates has failed', () => {
    expect(why({ policy: gate('Failed') })).toEqual({ reason: 'GateFailed', message: 'gate "errors": too many' });
  });

  it('when half of its pods fail, unless told otherwise', () => {
    const { reason, message = '' } = why({ ...four, pods: some(2, crash) }) ?? {};
    expect(reason).toBe('PodFailures');
    expect(message).toMatch(
      /^2 of 4 pods fail \(maxPodFailures: 50%\): pod "web-\w+-0": container "web" crashed 3 times$/,
    );
  });

  it('when half of an odd number fails, rounded up', () => {
    const three: AttemptOptions = { stable: [7, 7], update: [3, 3] };
    expect(why({ ...three, pods: some(1, crash) })).toBeUndefined();
    expect(why({ ...three, pods: some(2, crash) })).toMatchObject({ reason: 'PodFailures' });
  });

  it('not for pods of an update that is to have none', () => {
    const none = { 'mydeployment.kubebuilder.zq.com/replicas': '0' };
    expect(why({ annotations: none, pods: some(1, crash) })).toBeUndefined();
  });

  it('when as many fail as the policy says', () => {
    const one = { ...four, pods: some(1, crash) };
    expect(why({ ...one, ...rollback({ maxPodFailures: 1 }) })?.message).toContain(
      '1 of 4 pods fail (maxPodFailures: 1)',
    );
    expect(why({ ...one, ...rollback({ maxPodFailures: '1%' }) })?.reason).toBe('PodFailures');
  });

  it('when its deadline is exceeded', () => {
    expect(why({ object: { progressDeadlineSeconds: 90 } }, 'exceeded')).toEqual({
      reason: 'ProgressDeadlineExceeded',
      message: 'no progress for 90 seconds (spec.progressDeadlineSeconds)',
    });
  });

  it('when a pod has failed that it created itself', () => {
    expect(why({ pods: some(1, (pod) => failed(pod, 60)) })?.message).toMatch(/^1 of 1 pods fail .*: pod ".*" failed$/);
  });

  it('for its gates first, then for its pods', () => {
    const all = { ...four, pods: some(2, crash), policy: gate('Failed') };
    expect(why(all, 'exceeded')?.reason).toBe('GateFailed');
    expect(
      why({ ...all, ...rollback({ when: ['ProgressDeadlineExceeded', 'PodFailures'] }) }, 'exceeded')?.reason,
    ).toBe('PodFailures');
  });

  it('for a reason that is cut to what a record can hold', () => {
    const { message = '' } = why({ pods: some(1, (pod) => crash(pod, 'x'.repeat(5000))) }) ?? {};
    const [, example = ''] = message.split('(maxPodFailures: 50%): ');
    expect(Buffer.byteLength(example)).toBe(512);
  });
});

describe('a rollout does not go back', () => {
  it.each<{ name: string; options: AttemptOptions; deadline?: 'exceeded' }>([
    { name: 'while nothing is wrong', options: four },
    { name: 'for a gate that is pending', options: { policy: gate('Pending') } },
    { name: 'for fewer failing pods than half', options: { ...four, pods: some(1, crash) } },
    {
      name: 'for pods of the stable revision',
      options: { ...four, pods: (update, stable) => [...update, ...stable.map((pod) => crash(pod))] },
    },
    { name: 'for pods that failed before it began', options: { pods: some(1, (pod) => failed(pod, 61)) } },
    {
      name: 'for pods that are on their way out',
      options: { ...four, pods: some(4, (pod) => terminating(crash(pod))) },
    },
    { name: 'without pods', options: { update: [0, 0] } },
    {
      name: 'for a gate that the policy does not name',
      options: { policy: gate('Failed'), ...rollback({ when: ['PodFailures'] }) },
    },
    {
      name: 'for pods that the policy does not name',
      options: { ...four, pods: some(4, crash), ...rollback({ when: ['Gates'] }) },
    },
    {
      name: 'for a deadline that the policy does not name',
      options: rollback({ when: ['Gates', 'PodFailures'] }),
      deadline: 'exceeded',
    },
  ])('$name', ({ options, deadline }) => {
    expect(why(options, deadline)).toBeUndefined();
  });

  it('without a rollback in its policy', () => {
    const { rollback: _, ...spec } = situation().course.policy.spec;
    const all = situation({ ...four, pods: some(4, crash), policy: gate('Failed') });
    const course = { ...all.course, policy: { ...all.course.policy, spec } };
    expect(failureOf(all, 'exceeded')).toBeDefined();
    expect(failureOf({ ...all, course }, 'exceeded')).toBeUndefined();
  });
});

it.each<{ stable: readonly [number, number]; is: boolean }>([
  { stable: [9, 9], is: false },
  { stable: [9, 5], is: false },
  { stable: [9, 4], is: true },
  { stable: [8, 4], is: true },
  { stable: [1, 0], is: true },
  { stable: [0, 0], is: false },
])('with $stable pods that should be and are available, the stable revision is unhealthy: $is', ({ stable, is }) => {
  expect(isStableUnhealthy(situation({ stable }))).toBe(is);
});
