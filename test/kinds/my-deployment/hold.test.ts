import { describe, expect, it } from '@jest/globals';
import { hold, whereItStands } from '../../../src/kinds/my-deployment/plan/hold.ts';
import type { Revision } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { type AttemptOptions, attempt } from './attempt-fixture.ts';
import { NOW, secondsAgo } from './fixture.ts';

type Pair = readonly [number, number];

/** The next counts of the stable revision and of the update on the way to these targets. */
function next(options: AttemptOptions, [stable, update]: Pair): Pair {
  const rollout = attempt(options);
  const [first, second] = rollout.revisions as [Revision, Revision];
  const { sizes } = hold(
    rollout,
    new Map([
      [first, stable],
      [second, update],
    ]),
  );
  return [sizes.get(first) as number, sizes.get(second) as number];
}

const surge = { maxSurge: 1, maxUnavailable: 0 };
const missing = { maxSurge: 0, maxUnavailable: 2 };

describe('towards a step of 1 of 10 pods', () => {
  it.each<{ name: string; object: object; stable: Pair; update: Pair; becomes: Pair }>([
    { name: 'room for one comes first', object: surge, stable: [10, 10], update: [0, 0], becomes: [10, 1] },
    { name: 'none may go before it is available', object: surge, stable: [10, 10], update: [1, 0], becomes: [10, 1] },
    { name: 'then one may go', object: surge, stable: [10, 10], update: [1, 1], becomes: [9, 1] },
    { name: 'and there it rests', object: surge, stable: [9, 9], update: [1, 1], becomes: [9, 1] },
    { name: 'also when its pod is lost', object: surge, stable: [9, 9], update: [1, 0], becomes: [9, 1] },
    { name: 'without a surge one goes first', object: missing, stable: [10, 10], update: [0, 0], becomes: [9, 1] },
    { name: 'unavailable pods go at once', object: missing, stable: [10, 8], update: [0, 0], becomes: [9, 1] },
    {
      name: 'pods beyond the step go as they can be missed',
      object: missing,
      stable: [5, 5],
      update: [5, 5],
      becomes: [7, 3],
    },
    {
      name: 'lost pods of the stable revision come back',
      object: surge,
      stable: [8, 8],
      update: [1, 1],
      becomes: [9, 1],
    },
  ])('$name', ({ object, stable, update, becomes }) => {
    expect(next({ object, stable, update }, [9, 1])).toEqual(becomes);
  });
});

describe('several revisions on their way', () => {
  type Triple = readonly [number, number, number];

  /** The next counts of a revision that leaves, of the stable one and of the update. */
  function nextOf(options: AttemptOptions, leaving: number, [stable, update]: Pair): Triple {
    const rollout = attempt({ ...options, object: surge });
    const [first, second] = rollout.revisions as [Revision, Revision];
    const extra = { ...first, name: 'web-older', desired: leaving, available: leaving };
    const targets = new Map([
      [first, stable],
      [second, update],
    ]);
    const { sizes } = hold({ ...rollout, revisions: [extra, first, second] }, targets);
    return [extra, first, second].map((each) => sizes.get(each) ?? 0) as unknown as Triple;
  }

  it.each<{ name: string; stable: Pair; update: Pair; leaving: number; targets: Pair; becomes: Triple }>([
    { name: 'what may go goes once', stable: [9, 9], update: [1, 1], leaving: 1, targets: [8, 2], becomes: [0, 9, 2] },
    { name: 'the oldest in front', stable: [9, 9], update: [1, 1], leaving: 2, targets: [8, 2], becomes: [0, 9, 2] },
    { name: 'room is given once', stable: [8, 8], update: [1, 1], leaving: 1, targets: [9, 2], becomes: [1, 9, 1] },
    {
      name: 'pods that stay unavailable count for none',
      stable: [9, 8],
      update: [2, 0],
      leaving: 0,
      targets: [9, 1],
      becomes: [0, 9, 2],
    },
    {
      name: 'unavailable pods go beside enough available ones',
      stable: [10, 10],
      update: [2, 0],
      leaving: 0,
      targets: [9, 1],
      becomes: [0, 10, 1],
    },
  ])('$name', ({ stable, update, leaving, targets, becomes }) => {
    expect(nextOf({ stable, update }, leaving, targets)).toEqual(becomes);
  });

  it('a revision without a template does not grow', () => {
    const rollout = attempt({ object: surge, stable: [9, 9], update: [1, 1] });
    const [stable, second] = rollout.revisions as [Revision, Revision];
    const first = { ...stable, template: undefined };
    const targets = new Map([
      [first, 10],
      [second, 2],
    ]);
    const { sizes } = hold({ ...rollout, revisions: [first, second] }, targets);
    expect([sizes.get(first), sizes.get(second)]).toEqual([9, 2]);
  });
});

