import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Limits, maxTotalPods, type ResolvedSpec } from '../../../src/kinds/my-deployment/defaults.ts';
import { NATIVE } from '../../../src/kinds/my-deployment/plan/course.ts';
import { keepMinAvailable } from '../../../src/kinds/my-deployment/plan/keep-min-available.ts';
import type { Revision } from '../../../src/kinds/my-deployment/plan/snapshot.ts';

/** What a revision is meant to have, how many pods it has, and how many of those are available. */
type Counts = readonly [desired: number, active: number, available: number];

function revisionOf([desired, active, available]: Counts): Revision {
  return { desired, active: Array.from({ length: active }), available } as unknown as Revision;
}

type StrategyType = 'RollingUpdate' | 'Recreate';

function desiredAfter(limits: Limits, counts: readonly Counts[], type: StrategyType = 'RollingUpdate') {
  const spec = { strategy: { type } } as ResolvedSpec;
  return keepMinAvailable(counts.map(revisionOf), { limits, spec, update: undefined, course: NATIVE }).map(
    ({ desired }) => desired,
  );
}

describe('pods that became available after it was decided that they go', () => {
  const limits = { replicas: 10, maxSurge: 1, maxUnavailable: 0 };

  it.each<{ name: string; counts: Counts[]; desired: number[] }>([
    {
      name: 'a pod too many that serves nobody goes',
      counts: [
        [5, 6, 5],
        [5, 5, 3],
      ],
      desired: [5, 5],
    },
    {
      name: 'one that serves stays while too few do',
      counts: [
        [5, 6, 6],
        [5, 5, 3],
      ],
      desired: [6, 5],
    },
    {
      name: 'it takes back the room that was promised',
      counts: [
        [5, 6, 6],
        [6, 5, 3],
      ],
      desired: [6, 5],
    },
    {
      name: 'it takes back all room that a lower ceiling has no place for',
      counts: [
        [5, 6, 6],
        [9, 3, 3],
      ],
      desired: [6, 5],
    },
    {
      name: 'it goes once enough others serve',
      counts: [
        [5, 6, 6],
        [5, 5, 5],
      ],
      desired: [5, 5],
    },
    {
      name: 'as many stay as are needed',
      counts: [
        [3, 6, 6],
        [5, 5, 5],
      ],
      desired: [5, 5],
    },
    {
      name: 'the newer stays',
      counts: [
        [2, 3, 3],
        [2, 3, 3],
        [5, 5, 5],
      ],
      desired: [2, 3, 5],
    },
    {
      name: 'above the ceiling one goes in its place that serves nobody',
      counts: [
        [8, 14, 9],
        [3, 3, 0],
      ],
      desired: [9, 2],
    },
    {
      name: 'of those that serve nobody the older goes in its place',
      counts: [
        [2, 2, 0],
        [5, 6, 6],
        [4, 4, 2],
      ],
      desired: [1, 6, 4],
    },
    {
      name: 'room that was promised is taken back before a pod that is there goes in its place',
      counts: [
        [2, 2, 0],
        [5, 6, 6],
        [4, 3, 3],
      ],
      desired: [2, 6, 3],
    },
    {
      name: 'none that serves goes in its place',
      counts: [
        [5, 6, 6],
        [6, 6, 2],
      ],
      desired: [6, 5],
    },
    {
      name: 'promises beyond the ceiling stay as they are where no pod has to stay',
      counts: [
        [8, 8, 8],
        [5, 3, 2],
      ],
      desired: [8, 5],
    },
  ])('$name', ({ counts, desired }) => {
    expect(desiredAfter(limits, counts)).toEqual(desired);
  });

  it('Recreate protects nobody', () => {
    expect(
      desiredAfter(
        limits,
        [
          [5, 6, 6],
          [5, 5, 3],
        ],
        'Recreate',
      ),
    ).toEqual([5, 5]);
  });
});

it('keeps the floor if there are as many, and never promises more than the ceiling', () => {
  const counts = fc
    .tuple(fc.nat(8), fc.nat(8), fc.nat(8))
    .map(([desired, active, available]): Counts => [desired, active, Math.min(active, available)]);
  const bounds = fc.record({
    replicas: fc.integer({ min: 1, max: 12 }),
    maxSurge: fc.nat(3),
    maxUnavailable: fc.nat(3),
  });
  fc.assert(
    fc.property(fc.array(counts, { minLength: 1, maxLength: 3 }), bounds, (all, limits) => {
      const floor = Math.max(0, limits.replicas - limits.maxUnavailable);
      const desired = desiredAfter(limits, all);
      const total = (pick: (counts: Counts, index: number) => number): number =>
        all.map(pick).reduce((sum, each) => sum + each, 0);
      const left = total(([, , available], index) => Math.min(available, desired[index] as number));
      const available = total(([, , count]) => count);
      expect(left).toBeGreaterThanOrEqual(Math.min(floor, available));
      const promised = desired.reduce((sum, each) => sum + each, 0);
      const isAsDecided = all.every(([count], index) => count === desired[index]);
      expect(isAsDecided || promised <= maxTotalPods(limits)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
