import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type ChangeLog,
  closed,
  EMPTY_LOG,
  type EventType,
  type Observation,
  reconciled,
  record,
  totalOf,
} from '../../../src/kinds/collector/change-log.ts';
import { changed, podGoing, seen } from './fixture.ts';

const entered = (...observations: Observation[]): ChangeLog => observations.reduce(record, EMPTY_LOG);

/** `words state total` of every change, the newest first. */
function summary({ changes }: ChangeLog): string[] {
  return changes.map(
    ({ words, deletedPods, state, events }) => `${words ?? `${deletedPods.size} pods`} ${state} ${totalOf(events)}`,
  );
}

describe('what is seen of a target', () => {
  it.each<{ name: string; observations: Observation[]; changes: string[]; total: number }>([
    {
      name: 'belongs to nothing while nothing is going on',
      observations: [seen(0, 'Pod'), seen(1, 'Deployment')],
      changes: [],
      total: 2,
    },
    {
      name: 'belongs to the change that was before it',
      observations: [changed(0, '3 → 1', 2), seen(0, 'ReplicaSet'), seen(1, 'Pod', 'deleted')],
      changes: ['3 → 1 Open 3'],
      total: 3,
    },
    {
      name: 'belongs to the newer change when there are two',
      observations: [changed(0, 'a', 2), seen(0, 'Pod'), changed(1, 'b', 3), seen(1, 'Pod'), seen(1, 'Pod')],
      changes: ['b Open 3', 'a Overtaken 2'],
      total: 5,
    },
    {
      name: 'is a change when a pod is deleted while nothing is going on',
      observations: [podGoing(0, 'p1'), seen(0, 'ReplicaSet'), podGoing(1, 'p1', 'deleted')],
      changes: ['1 pods Open 3'],
      total: 3,
    },
    {
      name: 'is one change when several pods are deleted together',
      observations: [podGoing(0, 'p1'), podGoing(0, 'p2'), podGoing(1, 'p1', 'deleted'), podGoing(1, 'p2', 'deleted')],
      changes: ['2 pods Open 4'],
      total: 4,
    },
    {
      name: 'is no change of its own when a controller deletes pods',
      observations: [changed(0, '3 → 1', 2), podGoing(0, 'p1'), podGoing(0, 'p2')],
      changes: ['3 → 1 Open 3'],
      total: 3,
    },
    {
      name: 'belongs to the change that is seen a moment later when a controller was quick to delete pods',
      observations: [podGoing(0, 'p1'), podGoing(0, 'p2'), changed(1, '3 → 1', 2), seen(1, 'Pod', 'deleted')],
      changes: ['3 → 1 Open 4'],
      total: 4,
    },
    {
      name: 'does not belong to a change that comes later than that',
      observations: [podGoing(0, 'p1'), changed(1.001, '3 → 1', 2)],
      changes: ['3 → 1 Open 1', '1 pods Overtaken 1'],
      total: 2,
    },
    {
      name: 'does not belong to the change of another target',
      observations: [changed(0, 'a', 2), changed(0, 'b', 5, 'api'), seen(1, 'Pod')],
      changes: ['b Open 1', 'a Open 2'],
      total: 3,
    },
  ])('$name', ({ observations, changes, total }) => {
    const changeLog = entered(...observations);
    expect(summary(changeLog)).toEqual(changes);
    expect(totalOf(changeLog.events)).toBe(total);
  });

  it('is counted by kind and by type, in all and for the change', () => {
    const changeLog = entered(
      seen(0, 'Pod', 'added'),
      changed(1, 'a', 2),
      seen(1, 'Pod', 'added'),
      seen(1, 'Pod', 'deleted'),
    );
    expect(changeLog.events).toEqual([
      { kind: 'Pod', added: 2, modified: 0, deleted: 1 },
      { kind: 'Deployment', added: 0, modified: 1, deleted: 0 },
    ]);
    expect(changeLog.changes[0]).toMatchObject({
      generation: 2,
      events: [
        { kind: 'Deployment', added: 0, modified: 1, deleted: 0 },
        { kind: 'Pod', added: 1, modified: 0, deleted: 1 },
      ],
    });
  });
});

