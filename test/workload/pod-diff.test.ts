import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Action } from '../../src/workload/action.ts';
import type { Pod } from '../../src/workload/pod.ts';
import { BURST, type InPlace, type PodGroup, podDiff } from '../../src/workload/pod-diff.ts';

const source = { hash: 'h', template: { spec: { containers: [] } }, selector: {} };

function group(revision: string, active: number, desired: number, known = true): PodGroup {
  const pods = Array.from({ length: active }, (_, index) => ({
    metadata: { name: `${revision}-${index}`, uid: `${revision}-${index}`, resourceVersion: '1' },
  }));
  return { revision, source: known ? source : undefined, active: pods, desired };
}

function diff(groups: readonly PodGroup[], maxTotalPods: number, terminating = 0): Action[] {
  return podDiff(groups, { maxTotalPods, terminating, minAvailable: 0, siblings: [], minReadySeconds: 0, now: 0 });
}

/** Deletes and creates by revision. */
function counts(actions: readonly Action[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const action of actions) {
    if (action.do === 'createPods') totals[action.revision] = (totals[action.revision] ?? 0) + action.count;
    if (action.do === 'deletePod') totals[action.revision] = (totals[action.revision] ?? 0) - 1;
  }
  return totals;
}

describe('the pods of a plan', () => {
  it.each([
    { name: 'nothing to do', groups: [group('new', 3, 3)], maxTotalPods: 4, changes: {} },
    { name: 'from zero', groups: [group('new', 0, 3)], maxTotalPods: 3, changes: { new: 3 } },
    { name: 'to zero', groups: [group('new', 3, 0)], maxTotalPods: 0, changes: { new: -3 } },
    { name: 'one died', groups: [group('new', 2, 3)], maxTotalPods: 3, changes: { new: 1 } },
    {
      name: 'an old one died: it comes back from its own revision',
      groups: [group('old', 7, 8), group('new', 5, 5)],
      maxTotalPods: 13,
      changes: { old: 1 },
    },
    {
      name: 'a step of a rollout: room for new ones is counted before old ones are gone',
      groups: [group('old', 10, 8), group('new', 0, 5)],
      maxTotalPods: 13,
      changes: { old: -2, new: 3 },
    },
    {
      name: 'the rest of that step, once they are gone',
      groups: [group('old', 8, 8), group('new', 3, 5)],
      maxTotalPods: 13,
      changes: { new: 2 },
    },
    {
      name: 'no surge: old ones go first',
      groups: [group('old', 10, 8), group('new', 0, 2)],
      maxTotalPods: 10,
      changes: { old: -2 },
    },
    {
      name: 'room goes to the older revision first',
      groups: [group('old', 3, 5), group('middle', 3, 0), group('new', 0, 3)],
      maxTotalPods: 8,
      changes: { old: 2, middle: -3 },
    },
    {
      name: 'counts above a maxTotalPods that was lowered: what dies still comes back',
      groups: [group('old', 7, 8), group('new', 5, 5)],
      maxTotalPods: 10,
      changes: { old: 1 },
    },
    {
      name: 'pods of an unknown template only become fewer',
      groups: [group('lost', 3, 5, false), group('new', 1, 2)],
      maxTotalPods: 9,
      changes: { new: 1 },
    },
    {
      name: 'pods of an unknown template take up room',
      groups: [group('lost', 1, 1, false), group('new', 0, 1)],
      maxTotalPods: 1,
      changes: {},
    },
    { name: 'no more than a burst', groups: [group('new', 0, 1000)], maxTotalPods: 1250, changes: { new: BURST } },
    { name: 'no more than a burst away', groups: [group('new', 1000, 0)], maxTotalPods: 0, changes: { new: -BURST } },
  ])('$name', ({ groups, maxTotalPods, changes }) => {
    expect(counts(diff(groups, maxTotalPods))).toEqual(changes);
  });

  it.each([
    { name: 'there is room beside them', active: 3, desired: 5, terminating: 1, changes: { new: 1 } },
    { name: 'they take all the room', active: 3, desired: 5, terminating: 2, changes: {} },
    { name: 'there are more than there is room for', active: 3, desired: 5, terminating: 9, changes: {} },
    { name: 'what goes does not wait', active: 3, desired: 1, terminating: 9, changes: { new: -2 } },
  ])('terminating pods that count: $name', ({ active, desired, terminating, changes }) => {
    expect(counts(diff([group('new', active, desired)], 5, terminating))).toEqual(changes);
  });

  it.each([
    { replicas: 30, bursts: [30] },
    { replicas: BURST, bursts: [BURST] },
    { replicas: 2.5 * BURST, bursts: [BURST, BURST, 0.5 * BURST] },
  ])('replica_set_test.go TestControllerBurstReplicas: $replicas come and go in $bursts', ({ replicas, bursts }) => {
    let active = 0;
    for (const burst of bursts) {
      expect(counts(diff([group('new', active, replicas)], replicas))).toEqual({ new: burst });
      active += burst;
    }
    for (const burst of bursts) {
      expect(counts(diff([group('new', active, 0)], 0))).toEqual({ new: -burst });
      active -= burst;
    }
    expect(active).toBe(0);
  });

  it('has room for all where nothing is said of pods that terminate', () => {
    const context = { maxTotalPods: 3, minAvailable: 0, siblings: [], minReadySeconds: 0, now: 0 };
    expect(counts(podDiff([group('new', 0, 3)], context))).toEqual({ new: 3 });
  });

  it('says what to make and why something goes', () => {
    expect(diff([group('old', 1, 0), group('new', 0, 1)], 2)).toEqual([
      {
        do: 'deletePod',
        name: 'old-0',
        uid: 'old-0',
        revision: 'old',
        because: 'revision old has 1 pods and needs 0',
      },
      { do: 'createPods', revision: 'new', source, count: 1 },
    ]);
  });

  it.each([
    { name: 'too few serve: the one that serves nobody goes if that is still so', minAvailable: 3, guarded: ['old-2'] },
    { name: 'enough serve: it goes in any case', minAvailable: 2, guarded: [] },
  ])('$name', ({ minAvailable, guarded }) => {
    const { active, ...old } = group('old', 3, 2);
    const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    const pods = active.map((pod, index) => (index < 2 ? { ...pod, status: ready } : pod));
    const actions = podDiff([{ ...old, active: pods }], {
      ...{ maxTotalPods: 4, minAvailable, minReadySeconds: 0, now: 0 },
      siblings: [],
    });
    expect(counts(actions)).toEqual({ old: -1 });
    expect(actions.flatMap((action) => ('resourceVersion' in action && 'name' in action ? [action.name] : []))).toEqual(
      guarded,
    );
  });

  it('when one that serves has to go as well and too few are left, only the other is guarded', () => {
    const { active, ...old } = group('old', 3, 1);
    const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    const pods = active.map((pod, index) => (index < 2 ? { ...pod, status: ready } : pod));
    const actions = podDiff([{ ...old, active: pods }], {
      ...{ maxTotalPods: 4, minAvailable: 2, minReadySeconds: 0, now: 0 },
      siblings: [],
    });
    expect(actions).toMatchObject([{ name: 'old-2', resourceVersion: '1' }, { name: 'old-0' }]);
    expect(actions[1]).not.toHaveProperty('resourceVersion');
  });

  it('never exceeds the maxTotalPods, even if every create comes before any delete', () => {
    const groups = fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 4 });
    fc.assert(
      fc.property(groups, fc.nat(40), (sizes, maxTotalPods) => {
        const all = sizes.map(([active, desired], index) => group(`r${index}`, active, desired));
        const active = sizes.reduce((sum, [count]) => sum + count, 0);
        const desired = sizes.reduce((sum, [, count]) => sum + count, 0);
        const creates = diff(all, maxTotalPods).reduce(
          (sum, action) => sum + (action.do === 'createPods' ? action.count : 0),
          0,
        );
        if (creates > 0) expect(active + creates).toBeLessThanOrEqual(Math.max(maxTotalPods, desired));
      }),
    );
  });

  describe('that can change in place', () => {
    const patches = [{ body: {} }];
    const due = { is: 'due', patches, what: 'moves' } as const;
    const impossible = { is: 'impossible', because: 'it is old' } as const;
    const diffInPlace = (groups: readonly PodGroup[], inPlace: InPlace) =>
      podDiff(groups, { ...{ maxTotalPods: 12, minAvailable: 0, siblings: [], minReadySeconds: 0, now: 0 }, inPlace });

    it('pairs a surplus pod with one that another revision lacks, and creates the others', () => {
      const actions = diffInPlace([group('old', 5, 2), group('new', 5, 7)], {
        change: () => due,
        finish: () => undefined,
      });
      expect(actions.filter((action) => action.do === 'updatePod')).toHaveLength(2);
      expect(actions[0]).toEqual({
        ...{ do: 'updatePod', name: 'old-0', uid: 'old-0', resourceVersion: '1', revision: 'new', patches },
        because: 'moves',
      });
      expect(counts(actions)).toEqual({ old: -1 });
    });

    it('keeps the place of a pod that waits, and replaces one that cannot change', () => {
      const change = ({ metadata: { name } }: Pod) => (name === 'old-0' ? ({ is: 'waiting' } as const) : impossible);
      const actions = diffInPlace([group('old', 2, 0), group('new', 0, 2)], { change, finish: () => undefined });
      expect(counts(actions)).toEqual({ old: -1, new: 1 });
      expect(actions[0]).toMatchObject({ do: 'deletePod', name: 'old-1', notInPlace: 'it is old' });
    });

    it('takes a pod that is changed for one of the group that it goes to, the first that lacks some', () => {
      const groups = [group('old', 1, 0), group('lost', 0, 2, false), group('first', 0, 3), group('second', 0, 2)];
      const actions = diffInPlace(groups, { change: () => due, finish: () => undefined });
      expect(actions).toMatchObject([
        { do: 'updatePod', name: 'old-0', revision: 'first' },
        { do: 'createPods', revision: 'first', count: 2 },
        { do: 'createPods', revision: 'second', count: 2 },
      ]);
    });

    it('goes on with the next pod where one cannot change', () => {
      const change = ({ metadata: { name } }: Pod) => (name === 'old-0' ? impossible : due);
      const actions = diffInPlace([group('old', 2, 0), group('new', 0, 1)], { change, finish: () => undefined });
      expect(actions).toMatchObject([
        { do: 'deletePod', name: 'old-0', notInPlace: 'it is old' },
        { do: 'updatePod', name: 'old-1', revision: 'new' },
      ]);
    });

    it('finishes pods that stay, and replaces those for which that is impossible', () => {
      const finish = ({ metadata: { name } }: Pod) => ({ 'new-0': due, 'new-1': impossible })[name];
      const actions = diffInPlace([group('new', 3, 3)], { change: () => due, finish });
      expect(actions).toMatchObject([
        { do: 'updatePod', name: 'new-0', revision: 'new' },
        { do: 'deletePod', name: 'new-1', resourceVersion: '1', notInPlace: 'it is old' },
      ]);
    });
  });
});
