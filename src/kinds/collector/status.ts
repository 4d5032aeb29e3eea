// Converts the change log of a Collector to its status and back: after a restart the log continues from the status. The
// status has no fractions of a second, and a change that was open during the restart is marked as interrupted.

import { type Condition, setCondition, timestamp } from '../../runtime/conditions.ts';
import type { StatusUrgency } from '../../runtime/status-writer.ts';
import { statesOf, urgencyOf } from '../../workload/status-urgency.ts';
import { type Change, type ChangeLog, EMPTY_LOG, totalOf } from './change-log.ts';
import { describeTarget } from './targets.ts';
import type { Collector, CollectorStatus, CollectorStatusChange } from './types.gen.ts';

/** The status of this change log. */
export function statusOf(object: Collector, changeLog: ChangeLog, targets: number, now: number): CollectorStatus {
  const observedGeneration = object.metadata.generation ?? 0;
  const { target } = object.spec;
  const update =
    targets > 0
      ? ({ status: 'True', reason: 'TargetFound', message: `Observing ${targets} of kind ${target.kind}` } as const)
      : ({ status: 'False', reason: 'TargetNotFound', message: `There is no ${describeTarget(target)}` } as const);
  const conditions = object.status?.conditions as readonly Condition[] | undefined;
  return {
    observedGeneration,
    target: describeTarget(target),
    targets,
    total: totalOf(changeLog.events),
    reconciles: changeLog.reconciles,
    events: changeLog.events,
    changes: changeLog.changes.map(toStatus),
    conditions: setCondition(conditions, { type: 'Ready', ...update, observedGeneration }, now),
  };
}

/** The change log of a stored status; empty when the status is about another target. */
export function changeLogFrom({ spec, status }: Collector): ChangeLog {
  if (status?.target !== describeTarget(spec.target)) return EMPTY_LOG;
  const { events = [], reconciles = 0, changes = [] } = status;
  return { events, reconciles, changes: changes.map(fromStatus), unreconciled: new Set() };
}

/** The end of a change is written at once, counts may be coalesced. */
export function statusUrgency(stored: CollectorStatus | undefined, next: CollectorStatus): StatusUrgency | undefined {
  return urgencyOf(stored, next, ({ observedGeneration, targets, changes = [], conditions = [] }) => {
    const ended = changes.filter(({ state }) => state !== 'Open');
    const ends = ended.map(({ target, startedAt, state }) => ({ target, startedAt, state }));
    return { observedGeneration, targets, ends, states: statesOf(conditions) };
  });
}

function toStatus(change: Change): CollectorStatusChange {
  const { target, state, generation, events, reconciles } = change;
  return {
    target,
    change: wordsOf(change),
    state,
    ...(generation !== undefined && { generation }),
    startedAt: timestamp(change.startedAt),
    endedAt: timestamp(change.lastAt),
    total: totalOf(events),
    reconciles,
    events,
  };
}

function wordsOf({ words, deletedPods: { size } }: Change): string {
  return words ?? `${size} pod${size === 1 ? '' : 's'} deleted`;
}

function fromStatus(recorded: CollectorStatusChange): Change {
  const startedAt = Date.parse(recorded.startedAt);
  return {
    target: recorded.target,
    words: recorded.change,
    deletedPods: new Set(),
    generation: recorded.generation,
    state: recorded.state === 'Open' ? 'Interrupted' : recorded.state,
    startedAt,
    lastAt: recorded.endedAt === undefined ? startedAt : Date.parse(recorded.endedAt),
    events: recorded.events,
    reconciles: recorded.reconciles,
  };
}
