import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { limitsOf, withDefaults } from '../../../src/kinds/my-deployment/defaults.ts';
import { withUpdate } from '../../../src/kinds/my-deployment/plan/history.ts';
import { recreate } from '../../../src/kinds/my-deployment/plan/recreate.ts';
import {
  cleanUpUnhealthy,
  growUpdate,
  maxScaledDown,
  roll,
  scaleDown,
  spareAvailable,
} from '../../../src/kinds/my-deployment/plan/rolling.ts';
import { observe } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import { nativePasses, type Pace } from '../../support/native-passes.ts';
import { mixedPods, myDeployment, NOW, revision, snapshotOf } from './fixture.ts';

/** The next sizes, old revisions first, of revisions that have `[count, available pods]`; the last is the new one. */
function rollFrom(pace: Pace, sizes: readonly (readonly [number, number])[]): number[] {
  const object = myDeployment({ ...pace, version: `v${sizes.length}` });
  const revisions = sizes.map(([replicas], index) =>
    revision(object, `v${index + 1}`, { number: index + 1, replicas, of: pace.replicas }),
  );
  const pods = revisions.flatMap((one, index) => mixedPods(object, one, ...(sizes[index] as [number, number])));
  const rollout = withUpdate(observe(snapshotOf(object, revisions, pods), NOW));
  const { sizes: next } = roll(rollout);
  return rollout.revisions.map((one) => next.get(one) as number);
}

describe('rolling_test.go TestDeploymentController_reconcileNewReplicaSet', () => {
  it.each([
    { replicas: 10, maxSurge: 0, old: 10, update: 0, grown: 0 },
    { replicas: 10, maxSurge: 2, old: 10, update: 0, grown: 2 },
    { replicas: 10, maxSurge: 2, old: 5, update: 0, grown: 7 },
    { replicas: 10, maxSurge: 2, old: 10, update: 2, grown: 2 },
    { replicas: 10, maxSurge: 2, old: 2, update: 11, grown: 10 },
  ])('$replicas+$maxSurge, $old old and $update new: $grown new', ({ replicas, maxSurge, old, update, grown }) => {
    expect(growUpdate({ replicas, maxSurge, maxUnavailable: 0 }, update, old)).toBe(grown);
  });
});

describe('deployment_util_test.go TestNewRSNewReplicas', () => {
  it('can not scale up - to newRSReplicas: none is added to 5 of 1, and as in native, those above the replicas go', () => {
    expect(growUpdate({ replicas: 1, maxSurge: 1, maxUnavailable: 1 }, 5, 0)).toBe(1);
  });

  it('scale up - to depReplicas', () => {
    expect(growUpdate({ replicas: 6, maxSurge: 10, maxUnavailable: 1 }, 2, 5)).toBe(6);
  });

  it('recreate - to depReplicas', () => {
    const object = myDeployment({ replicas: 3, strategy: { type: 'Recreate' } });
    const update = revision(object, 'v2', { number: 1, replicas: 1, of: 3, ceiling: 3 });
    const rollout = withUpdate(observe(snapshotOf(object, [update], mixedPods(object, update, 1, 1)), NOW));
    expect([...recreate(rollout).values()]).toEqual([3]);
  });
});

describe('rolling_test.go TestDeploymentController_reconcileOldReplicaSets', () => {
  it.each([
    { maxUnavailable: 0, old: 10, update: 0, readyOld: 10, readyNew: 0, oldThen: 9 },
    { maxUnavailable: 2, old: 10, update: 0, readyOld: 10, readyNew: 0, oldThen: 8 },
    { maxUnavailable: 2, old: 10, update: 0, readyOld: 8, readyNew: 0, oldThen: 8 },
    { maxUnavailable: 2, old: 10, update: 0, readyOld: 9, readyNew: 0, oldThen: 8 },
    { maxUnavailable: 2, old: 8, update: 2, readyOld: 8, readyNew: 0, oldThen: 8 },
  ])(
    '10 replicas, $maxUnavailable may be missing: $readyOld of $old old, $readyNew of $update new: $oldThen old',
    ({ maxUnavailable, old, update, readyOld, readyNew, oldThen }) => {
      const pace = { replicas: 10, maxSurge: 0, maxUnavailable };
      const [oldSize, newSize] = rollFrom(pace, [
        [old, readyOld],
        [update, readyNew],
      ]);
      expect(oldSize).toBe(oldThen);
      expect(newSize).toBe(10 - oldThen);
    },
  );
});

