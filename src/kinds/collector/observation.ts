// What a change in a cache means to a Collector: which object of which kind, and whether it is something that somebody
// did. Only a new generation and the deletion of a pod can be; everything else is a controller following suit.

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

/** A target that came, changed or went. */
export function observeTarget(kind: string, change: Change<Target>): Seen {
  const words = wordsFor(change);
  const { generation = 0 } = change.object.metadata;
  return { kind, type: TYPES[change.type], ...(words && { cause: { by: 'spec', change: words, generation } }) };
}

/** A pod, of which the first sign of deletion matters. */
export function observePod(change: Change<KubeObject>): Seen {
  const { uid, deletionTimestamp } = change.object.metadata;
  const isGoing = deletionTimestamp !== undefined || change.type === 'deleted';
  const cause: Cause = { by: 'podDeletion', uid };
  return { kind: 'Pod', type: TYPES[change.type], ...(isGoing && { cause }) };
}

/** Anything else that belongs to a target. */
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
