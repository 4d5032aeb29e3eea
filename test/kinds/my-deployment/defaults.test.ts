import { describe, expect, it } from '@jest/globals';
import {
  historyLimit,
  limitsOf,
  maxTotalPods,
  minAvailable,
  minAvailableFor,
  progressDeadline,
  withDefaults,
} from '../../../src/kinds/my-deployment/defaults.ts';
import { myDeployment, template } from './fixture.ts';

const UNLIMITED = 2 ** 31 - 1;

describe('a spec that says next to nothing', () => {
  it('means what it means for a Deployment', () => {
    expect(withDefaults(myDeployment().spec)).toEqual({
      selector: { matchLabels: { app: 'web' } },
      template: template('v2'),
      replicas: 1,
      minReadySeconds: 0,
      paused: false,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    });
  });

  it('keeps what it does say, zeros included', () => {
    const spec = { ...myDeployment().spec, replicas: 0, revisionHistoryLimit: 0, paused: true, minReadySeconds: 5 };
    expect(withDefaults(spec)).toMatchObject({
      replicas: 0,
      revisionHistoryLimit: 0,
      paused: true,
      minReadySeconds: 5,
    });
  });

  it.each([
    { strategy: { type: 'Recreate' }, resolved: { type: 'Recreate' } },
    {
      strategy: { rollingUpdate: { maxSurge: 3 } },
      resolved: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: '25%' } },
    },
    {
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '10%' } },
      resolved: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '10%' } },
    },
  ] as const)('resolves $strategy', ({ strategy, resolved }) => {
    expect(withDefaults(myDeployment({ strategy }).spec).strategy).toEqual(resolved);
  });

  it('does not hide a pace that Recreate cannot have', () => {
    const strategy = { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } as const;
    expect(withDefaults(myDeployment({ strategy }).spec).strategy).toEqual(strategy);
  });
});

describe('deployment_util_test.go TestMaxUnavailable and TestMinAvailable', () => {
  it.each([
    { name: 'less than replicas', replicas: 10, maxUnavailable: 5, unavailable: 5, available: 5 },
    { name: 'equal replicas', replicas: 10, maxUnavailable: 10, unavailable: 10, available: 0 },
    { name: 'greater than replicas', replicas: 5, maxUnavailable: 10, unavailable: 5, available: 0 },
    { name: 'replicas 0', replicas: 0, maxUnavailable: 10, unavailable: 0, available: 0 },
    { name: 'less than replicas, percent', replicas: 10, maxUnavailable: '50%', unavailable: 5, available: 5 },
    { name: 'most of them, percent', replicas: 10, maxUnavailable: '60%', unavailable: 6, available: 4 },
    { name: 'all, percent', replicas: 10, maxUnavailable: '100%', unavailable: 10, available: 0 },
    { name: 'all of fewer, percent', replicas: 5, maxUnavailable: '100%', unavailable: 5, available: 0 },
  ])('$name', ({ replicas, maxUnavailable, unavailable, available }) => {
    const limits = limitsOf(withDefaults(myDeployment({ replicas, maxUnavailable, maxSurge: 1 }).spec));
    expect(limits).toEqual({ replicas, maxSurge: 1, maxUnavailable: unavailable });
    expect(minAvailable(limits)).toBe(available);
  });

  it('Recreate: none of the replicas may be missing, and none be too many', () => {
    const limits = limitsOf(withDefaults(myDeployment({ replicas: 10, strategy: { type: 'Recreate' } }).spec));
    expect(limits).toEqual({ replicas: 10, maxSurge: 0, maxUnavailable: 0 });
  });
});

describe('the pods that have to stay available', () => {
  it.each([
    { type: 'RollingUpdate', replicas: 10, count: 8 },
    { type: 'Recreate', replicas: 10, count: 0 },
  ] as const)('$type: $count of $replicas', ({ type, replicas, count }) => {
    const spec = withDefaults(myDeployment({ replicas, strategy: { type } }).spec);
    expect(minAvailableFor(spec, { replicas, maxSurge: 0, maxUnavailable: 2 })).toBe(count);
  });
});

describe('the ceiling', () => {
  it.each([
    { replicas: 10, maxSurge: 3, ceiling: 13 },
    { replicas: 1, maxSurge: 0, ceiling: 1 },
    { replicas: 0, maxSurge: 3, ceiling: 0 },
  ])('$replicas replicas and a surge of $maxSurge: $ceiling', ({ replicas, maxSurge, ceiling }) => {
    expect(maxTotalPods({ replicas, maxSurge, maxUnavailable: 0 })).toBe(ceiling);
  });
});

describe('the largest number there is', () => {
  it.each([
    { field: 'progressDeadlineSeconds', value: 60, read: 60_000 },
    { field: 'progressDeadlineSeconds', value: UNLIMITED, read: undefined },
  ])('$field $value', ({ value, read }) => {
    expect(progressDeadline(withDefaults(myDeployment({ progressDeadlineSeconds: value }).spec))).toBe(read);
  });

  it.each([
    { value: 0, read: 0 },
    { value: 3, read: 3 },
    { value: UNLIMITED, read: Number.POSITIVE_INFINITY },
  ])('revisionHistoryLimit $value', ({ value, read }) => {
    expect(historyLimit(withDefaults(myDeployment({ revisionHistoryLimit: value }).spec))).toBe(read);
  });
});
