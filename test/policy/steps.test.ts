import { expect, it } from '@jest/globals';
import { RESTING } from '../../src/policy/conditions.ts';
import { rolloutPolicies } from '../../src/policy/resource.ts';
import { stepCount } from '../../src/policy/steps.ts';

it.each([
  { name: 'a number', step: 3, size: { replicas: 10, maxSurge: 2 }, count: 3 },
  { name: 'a share, rounded up', step: '25%', size: { replicas: 10, maxSurge: 2 }, count: 3 },
  { name: 'all but one at most', step: '100%', size: { replicas: 10, maxSurge: 2 }, count: 9 },
  { name: 'none of none', step: 1, size: { replicas: 0, maxSurge: 2 }, count: 0 },
  { name: 'one surge beside a single replica', step: 5, size: { replicas: 1, maxSurge: 3 }, count: 1 },
  { name: 'none beside a single replica without a surge', step: 5, size: { replicas: 1, maxSurge: 0 }, count: 0 },
])('a step has $name', ({ step, size, count }) => {
  expect(stepCount({ replicas: step }, size)).toBe(count);
});

it('a rollout rests while it is its policy that holds it', () => {
  expect(RESTING).toEqual(['AwaitingPromotion', 'StepPaused', 'GatePending', 'GateFailed']);
});

it('policies are where the API server has them', () => {
  expect(rolloutPolicies).toEqual({
    group: 'kubebuilder.zq.com',
    version: 'v1alpha1',
    kind: 'RolloutPolicy',
    plural: 'rolloutpolicies',
    namespaced: true,
  });
});
