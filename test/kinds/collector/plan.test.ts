import { describe, expect, it } from '@jest/globals';
import { type ChangeLog, EMPTY_LOG, type Observation, record } from '../../../src/kinds/collector/change-log.ts';
import { plan } from '../../../src/kinds/collector/plan.ts';
import type { ObservedTarget } from '../../../src/kinds/collector/snapshot.ts';
import { changeLogFrom, statusUrgency } from '../../../src/kinds/collector/status.ts';
import type { CollectorStatus } from '../../../src/kinds/collector/types.gen.ts';
import type { StatusUrgency } from '../../../src/runtime/status-writer.ts';
import { changed, collector, NOW, podGoing, SECOND, seen } from './fixture.ts';

const atRest: readonly ObservedTarget[] = [{ name: 'web', settled: true }];
const busy: readonly ObservedTarget[] = [{ name: 'web', settled: false }];
const changeLogOf = (...observations: Observation[]): ChangeLog => observations.reduce(record, EMPTY_LOG);
const scaled = changeLogOf(changed(0, 'replicas 3 → 1', 2), seen(1, 'Pod', 'deleted'));

/** The state of the newest change, and in how many seconds to look again, `after` seconds after NOW. */
function look(
  after: number,
  targets: readonly ObservedTarget[],
  spec = {},
): { state: string | undefined; again: number | undefined } {
  const planned = plan({ object: collector(spec), changeLog: scaled, targets }, NOW + after * SECOND);
  const again = planned.checkAgainAt === undefined ? undefined : (planned.checkAgainAt - NOW) / SECOND;
  return { state: planned.status.changes?.[0]?.state, again };
}

describe('a change', () => {
  it.each<{
    name: string;
    after: number;
    targets: readonly ObservedTarget[];
    spec?: object;
    state: string;
    again?: number;
  }>([
    { name: 'is followed', after: 2, targets: atRest, state: 'Open', again: 6 },
    { name: 'is over when it has been quiet for long enough', after: 6, targets: atRest, state: 'Closed' },
    { name: 'is not over a moment before', after: 5.999, targets: atRest, state: 'Open', again: 6 },
    { name: 'is over sooner if so wished', after: 3, targets: atRest, spec: { quietSeconds: 2 }, state: 'Closed' },
    { name: 'is not over while its target is at work', after: 6, targets: busy, state: 'Open', again: 61 },
    { name: 'is over even then, after a long time', after: 61, targets: busy, state: 'Closed' },
    { name: 'is over when its target is gone and it is quiet', after: 6, targets: [], state: 'Closed' },
  ])('$name', ({ after, targets, spec, state, again }) => {
    expect(look(after, targets, spec)).toEqual({ state, again });
  });
});

it('looks again when the first of several changes can be over', () => {
  const changeLog = changeLogOf(changed(0, 'a', 2), changed(3, 'b', 5, 'api'));
  const planned = plan({ object: collector(), changeLog, targets: atRest }, NOW + 4 * SECOND);
  expect(planned.checkAgainAt).toBe(NOW + 5 * SECOND);
});

describe('the status', () => {
  it('tells what was seen, the newest change first', () => {
    const changeLog = changeLogOf(
      seen(0, 'Pod'),
      podGoing(1, 'p1'),
      podGoing(1, 'p2'),
      seen(2, 'Pod', 'deleted'),
      changed(9, 'x', 4),
    );
    const { status } = plan({ object: collector(), changeLog, targets: atRest }, NOW + 10 * SECOND);
    expect(status).toEqual({
      observedGeneration: 1,
      target: 'Deployment/web',
      targets: 1,
      total: 5,
      reconciles: 0,
      events: [
        { kind: 'Pod', added: 0, modified: 3, deleted: 1 },
        { kind: 'Deployment', added: 0, modified: 1, deleted: 0 },
      ],
      changes: [
        expect.objectContaining({ change: 'x', generation: 4, state: 'Open', total: 1 }),
        {
          target: 'web',
          change: '2 pods deleted',
          state: 'Overtaken',
          startedAt: '2026-01-01T12:00:01Z',
          endedAt: '2026-01-01T12:00:02Z',
          total: 3,
          reconciles: 0,
          events: [{ kind: 'Pod', added: 0, modified: 2, deleted: 1 }],
        },
      ],
      conditions: [
        expect.objectContaining({
          type: 'Ready',
          status: 'True',
          reason: 'TargetFound',
          message: 'Observing 1 of kind Deployment',
          observedGeneration: 1,
        }),
      ],
    });
  });

  it('tells of a single pod as such', () => {
    const { status } = plan({ object: collector(), changeLog: changeLogOf(podGoing(1, 'p1')), targets: atRest }, NOW);
    expect(status.changes).toMatchObject([{ change: '1 pod deleted' }]);
  });

  it('says so when there is nothing to observe', () => {
    const { status } = plan({ object: collector(), changeLog: EMPTY_LOG, targets: [] }, NOW);
    expect(status.conditions).toMatchObject([
      { status: 'False', reason: 'TargetNotFound', message: 'There is no Deployment/web' },
    ]);
  });

  it('keeps no more changes than it should', () => {
    const many = changeLogOf(...Array.from({ length: 30 }, (_, index) => changed(index, `change ${index}`, index)));
    const planned = (spec: object) => plan({ object: collector(spec), changeLog: many, targets: atRest }, NOW);
    expect(planned({}).status.changes).toHaveLength(20);
    const two = planned({ historyLimit: 2 });
    expect(two.status.changes?.map(({ change }) => change)).toEqual(['change 29', 'change 28']);
    expect(two.changeLog.changes).toHaveLength(2);
  });
});

