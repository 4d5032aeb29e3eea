// Decides which objects belong to an owner. Ownership is the UID in the controller reference, never the labels: objects
// of other controllers are ignored. Labels only decide which orphans may be adopted and which owned objects are
// released. An orphan is adopted only if it also carries the operator's mark: a pod that a user created beside an owner
// stays the user's, even when the owner selects it. This file only proposes; the executor asks the API server whether
// the owner still exists before it adopts.

import { controllerOf, type KubeObject } from '../runtime/object.ts';
import type { Action } from './action.ts';

export interface ClaimRules<T> {
  /** True when the object has the labels that the owner selects by. */
  readonly matches: (object: T) => boolean;
  /** True when the object carries the mark of objects that the operator created. */
  readonly isMarked: (object: T) => boolean;
  /** True when the object may be adopted or released; a terminating pod is neither. */
  readonly alive: (object: T) => boolean;
  /** By UID: adoptions and releases that the API server refused a moment ago. */
  readonly refused: Pick<ReadonlyMap<string, unknown>, 'has'>;
}

export interface Claim<T> {
  readonly owned: readonly T[];
  readonly adopt: readonly T[];
  readonly release: readonly T[];
}

/** Sorts the objects of the owner's namespace into owned, to be adopted, to be released; all others are left alone. */
export function claim<T extends KubeObject>(
  owner: KubeObject,
  objects: readonly T[],
  { matches, isMarked, alive, refused }: ClaimRules<T>,
): Claim<T> {
  const { uid, namespace, deletionTimestamp } = owner.metadata;
  const [owned, adopt, release]: [T[], T[], T[]] = [[], [], []];
  for (const object of objects) {
    if (object.metadata.namespace !== namespace) continue;
    const controller = controllerOf(object);
    if (controller?.uid === uid && (matches(object) || !alive(object))) owned.push(object);
    else if (refused.has(object.metadata.uid)) continue;
    else if (controller?.uid === uid) release.push(object);
    else if (controller === undefined && alive(object) && matches(object) && isMarked(object)) adopt.push(object);
  }
  // An owner that is being deleted claims nothing: the garbage collector handles its dependents.
  return deletionTimestamp === undefined ? { owned, adopt, release } : { owned, adopt: [], release: [] };
}

/** The writes that carry out a claim of pods. */
export function claimPods({ adopt, release }: Pick<Claim<KubeObject>, 'adopt' | 'release'>): Action[] {
  return [
    ...release.map(({ metadata: { name, uid } }): Action => ({ do: 'releasePod', name, uid })),
    ...adopt.map(({ metadata: { name, uid } }): Action => ({ do: 'adoptPod', name, uid })),
  ];
}