describe('rolling_test.go TestDeploymentController_cleanupUnhealthyReplicas', () => {
  it.each([
    { old: 10, ready: 8, most: 1, cleaned: 1 },
    { old: 10, ready: 8, most: 3, cleaned: 2 },
    { old: 10, ready: 8, most: 0, cleaned: 0 },
    { old: 10, ready: 10, most: 3, cleaned: 0 },
  ])('$ready of $old ready, at most $most: $cleaned cleaned up', ({ old, ready, most, cleaned }) => {
    expect(cleanUpUnhealthy([{ desired: old, available: ready }], most)).toEqual([
      { desired: old - cleaned, available: ready },
    ]);
  });

  it('begins with the oldest revision', () => {
    const old = [
      { desired: 3, available: 1 },
      { desired: 3, available: 0 },
    ];
    expect(cleanUpUnhealthy(old, 3).map(({ desired }) => desired)).toEqual([1, 2]);
  });
});

describe('rolling_test.go TestDeploymentController_scaleDownOldReplicaSetsForRollingUpdate', () => {
  it.each([
    { maxUnavailable: 0, ready: 10, old: 10, left: 9 },
    { maxUnavailable: 2, ready: 10, old: 10, left: 8 },
    { maxUnavailable: 2, ready: 8, old: 10, left: 10 },
    { maxUnavailable: 2, ready: 10, old: 0, left: 0 },
    { maxUnavailable: 2, ready: 1, old: 10, left: 10 },
  ])('$ready ready, $maxUnavailable may be missing, $old old: $left', ({ maxUnavailable, ready, old, left }) => {
    // Neither surge nor unavailable would move nothing: one may be missing then.
    const limits = limitsOf(withDefaults(myDeployment({ replicas: 10, maxSurge: 0, maxUnavailable }).spec));
    const spare = spareAvailable(limits, [{ desired: old, available: ready }]);
    expect(scaleDown([{ desired: old, available: ready }], spare).map(({ desired }) => desired)).toEqual([left]);
  });
});

describe('a rollout of 10 with a surge of 3 of which 2 may be missing, frame by frame', () => {
  it.each([
    {
      name: '1/7 a new template',
      from: [
        [10, 10],
        [0, 0],
      ],
      to: [8, 5],
    },
    {
      name: '2/7 nothing new yet',
      from: [
        [8, 8],
        [5, 0],
      ],
      to: [8, 5],
    },
    {
      name: '3/7 one is available',
      from: [
        [8, 8],
        [5, 1],
      ],
      to: [7, 6],
    },
    {
      name: '4/7 three more',
      from: [
        [7, 7],
        [6, 4],
      ],
      to: [4, 9],
    },
    {
      name: '5/7 enough for all new ones',
      from: [
        [4, 4],
        [9, 6],
      ],
      to: [2, 10],
    },
    {
      name: '6/7 the last old ones',
      from: [
        [2, 2],
        [10, 8],
      ],
      to: [0, 10],
    },
    {
      name: '7/7 done',
      from: [
        [0, 0],
        [10, 10],
      ],
      to: [0, 10],
    },
  ] as const)('$name', ({ from, to }) => {
    expect(rollFrom({ replicas: 10, maxSurge: 3, maxUnavailable: 2 }, from)).toEqual(to);
  });
});

