// The change log of a Collector: every watch event it has seen, in total and for each change that caused it. A change
// begins with a new generation of the target, or with the deletion of a pod while no other change is open. All events
// of the target belong to it until the target has been quiet for a while. Pure: each step takes a change log and
// returns the next one.

import type { CollectorStatusChange, CollectorStatusEvent } from './types.gen.ts';

export type EventType = 'added' | 'modified' | 'deleted';
export type Counts = readonly CollectorStatusEvent[];

/** A watch event of a target or of an object that belongs to one. */
export interface Observation {
  /** The target's name. */
  readonly target: string;
  /** What kind of object changed, and how. */
  readonly kind: string;
  readonly type: EventType;
  readonly at: number;
  /** Present when a user caused the event; absent when a controller reacted. */
  readonly cause?: Cause;
}

export type Cause =
  | { readonly by: 'spec'; readonly change: string; readonly generation: number }
  /** A cause only while no change is open: otherwise a controller deletes the pod. */
  | { readonly by: 'podDeletion'; readonly uid: string };

export interface Change {
  readonly target: string;
  /** What changed in the spec; undefined for deleted pods, which are described by their number. */
  readonly words: string | undefined;
  readonly deletedPods: ReadonlySet<string>;
  readonly generation: number | undefined;
  readonly state: CollectorStatusChange['state'];
  readonly startedAt: number;
  readonly lastAt: number;
  readonly events: Counts;
  readonly reconciles: number;
}

export interface ChangeLog {
  readonly events: Counts;
  readonly reconciles: number;
  /** Newest first. */
  readonly changes: readonly Change[];
  /** The targets with events since the last reconcile. */
  readonly unreconciled: ReadonlySet<string>;
}

/** Watches of different kinds are not in step: pods that go this long before a change of the spec went because of it. */
const OUT_OF_STEP_MS = 1000;

export const EMPTY_LOG: ChangeLog = { events: [], reconciles: 0, changes: [], unreconciled: new Set() };

/** The change log with one more event. */
export function record(changeLog: ChangeLog, observation: Observation): ChangeLog {
  const { target, kind, type } = observation;
  return {
    events: counted(changeLog.events, kind, type),
    reconciles: changeLog.reconciles,
    changes: mapOpen(begun(changeLog.changes, observation), target, (change) => followed(change, observation)),
    unreconciled: new Set([...changeLog.unreconciled, target]),
  };
}

/** The change log after a reconcile, which counts only if there were events since the last one. */
export function reconciled(changeLog: ChangeLog): ChangeLog {
  if (changeLog.unreconciled.size === 0) return changeLog;
  const changes = changeLog.changes.map((change) =>
    change.state === 'Open' && changeLog.unreconciled.has(change.target)
      ? { ...change, reconciles: change.reconciles + 1 }
      : change,
  );
  return { ...changeLog, reconciles: changeLog.reconciles + 1, changes, unreconciled: new Set() };
}

/** The change log with finished changes closed, limited to the newest ones. */
export function closed(changeLog: ChangeLog, isOver: (change: Change) => boolean, historyLimit: number): ChangeLog {
  const changes = changeLog.changes.slice(0, historyLimit).map((change) => {
    return change.state === 'Open' && isOver(change) ? { ...change, state: 'Closed' as const } : change;
  });
  return { ...changeLog, changes };
}

/** The total of these counts. */
export function totalOf(events: Counts): number {
  return events.reduce((total, { added, modified, deleted }) => total + added + modified + deleted, 0);
}

/** The changes, preceded by a new one if this observation begins it. */
function begun(changes: readonly Change[], { target, cause, at }: Observation): readonly Change[] {
  const open = changes.find((change) => change.state === 'Open' && change.target === target);
  if (cause === undefined || (cause.by === 'podDeletion' && open !== undefined)) return changes;
  if (cause.by === 'spec' && open !== undefined && open.words === undefined && at - open.startedAt <= OUT_OF_STEP_MS) {
    const { change: words, generation } = cause;
    return mapOpen(changes, target, (change) => ({ ...change, words, generation }));
  }
  const before = mapOpen(changes, target, (change) => ({ ...change, state: 'Overtaken' }));
  const change: Change = {
    target,
    words: cause.by === 'spec' ? cause.change : undefined,
    deletedPods: new Set(),
    generation: cause.by === 'spec' ? cause.generation : undefined,
    state: 'Open',
    startedAt: at,
    lastAt: at,
    events: [],
    reconciles: 0,
  };
  return [change, ...before];
}

function followed(change: Change, { kind, type, at, cause }: Observation): Change {
  return {
    ...change,
    lastAt: at,
    events: counted(change.events, kind, type),
    deletedPods: cause?.by === 'podDeletion' ? new Set([...change.deletedPods, cause.uid]) : change.deletedPods,
  };
}

function mapOpen(changes: readonly Change[], target: string, step: (change: Change) => Change): readonly Change[] {
  return changes.map((change) => (change.state === 'Open' && change.target === target ? step(change) : change));
}

function counted(counts: Counts, kind: string, type: EventType): Counts {
  const present = counts.find((count) => count.kind === kind);
  if (present === undefined) return [...counts, { kind, added: 0, modified: 0, deleted: 0, [type]: 1 }];
  return counts.map((count) => (count === present ? { ...count, [type]: count[type] + 1 } : count));
}
