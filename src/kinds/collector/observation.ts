// What a cache event means to a Collector: the kind of the object, and whether a user caused it. Only a new generation
// and the deletion of a pod can be caused by a user; everything else is the reaction of a controller.

import type { Change } from '../../runtime/cache/informer.ts';
import type { KubeObject } from '../../runtime/object.ts';
import type { Cause, EventType, Observation } from './change-log.ts';
import { describeChange, type Target } from './targets.ts';

type Seen = Omit<Observation, 'target' | 'at'>;

const TYPES: Readonly<Record<Change<KubeObject>['type'], EventType>> = {
  added: 'added',
  updated: 'modified',
  deleted: 'deleted',
};

/** A target that was created, changed or deleted. */
export function observeTarget(kind: string, change: Change<Target>): Seen {
  const words = wordsFor(change);
  const { generation = 0 } = change.object.metadata;
  return { kind, type: TYPES[change.type], ...(words && { cause: { by: 'spec', change: words, generation } }) };
}

/** A pod; its first sign of deletion can begin a change. */
export function observePod(change: Change<KubeObject>): Seen {
  const { uid, deletionTimestamp } = change.object.metadata;
  const isGoing = deletionTimestamp !== undefined || change.type === 'deleted';
  const cause: Cause = { by: 'podDeletion', uid };
  return { kind: 'Pod', type: TYPES[change.type], ...(isGoing && { cause }) };
}

/** Any other object that belongs to a target. */
export function observeOther(kind: string, change: Change<KubeObject>): Seen {
  return { kind, type: TYPES[change.type] };
}

function wordsFor(change: Change<Target>): string | undefined {
  switch (change.type) {
    case 'added':
      return 'created';
    case 'deleted':
      return 'deleted';
    case 'updated': {
      const isNew = change.old.metadata.generation !== change.object.metadata.generation;
      return isNew ? describeChange(change.old, change.object) : undefined;
    }
    default:
      return change satisfies never;
  }
}