describe('pods that were to go and are wanted again', () => {
  interface Counts {
    readonly count: number;
    readonly pods: number;
  }

  /** The next counts of a revision that leaves, of the stable one and of the update; all of their pods are available. */
  function nextOf(between: number, stable: Counts, update: Counts, targets: Pair, object: object): readonly number[] {
    const rollout = attempt({ object, stable: [stable.pods, stable.pods], update: [update.pods, update.pods] });
    const [first, second] = rollout.revisions as [Revision, Revision];
    const leaving = first.active.slice(0, between);
    const revisions = [
      { ...first, name: 'web-between', desired: between, active: leaving, available: between },
      { ...first, desired: stable.count },
      { ...second, desired: update.count },
    ] as const;
    const { sizes } = hold(
      { ...rollout, revisions, update: revisions[2] },
      new Map([
        [revisions[1], targets[0]],
        [revisions[2], targets[1]],
      ]),
    );
    return revisions.map((each) => sizes.get(each) as number);
  }

  it.each<{
    name: string;
    between?: number;
    stable: Counts;
    update: Counts;
    targets: Pair;
    object?: object;
    becomes: readonly number[];
  }>([
    {
      name: 'stay where there is room',
      stable: { count: 8, pods: 9 },
      update: { count: 2, pods: 1 },
      targets: [9, 2],
      becomes: [0, 9, 2],
    },
    {
      name: 'stay instead of pods that are not made yet',
      stable: { count: 8, pods: 9 },
      update: { count: 3, pods: 1 },
      targets: [9, 3],
      becomes: [0, 9, 2],
    },
    {
      name: 'stay instead of no more of these than need be',
      stable: { count: 7, pods: 9 },
      update: { count: 4, pods: 1 },
      targets: [8, 4],
      becomes: [0, 8, 3],
    },
    {
      name: 'stay instead of no pods that there are',
      stable: { count: 8, pods: 9 },
      update: { count: 3, pods: 2 },
      targets: [10, 3],
      becomes: [0, 9, 2],
    },
    {
      name: 'go as decided where they are not wanted',
      stable: { count: 7, pods: 9 },
      update: { count: 4, pods: 1 },
      targets: [7, 4],
      becomes: [0, 7, 4],
    },
    {
      name: 'stay, and others go before them',
      between: 1,
      stable: { count: 0, pods: 1 },
      update: { count: 1, pods: 0 },
      targets: [1, 1],
      object: { replicas: 1, ...surge },
      becomes: [0, 1, 1],
    },
  ])('$name', ({ between = 0, stable, update, targets, object = surge, becomes }) => {
    expect(nextOf(between, stable, update, targets, object)).toEqual(becomes);
  });

  it('stay within the surge of the spec, where changes in place need less', () => {
    const rollout = attempt({
      object: { maxSurge: 1, maxUnavailable: 1 },
      stable: [9, 7],
      update: [2, 2],
      rejected: {},
    });
    const [stable, update] = rollout.revisions as [Revision, Revision];
    const revisions = [{ ...stable, desired: 8 }, update] as const;
    const inPlace = { ...rollout, limits: { ...rollout.limits, maxSurge: 0 }, revisions };
    const { sizes } = hold(inPlace, new Map([[revisions[0], 10]]));
    expect(revisions.map((each) => sizes.get(each))).toEqual([9, 2]);
  });
});

