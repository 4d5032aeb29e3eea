// Which changes are worth a reconcile. A predicate only saves work: a reconcile must be right without it, too.
// The ready-made ones judge updates by what differs; additions and deletions always pass them.

import type { Change } from '../cache/informer.ts';
import type { KubeObject, ObjectMeta } from '../object.ts';

/** Whether a change is worth a reconcile. */
export type Predicate<T extends KubeObject = KubeObject> = (change: Change<T>) => boolean;

/** The spec was changed, or deletion was asked for; never true for a status update alone. */
export const generationChanged: Predicate = differs((metadata) => metadata.generation);

/** The labels differ. */
export const labelsChanged: Predicate = differs((metadata) => sortedEntries(metadata.labels));

/** The annotations differ. */
export const annotationsChanged: Predicate = differs((metadata) => sortedEntries(metadata.annotations));

/** Anything was changed: leaves out repetitions of what is known. */
export const resourceVersionChanged: Predicate = differs((metadata) => metadata.resourceVersion);

/** All of these hold. */
export function and<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.every((predicate) => predicate(change));
}

/** One of these holds. */
export function or<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.some((predicate) => predicate(change));
}

/** This does not hold. */
export function not<T extends KubeObject>(predicate: Predicate<T>): Predicate<T> {
  return (change) => !predicate(change);
}

function differs(aspect: (metadata: ObjectMeta) => string | number | undefined): Predicate {
  return (change) => change.type !== 'updated' || aspect(change.old.metadata) !== aspect(change.object.metadata);
}

/** Equal strings for equal maps; a missing map equals an empty one. */
function sortedEntries(map: Readonly<Record<string, string>> = {}): string {
  return JSON.stringify(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}
