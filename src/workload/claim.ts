// Whose is it? Ownership is the controller reference's UID, never the labels: what another controller owns is not
// looked at. Labels only decide about orphans that may be adopted and about own objects that are to be let go. An orphan
// is adopted only if it also carries the mark of the operator: a pod that a user made beside an owner is the user's, even
// when the owner selects it. This proposes; whoever adopts must first ask the API server whether the owner still lives.

import { controllerOf, type KubeObject } from '../runtime/object.ts';
import type { Action } from './action.ts';

export interface ClaimRules<T> {
  /** True when the object carries what the owner selects by. */
  readonly matches: (object: T) => boolean;
  /** True when the object carries the mark by which the operator knows what it made. */
  readonly isMarked: (object: T) => boolean;
  /** True when the object is worth claiming or letting go: a pod on its way out is neither. */
  readonly alive: (object: T) => boolean;
  /** By UID: what the API server refused to let us adopt or release a moment ago. */
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
  // An owner that is being deleted changes nothing: the garbage collector has its dependents in hand.
  return deletionTimestamp === undefined ? { owned, adopt, release } : { owned, adopt: [], release: [] };
}

/** The writes by which a claim of pods comes true. */
export function claimPods({ adopt, release }: Pick<Claim<KubeObject>, 'adopt' | 'release'>): Action[] {
  return [
    ...release.map(({ metadata: { name, uid } }): Action => ({ do: 'releasePod', name, uid })),
    ...adopt.map(({ metadata: { name, uid } }): Action => ({ do: 'adoptPod', name, uid })),
  ];
}