describe('after a restart', () => {
  const { status } = plan({ object: collector(), changeLog: scaled, targets: atRest }, NOW + 2 * SECOND);

  it('the books go on where they were left, and what was open has not been seen to its end', () => {
    const changeLog = changeLogFrom(collector({}, status));
    const again = plan({ object: collector({}, status), changeLog, targets: atRest }, NOW + 60 * SECOND).status;
    const interrupted = (status.changes ?? []).map((change) => ({ ...change, state: 'Interrupted' }));
    expect(again).toEqual({ ...status, changes: interrupted });
    const later = record(changeLog, seen(90, 'Pod'));
    expect(later.events).toContainEqual({ kind: 'Pod', added: 0, modified: 1, deleted: 1 });
    expect(later.changes[0]?.events).toEqual(changeLog.changes[0]?.events);
  });

  it('what was over is over', () => {
    const over = plan({ object: collector(), changeLog: scaled, targets: atRest }, NOW + 9 * SECOND).status;
    expect(changeLogFrom(collector({}, over)).changes).toMatchObject([{ state: 'Closed' }]);
  });

  it('books of which a status says nothing are empty', () => {
    expect(changeLogFrom(collector({}, { target: 'Deployment/web' }))).toEqual(EMPTY_LOG);
  });

  it('or when it points elsewhere, they are empty', () => {
    expect(changeLogFrom(collector({ target: { kind: 'Deployment', name: 'api' } }, status))).toEqual(EMPTY_LOG);
    expect(changeLogFrom(collector())).toEqual(EMPTY_LOG);
  });
});

describe('what is worth a write', () => {
  const open = plan({ object: collector(), changeLog: scaled, targets: atRest }, NOW + 2 * SECOND).status;
  const over = plan({ object: collector(), changeLog: scaled, targets: atRest }, NOW + 9 * SECOND).status;
  const counted: CollectorStatus = { ...open, total: 99 };
  const ended = (more: object): CollectorStatus => ({
    ...over,
    changes: (over.changes ?? []).map((change) => ({ ...change, ...more })),
  });
  const judged = (more: object): CollectorStatus => ({
    ...open,
    conditions: (open.conditions ?? []).map((condition) => ({ ...condition, ...more })),
  });

  it.each<{
    name: string;
    stored: CollectorStatus | undefined;
    next: CollectorStatus;
    urgency: StatusUrgency | undefined;
  }>([
    { name: 'nothing new', stored: open, next: { ...open }, urgency: undefined },
    { name: 'the first status', stored: undefined, next: open, urgency: 'now' },
    { name: 'more events', stored: open, next: counted, urgency: 'later' },
    { name: 'a change that begins', stored: { ...open, changes: [] }, next: open, urgency: 'later' },
    { name: 'a change that is over', stored: open, next: over, urgency: 'now' },
    { name: 'another target', stored: open, next: { ...open, targets: 2 }, urgency: 'now' },
    { name: 'another generation', stored: open, next: { ...open, observedGeneration: 2 }, urgency: 'now' },
    { name: 'an end of another target', stored: over, next: ended({ target: 'api' }), urgency: 'now' },
    { name: 'an end of another change', stored: over, next: ended({ startedAt: 'then' }), urgency: 'now' },
    { name: 'another sort of end', stored: over, next: ended({ state: 'Overtaken' }), urgency: 'now' },
    { name: 'counts of a change that is over', stored: over, next: ended({ total: 99 }), urgency: 'later' },
    { name: 'a condition turned', stored: open, next: judged({ status: 'False' }), urgency: 'now' },
    { name: 'a condition for another reason', stored: open, next: judged({ reason: 'Other' }), urgency: 'now' },
    { name: 'a condition in other words', stored: open, next: judged({ message: 'other' }), urgency: 'later' },
  ])('$name: $urgency', ({ stored, next, urgency }) => {
    expect(statusUrgency(stored, next)).toBe(urgency);
  });
});
