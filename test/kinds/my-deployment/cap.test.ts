import { describe, expect, it } from '@jest/globals';
import { capped } from '../../../src/kinds/my-deployment/plan/cap.ts';
import type { Revision } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import type { StepRecord } from '../../../src/policy/attempt.ts';
import { type AttemptOptions, attempt } from './attempt-fixture.ts';

type Pair = readonly [number, number];

/** The counts of the stable revision and of the update, after scaling by share would have given them these. */
function cappedTo(options: AttemptOptions, [stable, update]: Pair): unknown {
  const rollout = attempt(options);
  const [first, second] = rollout.revisions as [Revision, Revision];
  const sizes = capped(
    rollout,
    new Map([
      [first, stable],
      [second, update],
    ]),
  );
  return [sizes.get(first), sizes.get(second)];
}

const paused = (replicas = 10, of = 10): Pick<AttemptOptions, 'object' | 'annotations'> => ({
  object: { replicas, paused: true },
  ...(of !== replicas && { annotations: { 'mydeployment.kubebuilder.zq.com/desired-replicas': String(of) } }),
});
const rejected = { rejected: {} };
const recreate = { strategy: { type: 'Recreate' as const } };
const rest = { record: { step: 3 } };
const withoutPods: AttemptOptions['pods'] = (_, stable) => stable;

describe('shares are bound by what a policy decided', () => {
  it.each<{ name: string; options: AttemptOptions; shares: Pair; becomes: Pair }>([
    { name: 'those of a rollout that goes on are not', options: {}, shares: [12, 8], becomes: [12, 8] },
    {
      name: 'a paused update has no more than its step when it is scaled',
      options: paused(20),
      shares: [12, 8],
      becomes: [19, 1],
    },
    {
      name: 'what it has beyond its step stays while nothing is scaled',
      options: { ...paused(), stable: [5, 5], update: [5, 5] },
      shares: [5, 5],
      becomes: [5, 5],
    },
    {
      name: 'but does not grow',
      options: { ...paused(), stable: [5, 5], update: [5, 5] },
      shares: [4, 6],
      becomes: [5, 5],
    },
    { name: 'fewer pods than the step has are no matter', options: paused(), shares: [10, 0], becomes: [10, 0] },
    {
      name: 'the rest of a paused rollout is scaled by share',
      options: { ...paused(20), ...rest },
      shares: [12, 8],
      becomes: [12, 8],
    },
    {
      name: 'a paused update does not grow in steps that have changed meanwhile',
      options: { ...paused(20), record: { steps: 'former' }, stable: [5, 5], update: [5, 5] },
      shares: [10, 10],
      becomes: [15, 5],
    },
    {
      name: 'nor without steps',
      options: { ...paused(20), record: { steps: 'former' }, spec: { steps: [] }, stable: [5, 5], update: [5, 5] },
      shares: [10, 10],
      becomes: [15, 5],
    },
    {
      name: 'and it may shrink there',
      options: { ...paused(4), record: { steps: 'former' }, stable: [5, 5], update: [5, 5] },
      shares: [2, 2],
      becomes: [2, 2],
    },
    {
      name: 'but while nothing is scaled nothing moves there',
      options: {
        ...paused(),
        record: { steps: 'former' },
        spec: { steps: [{ replicas: 1 }, { replicas: 2 }] },
        stable: [5, 5],
        update: [5, 2],
      },
      shares: [5, 5],
      becomes: [5, 5],
    },
    { name: 'a rejected revision does not grow', options: rejected, shares: [12, 8], becomes: [19, 1] },
    { name: 'a rejected revision may shrink', options: rejected, shares: [10, 0], becomes: [10, 0] },
    {
      name: 'under Recreate nothing takes the place of pods that have not ended',
      options: { ...rejected, object: recreate, spec: { steps: [] } },
      shares: [12, 8],
      becomes: [12, 1],
    },
    {
      name: 'under Recreate the stable revision grows once no other pod is left',
      options: { ...rejected, object: recreate, spec: { steps: [] }, pods: withoutPods },
      shares: [12, 8],
      becomes: [20, 0],
    },
  ])('$name', ({ options, shares, becomes }) => {
    expect(cappedTo(options, shares)).toEqual(becomes);
  });

  it('an attempt that was taken back does not grow, even while paused', () => {
    const { revisions, update, ...rollout } = attempt(paused(20));
    const [stable, abandoned] = revisions as [Revision, Revision];
    const back = { ...rollout, revisions, update: stable };
    const sizes = capped(
      back,
      new Map([
        [stable, 12],
        [abandoned, 8],
      ]),
    );
    expect([sizes.get(stable), sizes.get(abandoned)]).toEqual([20 - (update as Revision).desired, 1]);
  });

  it.each<{ name: string; isMarked: boolean }>([
    { name: 'that is marked', isMarked: true },
    { name: 'whose own attempt was left before it was complete', isMarked: false },
  ])(
    'an attempt that another template is about to replace does not grow, but a stable revision $name',
    ({ isMarked }) => {
      const { revisions, course, ...rollout } = attempt({ object: { replicas: 20 } });
      const [first, abandoned] = revisions as [Revision, Revision];
      const step = { ...(abandoned.attempt.step as StepRecord), number: first.number };
      const stable = isMarked ? first : { ...first, attempt: { ...first.attempt, completed: undefined, step } };
      const replaced = {
        ...rollout,
        revisions: [stable, abandoned],
        update: undefined,
        course: { ...course, number: 3 },
      };
      const sizes = capped(
        replaced,
        new Map([
          [stable, 12],
          [abandoned, 8],
        ]),
      );
      expect([sizes.get(stable), sizes.get(abandoned)]).toEqual([19, 1]);
    },
  );

  it('what an abandoned revision may not have goes to the update, where no step bounds that', () => {
    const { revisions, ...rollout } = attempt(rest);
    const [stable, update] = revisions as [Revision, Revision];
    const abandoned = { ...update, name: 'web-abandoned' };
    const sizes = capped(
      { ...rollout, revisions: [stable, abandoned, update] },
      new Map([
        [stable, 9],
        [abandoned, 5],
        [update, 6],
      ]),
    );
    expect([stable, abandoned, update].map((each) => sizes.get(each))).toEqual([9, 1, 10]);
  });

  it('a stable revision that cannot be read takes nothing', () => {
    const { revisions, ...rollout } = attempt(rejected);
    const [first, update] = revisions as [Revision, Revision];
    const stable = { ...first, template: undefined };
    const sizes = capped(
      { ...rollout, revisions: [stable, update] },
      new Map([
        [stable, 12],
        [update, 8],
      ]),
    );
    expect([sizes.get(stable), sizes.get(update)]).toEqual([12, 1]);
  });

  it('while a paused template has no revision, the step of the newest revision holds', () => {
    const rollout = { ...attempt({ ...paused(20), stable: [5, 5], update: [5, 5] }), update: undefined };
    const [stable, newest] = rollout.revisions as [Revision, Revision];
    const sizes = capped(
      rollout,
      new Map([
        [stable, 10],
        [newest, 10],
      ]),
    );
    expect([sizes.get(stable), sizes.get(newest)]).toEqual([19, 1]);
  });

  it('and by nothing without a policy', () => {
    const { course: _, ...rollout } = attempt(rejected);
    const sizes = new Map(rollout.revisions.map((each) => [each, 7]));
    expect(capped({ ...rollout, course: { policy: undefined } }, sizes)).toBe(sizes);
  });
});
