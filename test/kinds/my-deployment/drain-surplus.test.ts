// Which pods drains are held up by, and which revision gets the surplus pods for them.

import { describe, expect, it } from '@jest/globals';
import { drainCondition, heldPods, withDrainSurplus } from '../../../src/kinds/my-deployment/plan/drain.ts';
import { TAKES_PODS_FROM } from '../../../src/kinds/my-deployment/plan/hand-over.ts';
import type { Revision, Rollout } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import type { DisruptionBudget } from '../../../src/workload/disruption-budget.ts';
import type { Node } from '../../../src/workload/node.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { type AttemptOptions, attempt, STEPS } from './attempt-fixture.ts';
import { secondsAgo } from './fixture.ts';

type Pair = readonly [number, number];

const cordoned: Node = { metadata: { name: 'node', uid: 'n', resourceVersion: '1' }, spec: { unschedulable: true } };
const budget: DisruptionBudget = {
  metadata: { name: 'web', namespace: 'default', uid: 'b', resourceVersion: '1' },
  spec: { selector: { matchLabels: { app: 'web' } } },
  status: { desiredHealthy: 10 },
};

const neighbour = (labels: Readonly<Record<string, string>>, more: object = {}): Pod => ({
  metadata: { name: 'other', namespace: 'default', uid: 'other', resourceVersion: '1', labels, ...more },
});

/** 10 replicas with at most 13 pods, all on a cordoned node under a budget that allows no disruption. */
function drained(options: AttemptOptions = {}, more: Partial<Rollout> = {}): Rollout {
  const spec = { ...STEPS, pods: { surgeOnDrain: true }, ...options.spec };
  return { ...attempt({ ...options, spec }), nodes: [cordoned], budgets: [budget], ...more };
}

const sizesOf = ({ revisions: [stable, update] }: Rollout, [first, second]: Pair): Map<Revision, number> =>
  new Map([
    [stable as Revision, first],
    [update as Revision, second],
  ]);

describe('pods that no drain can evict', () => {
  const [web, api] = [neighbour({ app: 'web' }), neighbour({ app: 'api' })];
  const leaving = neighbour({ app: 'web' }, { deletionTimestamp: secondsAgo(5) });

  it.each<{ name: string; rollout: Rollout; count: number }>([
    { name: 'on a cordoned node', rollout: drained(), count: 10 },
    { name: 'not without a policy about drains', rollout: drained({ spec: { pods: {} } }), count: 0 },
    {
      name: 'not during a hand-over',
      rollout: drained({ object: { metadata: { annotations: { [TAKES_PODS_FROM]: 'web-1' } } } }),
      count: 0,
    },
    { name: 'not on other nodes', rollout: drained({}, { nodes: [{ ...cordoned, spec: {} }] }), count: 0 },
    {
      name: 'not without a node',
      rollout: drained({ pods: (ours, theirs) => [...theirs, ...ours].map(({ spec: _, ...pod }) => pod) }),
      count: 0,
    },
    { name: 'not without a budget', rollout: drained({}, { budgets: [] }), count: 0 },
    {
      name: 'not under a budget without a selector',
      rollout: drained({}, { budgets: [{ ...budget, spec: {} }] }),
      count: 0,
    },
    {
      name: 'not under a budget that is not counted yet',
      rollout: drained({}, { budgets: [{ ...budget, status: {} }] }),
      count: 0,
    },
    {
      name: 'not under a budget about other pods',
      rollout: drained({}, { budgets: [{ ...budget, spec: { selector: { matchLabels: { app: 'api' } } } }] }),
      count: 0,
    },
    { name: 'not where another pod gives the budget room', rollout: drained({}, { neighbours: [web] }), count: 0 },
    { name: 'where that pod is about to go', rollout: drained({}, { neighbours: [leaving] }), count: 10 },
    { name: 'where that pod is under no budget', rollout: drained({}, { neighbours: [api] }), count: 10 },
  ])('$name', ({ rollout, count }) => {
    expect(heldPods(rollout)).toHaveLength(count);
  });

  it('do not give room to themselves', () => {
    const rollout = drained();
    expect(heldPods({ ...rollout, neighbours: rollout.pods.owned })).toHaveLength(10);
  });
});