describe('a reconcile', () => {
  it('counts once for everything that was seen since the last one, and for the changes that this belongs to', () => {
    const first = reconciled(entered(changed(0, 'a', 2), seen(0, 'Pod'), seen(0, 'Pod')));
    expect(first).toMatchObject({ reconciles: 1, changes: [{ reconciles: 1 }] });
    const second = reconciled(record(record(first, changed(1, 'b', 3, 'api')), seen(1, 'Pod')));
    expect(second).toMatchObject({ reconciles: 2, changes: [{ reconciles: 1 }, { reconciles: 2 }] });
    const third = reconciled(record(second, seen(2, 'Pod')));
    expect(third).toMatchObject({ reconciles: 3, changes: [{ reconciles: 1 }, { reconciles: 3 }] });
  });

  it('does not count for a change that another has overtaken', () => {
    const { changes } = reconciled(entered(changed(0, 'a', 2), changed(1, 'b', 3)));
    expect(changes).toMatchObject([
      { words: 'b', reconciles: 1 },
      { words: 'a', reconciles: 0 },
    ]);
  });

  it('does not count when nothing was seen', () => {
    const once = reconciled(entered(seen(0, 'Pod')));
    expect(reconciled(once)).toBe(once);
    expect(once.reconciles).toBe(1);
  });
});

describe('closing the books', () => {
  it('closes what is over, and keeps the newest changes only', () => {
    const changeLog = entered(changed(0, 'a', 2), changed(1, 'b', 3), changed(2, 'c', 9, 'api'), changed(3, 'd', 4));
    expect(summary(closed(changeLog, ({ target }) => target === 'web', 3))).toEqual([
      'd Closed 1',
      'c Open 1',
      'b Overtaken 1',
    ]);
  });
});

it('a pod that is deleted when the change before it is over is a change of its own', () => {
  const over = closed(entered(changed(0, 'a', 2)), () => true, 9);
  expect(summary(record(over, podGoing(9, 'p1')))).toEqual(['1 pods Open 1', 'a Closed 1']);
});

describe('whatever is seen', () => {
  const observations = fc.array(
    fc.record({
      target: fc.constantFrom('web', 'api'),
      kind: fc.constantFrom('Deployment', 'ReplicaSet', 'Pod'),
      type: fc.constantFrom<EventType>('added', 'modified', 'deleted'),
      at: fc.nat(),
      cause: fc.option(
        fc.oneof(
          fc.record({ by: fc.constant('spec' as const), change: fc.constant('x'), generation: fc.nat() }),
          fc.record({ by: fc.constant('podDeletion' as const), uid: fc.constantFrom('p', 'q') }),
        ),
        { nil: undefined },
      ),
    }) as fc.Arbitrary<Observation>,
  );

  it('is entered exactly once, in at most one change, and no target has two open changes', () => {
    fc.assert(
      fc.property(observations, (all) => {
        const changeLog = entered(...all);
        expect(totalOf(changeLog.events)).toBe(all.length);
        const inChanges = changeLog.changes.reduce((total, { events }) => total + totalOf(events), 0);
        const before = ['web', 'api'].reduce((count, name) => {
          const first = all.findIndex(({ target, cause }) => target === name && cause !== undefined);
          const outside = all.filter((each, index) => each.target === name && (first < 0 || index < first));
          return count + outside.length;
        }, 0);
        expect(inChanges).toBe(all.length - before);
        const open = changeLog.changes.filter(({ state }) => state === 'Open').map(({ target }) => target);
        expect(new Set(open).size).toBe(open.length);
      }),
    );
  });
});
