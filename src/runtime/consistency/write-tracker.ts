// Tracks what a controller has written for each owner until its cache shows it, so that no plan is made from an old state.
// A reconcile works with the handle of its owner (owner-writes.ts); the tracker keeps what the handles remember.
//
// Guarantee: nothing is remembered of an owner that is gone. What is remembered is bound to the owner's key, on which one
// reconcile works at a time, and is dropped by the reconcile that no longer finds the owner: no response to an earlier
// reconcile can arrive after it.

import type { Change } from '../cache/informer.ts';
import type { Clock } from '../clock.ts';
import type { ConsistencyObserver } from '../metrics/consistency.ts';
import { controllerOf, type KubeObject } from '../object.ts';
import { type OwnerIdentity, type OwnerRecord, OwnerWrites } from './owner-writes.ts';
import type { LastSynced } from './written-versions.ts';

export interface WriteTrackerOptions {
  readonly clock: Clock;
  readonly lastSynced: LastSynced;
  /** Gets reports of delayed reconciles, and of expectations that were given up. */
  readonly observer?: ConsistencyObserver | undefined;
}

export class WriteTracker {
  readonly #options: WriteTrackerOptions;
  /** By owner key. */
  readonly #records = new Map<string, OwnerRecord>();

  constructor(options: WriteTrackerOptions) {
    this.#options = options;
    options.observer?.remembers(() => this.#records.size);
  }

  /** The handle of one owner. A new owner of the same name starts with nothing. */
  of(owner: OwnerIdentity): OwnerWrites {
    return new OwnerWrites(owner, this.#records, this.#options);
  }

  /** To be called with every change of an owned object; `ownersOf` returns the keys of its owners. */
  observe<T extends KubeObject>(change: Change<T>, ownersOf: (object: T) => Iterable<string>): void {
    const { uid } = change.object.metadata;
    const ownerUid = controllerOf(change.object)?.uid ?? '';
    const owners = new Set(ownersOf(change.object));
    for (const key of owners) this.of({ key, uid: ownerUid }).observe(change);
    // The deletion of the object is not reported to a former owner.
    const former = change.type === 'updated' ? [...ownersOf(change.old)].filter((key) => !owners.has(key)) : [];
    for (const key of former) this.#records.get(key)?.expectations.lowerDeletion(uid);
  }

  /** To be called by the reconcile that finds no owner of this key. */
  forget(key: string): void {
    this.#records.delete(key);
  }
}