describe('when the new template does not work', () => {
  const pace = { replicas: 10, maxSurge: 3, maxUnavailable: 2 };

  it.each([
    {
      name: 'the rollout stops',
      from: [
        [8, 8],
        [5, 0],
      ],
      to: [8, 5],
    },
    {
      name: 'an old one lost with its node is not given up',
      from: [
        [8, 7],
        [5, 0],
      ],
      to: [8, 5],
    },
    {
      name: 'undone: the broken ones go, the good ones come back',
      from: [
        [5, 0],
        [8, 7],
      ],
      to: [1, 10],
    },
    {
      name: 'rolled over: the broken ones go first',
      from: [
        [8, 8],
        [5, 0],
        [0, 0],
      ],
      to: [8, 0, 5],
    },
    {
      name: 'rolled over twice',
      from: [
        [8, 8],
        [2, 0],
        [3, 0],
        [0, 0],
      ],
      to: [8, 0, 0, 5],
    },
  ] as const)('$name', ({ from, to }) => {
    expect(rollFrom(pace, from)).toEqual(to);
  });

  it('kruise #376: undone with one stuck, the stuck one goes and not a healthy one', () => {
    expect(
      rollFrom({ replicas: 3, maxSurge: 1, maxUnavailable: 0 }, [
        [1, 0],
        [3, 3],
      ]),
    ).toEqual([0, 3]);
  });
});

describe('pods that are about to go', () => {
  it('are not relied upon: what was decided and not yet done is not decided again', () => {
    const pace = { replicas: 10, maxSurge: 0, maxUnavailable: 2 };
    const object = myDeployment(pace);
    const old = revision(object, 'v1', { number: 1, replicas: 8, of: 10 });
    const update = revision(object, 'v2', { number: 2, replicas: 2, of: 10 });
    const all = [...mixedPods(object, old, 10, 10), ...mixedPods(object, update, 0, 0)];
    const rollout = withUpdate(observe(snapshotOf(object, [old, update], all), NOW));
    expect([...roll(rollout).sizes.values()]).toEqual([8, 2]);
  });

  it('are not relied upon in the new revision either', () => {
    const object = myDeployment({ replicas: 10, maxSurge: 0, maxUnavailable: 2 });
    const old = revision(object, 'v1', { number: 1, replicas: 6, of: 10 });
    const update = revision(object, 'v2', { number: 2, replicas: 2, of: 10 });
    const all = [...mixedPods(object, old, 6, 6), ...mixedPods(object, update, 4, 4)];
    const rollout = withUpdate(observe(snapshotOf(object, [old, update], all), NOW));
    expect([...roll(rollout).sizes.values()]).toEqual([6, 4]);
  });

  it('are those above the replicas, when somebody scaled the new revision beyond them', () => {
    expect(
      rollFrom({ replicas: 4, maxSurge: 0, maxUnavailable: 1 }, [
        [2, 2],
        [6, 6],
      ]),
    ).toEqual([0, 4]);
    expect(
      rollFrom({ replicas: 4, maxSurge: 0, maxUnavailable: 1 }, [
        [2, 2],
        [6, 2],
      ]),
    ).toEqual([1, 4]);
  });
});

describe('one step here and all passes of Kubernetes', () => {
  const size = fc.nat(12).chain((desired) => fc.record({ desired: fc.constant(desired), available: fc.nat(desired) }));
  const pace = fc
    .record({ replicas: fc.nat(12), maxSurge: fc.nat(6), maxUnavailable: fc.nat(6) })
    .filter(({ maxSurge, maxUnavailable }) => maxSurge + maxUnavailable > 0);

  it('end at the same sizes', () => {
    fc.assert(
      fc.property(pace, fc.array(size, { minLength: 1, maxLength: 3 }), size, (asked, old, update) => {
        const limits = { ...asked, maxUnavailable: Math.min(asked.maxUnavailable, asked.replicas) };
        const sizes = [...old, update].map(({ desired, available }) => [desired, available] as const);
        expect(rollFrom(asked, sizes)).toEqual(nativePasses(limits, old, update));
      }),
      { numRuns: 500 },
    );
  });
});

describe('how many old pods may go', () => {
  it('is what is left when new ones that do not work are not counted', () => {
    const limits = { replicas: 10, maxSurge: 3, maxUnavailable: 2 };
    expect(maxScaledDown(limits, { desired: 5, available: 0 }, [{ desired: 8, available: 8 }])).toBe(0);
    expect(maxScaledDown(limits, { desired: 8, available: 7 }, [{ desired: 5, available: 0 }])).toBe(4);
    expect(maxScaledDown(limits, { desired: 0, available: 0 }, [{ desired: 6, available: 6 }])).toBe(0);
  });
});