describe('surplus pods', () => {
  const surplusIn = (rollout: Rollout, sizes: Pair, targets?: Pair, goesBack = false): unknown[] => {
    const [stable, update] = rollout.revisions as [Revision, Revision];
    const next = withDrainSurplus(rollout, sizesOf(rollout, sizes), {
      targets: targets && sizesOf(rollout, targets),
      ...(goesBack && { goesBackTo: update }),
    });
    return [next.get(stable), next.get(update)];
  };
  const lost = ({ revisions: [stable, update], ...rollout }: Rollout): Rollout => {
    const unreadable = { ...(update as Revision), template: undefined };
    return { ...rollout, revisions: [stable as Revision, unreadable], update: unreadable };
  };

  it.each<{ name: string; rollout?: Rollout; sizes: Pair; targets?: Pair; goesBack?: boolean; becomes: Pair }>([
    { name: 'are of the update when it is complete', sizes: [0, 10], becomes: [0, 13] },
    { name: 'wait while old pods are left', sizes: [1, 9], becomes: [1, 9] },
    { name: 'are none where there are enough pods', sizes: [0, 13], becomes: [0, 13] },
    { name: 'take no pod away', sizes: [0, 15], becomes: [0, 15] },
    { name: 'are of the stable revision in a step', sizes: [9, 1], targets: [9, 1], becomes: [12, 1] },
    { name: 'wait while the step is not reached', sizes: [10, 0], targets: [9, 1], becomes: [10, 0] },
    { name: 'are of the revision that comes back', sizes: [0, 10], targets: [0, 10], goesBack: true, becomes: [0, 13] },
    {
      name: 'are never of a rejected revision',
      rollout: drained({ rejected: {} }),
      sizes: [0, 10],
      becomes: [0, 10],
    },
    { name: 'are never of a revision without a template', rollout: lost(drained()), sizes: [0, 10], becomes: [0, 10] },
    { name: 'are none without a drain', rollout: drained({}, { nodes: [] }), sizes: [0, 10], becomes: [0, 10] },
  ])('$name', ({ rollout = drained(), sizes, targets, goesBack, becomes }) => {
    expect(surplusIn(rollout, sizes, targets, goesBack)).toEqual(becomes);
  });

  it('leave the sizes as they are, when there are none', () => {
    const rollout = drained();
    const sizes = sizesOf(rollout, [0, 13]);
    expect(withDrainSurplus(rollout, sizes, { targets: undefined })).toBe(sizes);
  });

  it.each<{ name: string; stable: Pair; update: Pair; sizes: Pair; becomes: Pair }>([
    { name: 'which is older', stable: [10, 10], update: [0, 0], sizes: [10, 0], becomes: [13, 0] },
    { name: 'also where that is one pod', stable: [9, 9], update: [1, 1], sizes: [0, 10], becomes: [0, 13] },
  ])(
    'are of the newest revision with pods while the template has none: $name',
    ({ stable, update, sizes, becomes }) => {
      expect(surplusIn({ ...drained({ stable, update }), update: undefined }, sizes)).toEqual(becomes);
    },
  );
});

describe('the status of a drain', () => {
  it.each<{ name: string; rollout: Rollout; sizes: Pair; says: string | undefined }>([
    { name: 'while there are surplus pods', rollout: drained(), sizes: [0, 11], says: 'SurgingOnDrain' },
    { name: 'not without surplus', rollout: drained(), sizes: [0, 10], says: undefined },
    { name: 'not with fewer pods', rollout: drained(), sizes: [0, 9], says: undefined },
    { name: 'not without a drain', rollout: drained({}, { nodes: [] }), sizes: [0, 11], says: undefined },
    {
      name: 'for a single pod',
      rollout: drained({ stable: [0, 0], update: [1, 1] }),
      sizes: [0, 11],
      says: 'SurgingOnDrain',
    },
  ])('$name', ({ rollout, sizes, says }) => {
    expect(drainCondition(rollout, sizesOf(rollout, sizes))?.reason).toBe(says);
  });
});