it('defers a step while more pods are about to become available', () => {
  const justReady = (pod: Pod, index: number): Pod => {
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: secondsAgo(1) }];
    return index < 2 ? { ...pod, status: { phase: 'Running', conditions } } : pod;
  };
  const quarter = { replicas: 40, maxSurge: 10, maxUnavailable: 10 };
  const rollout = attempt({
    object: quarter,
    stable: [30, 30],
    update: [20, 2],
    pods: (ours, theirs) => [...theirs, ...ours.map(justReady)],
  });
  const [first, second] = rollout.revisions as [Revision, Revision];
  const targets = new Map([
    [first, 20],
    [second, 20],
  ]);
  const { sizes, waitUntil } = hold(rollout, targets);
  expect(waitUntil).toBe(NOW + 1_000);
  expect(sizes.get(first)).toBe(30);
});

it('takes a step at once where the pods that are still to come would not make it a large one', () => {
  const quarter = { replicas: 40, maxSurge: 10, maxUnavailable: 10 };
  const rollout = attempt({
    object: quarter,
    stable: [30, 30],
    update: [4, 2],
    pods: (ours, theirs) => {
      const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: secondsAgo(1) }];
      const [one, other, ...starting] = ours.map((pod) => ({ ...pod, status: { phase: 'Running', conditions } }));
      return [
        ...theirs,
        one as Pod,
        other as Pod,
        ...starting.map((pod) => ({ ...pod, status: { phase: 'Pending' } })),
      ];
    },
  });
  const [first, second] = rollout.revisions as [Revision, Revision];
  const targets = new Map([
    [first, 20],
    [second, 20],
  ]);
  const { sizes, waitUntil } = hold(rollout, targets);
  expect(waitUntil).toBeUndefined();
  expect(sizes.get(first)).toBe(28);
});

describe('away from a rejected revision', () => {
  const rejected = {};

  it.each<{ name: string; object: object; stable: Pair; update: Pair; becomes: Pair }>([
    { name: 'the replacement comes first', object: surge, stable: [9, 9], update: [1, 1], becomes: [10, 1] },
    { name: 'it goes when that is available', object: surge, stable: [10, 10], update: [1, 1], becomes: [10, 0] },
    { name: 'and not before', object: surge, stable: [10, 9], update: [1, 1], becomes: [10, 1] },
    { name: 'an unavailable pod goes at once', object: missing, stable: [9, 9], update: [1, 0], becomes: [10, 0] },
    { name: 'unless too few would be left', object: surge, stable: [9, 9], update: [1, 0], becomes: [10, 1] },
  ])('$name', ({ object, stable, update, becomes }) => {
    expect(next({ object, stable, update, rejected }, [10, 0])).toEqual(becomes);
  });
});

