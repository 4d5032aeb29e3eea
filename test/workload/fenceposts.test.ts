import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { resolveFenceposts } from '../../src/workload/fenceposts.ts';

describe('deployment_util_test.go TestResolveFenceposts', () => {
  it.each([
    { maxSurge: '0%', maxUnavailable: '0%', replicas: 0, surge: 0, unavailable: 1 },
    { maxSurge: '39%', maxUnavailable: '39%', replicas: 10, surge: 4, unavailable: 3 },
    { maxSurge: undefined, maxUnavailable: '39%', replicas: 10, surge: 0, unavailable: 3 },
    { maxSurge: '39%', maxUnavailable: undefined, replicas: 10, surge: 4, unavailable: 0 },
    { maxSurge: undefined, maxUnavailable: undefined, replicas: 10, surge: 0, unavailable: 1 },
    { maxSurge: '25%', maxUnavailable: '25%', replicas: 1, surge: 1, unavailable: 0 },
    { maxSurge: '25%', maxUnavailable: '25%', replicas: 1000, surge: 250, unavailable: 250 },
    { maxSurge: 0, maxUnavailable: '1%', replicas: 2, surge: 0, unavailable: 1 },
    { maxSurge: 3, maxUnavailable: 2, replicas: 10, surge: 3, unavailable: 2 },
  ])('$maxSurge / $maxUnavailable of $replicas is $surge / $unavailable', ({ surge, unavailable, ...asked }) => {
    expect(resolveFenceposts(asked.maxSurge, asked.maxUnavailable, asked.replicas)).toEqual({
      maxSurge: surge,
      maxUnavailable: unavailable,
    });
  });

  it.each([
    { maxSurge: 'oops', maxUnavailable: '39%', blamed: 'oops' },
    { maxSurge: '55%', maxUnavailable: 'urg', blamed: 'urg' },
    { maxSurge: '55', maxUnavailable: 1, blamed: '55' },
    { maxSurge: 'x55%', maxUnavailable: 1, blamed: 'x55%' },
    { maxSurge: '55%x', maxUnavailable: 1, blamed: '55%x' },
    { maxSurge: -1, maxUnavailable: 1, blamed: '-1' },
    { maxSurge: 1.5, maxUnavailable: 1, blamed: '1.5' },
  ])('refuses $maxSurge / $maxUnavailable', ({ maxSurge, maxUnavailable, blamed }) => {
    expect(() => resolveFenceposts(maxSurge, maxUnavailable, 10)).toThrow(`at least 0: ${blamed}`);
  });
});

describe('kruise PR #2384: a negative maxUnavailable', () => {
  it('is refused instead of stalling the rollout', () => {
    expect(() => resolveFenceposts(0, -1, 10)).toThrow('at least 0: -1');
  });
});

describe('kruise #316: rounding', () => {
  it('never takes a pod for a percentage of less than one, unless nothing could move at all', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 99 }), (replicas, percent) => {
        const { maxSurge, maxUnavailable } = resolveFenceposts(`${percent}%`, `${percent}%`, replicas);
        expect(maxSurge).toBeGreaterThanOrEqual((percent * replicas) / 100);
        expect(maxUnavailable).toBeLessThanOrEqual((percent * replicas) / 100);
        expect(maxSurge + maxUnavailable).toBeGreaterThan(0);
      }),
    );
  });
});