describe('where it stands', () => {
  /** The counts of the stable revision and of the update; `base` takes what is left. */
  const stands = (options: AttemptOptions, { base, count = 1 }: { base?: 'stable' | 'update'; count?: number }) => {
    const rollout = attempt(options);
    const [first, second] = rollout.revisions as [Revision, Revision];
    const taker = base && (base === 'stable' ? first : second);
    const sizes = whereItStands(rollout, { base: taker, count });
    return [sizes.get(first), sizes.get(second)];
  };
  const replicas = (count: number): Pick<AttemptOptions, 'object'> => ({ object: { replicas: count } });

  it.each<{ name: string; options: AttemptOptions; of: Parameters<typeof stands>[1]; is: unknown }>([
    { name: 'nothing moves', options: {}, of: { base: 'stable' }, is: [9, 1] },
    { name: 'the stable revision grows with the replicas', options: replicas(20), of: { base: 'stable' }, is: [19, 1] },
    { name: 'and shrinks with them', options: replicas(4), of: { base: 'stable' }, is: [3, 1] },
    { name: 'the update has no more than its step', options: { update: [5, 5] }, of: { base: 'stable' }, is: [9, 1] },
    { name: 'nor more than it has', options: { update: [1, 1] }, of: { base: 'stable', count: 5 }, is: [9, 1] },
    { name: 'at zero replicas there are none', options: replicas(0), of: { base: 'stable' }, is: [0, 0] },
    {
      name: 'the pod of a single replica stays beside its canary',
      options: { ...replicas(1), stable: [1, 1] },
      of: { base: 'stable' },
      is: [1, 1],
    },
    {
      name: 'without a base nothing grows',
      options: replicas(20),
      of: { count: 5 },
      is: [9, 1],
    },
    {
      name: 'a rejected revision leaves first when there are fewer',
      options: { ...replicas(5), stable: [4, 4], update: [3, 3], rejected: {} },
      of: { base: 'stable' },
      is: [4, 1],
    },
    {
      name: 'beside a rejected revision the stable one grows by what is missing',
      options: { ...replicas(20), stable: [4, 4], update: [3, 3], rejected: {} },
      of: { base: 'stable' },
      is: [17, 3],
    },
    {
      name: 'the canary of a single replica brings no pod back that is gone',
      options: { ...replicas(1), stable: [0, 0] },
      of: { base: 'stable' },
      is: [0, 1],
    },
    {
      name: 'one pod stays beside the canary of a single replica',
      options: { ...replicas(1), stable: [2, 2] },
      of: { base: 'stable' },
      is: [1, 1],
    },
  ])('$name', ({ options, of, is }) => {
    expect(stands(options, of)).toEqual(is);
  });

  it.each<{ name: string; object: object; stable: Pair; update: Pair; between: number; is: readonly number[] }>([
    { name: 'keeps its share', object: surge, stable: [9, 9], update: [1, 1], between: 1, is: [1, 9, 1] },
    { name: 'without a surge gives room', object: missing, stable: [9, 9], update: [1, 1], between: 1, is: [1, 8, 1] },
    { name: 'gets no pods that it lacks', object: surge, stable: [7, 7], update: [1, 1], between: 2, is: [2, 7, 1] },
  ])('beside a revision on its way out the stable one $name', ({ object, stable, update, between, is }) => {
    const rollout = attempt({ object, stable, update });
    const [first, second] = rollout.revisions as [Revision, Revision];
    const extra = { ...first, name: 'web-between', desired: between, available: between };
    const sizes = whereItStands({ ...rollout, revisions: [first, extra, second] }, { base: first, count: 1 });
    expect([extra, first, second].map((each) => sizes.get(each))).toEqual(is);
  });

  it.each<{ name: string; options: AttemptOptions; between: number; is: readonly number[] }>([
    { name: 'the older one has less', options: { ...replicas(5), update: [3, 3] }, between: 4, is: [2, 2, 3] },
    {
      name: 'a rejected one leaves before it',
      options: { ...replicas(5), stable: [4, 4], update: [3, 3], rejected: {} },
      between: 1,
      is: [1, 4, 0],
    },
    {
      name: 'the stable one keeps the room that there is beside them',
      options: { stable: [9, 9], update: [0, 0], rejected: {} },
      between: 3,
      is: [3, 9, 0],
    },
  ])('where another revision is on its way out, $name', ({ options, between, is }) => {
    const rollout = attempt(options);
    const [first, second] = rollout.revisions as [Revision, Revision];
    const extra = { ...first, name: 'web-between', desired: between, available: between };
    const count = options.rejected ? 1 : 5;
    const sizes = whereItStands({ ...rollout, revisions: [first, extra, second] }, { base: first, count });
    expect([extra, first, second].map((each) => sizes.get(each))).toEqual(is);
  });
});
