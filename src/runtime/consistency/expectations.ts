// What a controller has asked the API server for and has not seen in its cache yet. A plan made before would count
// pods that are on their way as missing, and create them twice.
//
// Guarantees
// - Expectations are raised before the request is sent, so the answer may come after the watch has shown the result.
// - Creations are expected by name, deletions by uid: seeing something twice, or something else, changes nothing.
// - An object that is being deleted counts as deleted: nobody has to wait for its grace period.
// - What is not seen within the time limit is given up and reported as leaked, once; the owner is not stuck for ever.
// - A new owner of the same name expects nothing, and a deleted owner leaves no memory behind.

import type { Change } from '../cache/informer.ts';
import { type Clock, type Instant, later } from '../clock.ts';
import type { KubeObject } from '../object.ts';
import type { OwnerIdentity } from './owner-identity.ts';

export interface Pending {
  /** Names of objects whose creation has not been seen. */
  readonly creations: readonly string[];
  /** Uids of objects whose deletion has not been seen. */
  readonly deletions: readonly string[];
}

export interface ExpectationsOptions {
  readonly clock: Clock;
  /** @default 5 minutes */
  readonly ttlMs?: number;
  /** Called when expectations are given up, which means that a watch has lost something or a request was miscounted. */
  readonly onLeak?: (ownerKey: string, pending: Pending) => void;
}

interface Expected {
  readonly ownerUid: string;
  readonly creations: Set<string>;
  readonly deletions: Set<string>;
  expiresAt: Instant;
}

export class Expectations {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #onLeak: (ownerKey: string, pending: Pending) => void;
  readonly #expected = new Map<string, Expected>();

  constructor({ clock, ttlMs = 5 * 60_000, onLeak = () => {} }: ExpectationsOptions) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
    this.#onLeak = onLeak;
  }

  /** To be called before the create requests are sent. */
  expectCreations(owner: OwnerIdentity, names: Iterable<string>): void {
    const expected = this.#raise(owner);
    for (const name of names) expected.creations.add(name);
  }

  /** To be called before the delete requests are sent. */
  expectDeletions(owner: OwnerIdentity, uids: Iterable<string>): void {
    const expected = this.#raise(owner);
    for (const uid of uids) expected.deletions.add(uid);
  }

  /** The object has been seen, or its create request has failed or was not sent. */
  lowerCreation(ownerKey: string, name: string): void {
    this.#expected.get(ownerKey)?.creations.delete(name);
  }

  /** The deletion has been seen, or the delete request has failed or was not sent. */
  lowerDeletion(ownerKey: string, uid: string): void {
    this.#expected.get(ownerKey)?.deletions.delete(uid);
  }

  /** Lowers what this change of one of the owner's objects fulfils. */
  observe(ownerKey: string, change: Change<KubeObject>): void {
    const { name, uid, deletionTimestamp } = change.object.metadata;
    // A deletion shows that the object was there, even when the cache never had it.
    this.lowerCreation(ownerKey, name);
    if (change.type === 'deleted' || deletionTimestamp !== undefined) this.lowerDeletion(ownerKey, uid);
  }

  /** True when the cache shows everything that was asked for, or when waiting any longer would be in vain. */
  satisfied(ownerKey: string): boolean {
    const { creations, deletions } = this.pending(ownerKey);
    if (creations.length + deletions.length === 0) {
      this.forget(ownerKey);
      return true;
    }
    const expiresAt = this.expiresAt(ownerKey);
    if (expiresAt !== undefined && this.#clock.now() < expiresAt) return false;
    this.forget(ownerKey);
    this.#onLeak(ownerKey, { creations, deletions });
    return true;
  }

  pending(ownerKey: string): Pending {
    const expected = this.#expected.get(ownerKey);
    return { creations: [...(expected?.creations ?? [])], deletions: [...(expected?.deletions ?? [])] };
  }

  /** When to look again in case nothing more is seen; undefined when nothing is expected. */
  expiresAt(ownerKey: string): Instant | undefined {
    return this.#expected.get(ownerKey)?.expiresAt;
  }

  /** To be called when the owner is gone. With a uid, only that owner's expectations are forgotten. */
  forget(ownerKey: string, uid?: string): void {
    if (uid === undefined || this.#expected.get(ownerKey)?.ownerUid === uid) this.#expected.delete(ownerKey);
  }

  /** Forgets what a former owner of this name expects: a reconcile of it may have ended after it was gone. */
  forgetFormer({ key, uid }: OwnerIdentity): void {
    if (this.#expected.get(key)?.ownerUid !== uid) this.#expected.delete(key);
  }

  #raise({ key, uid }: OwnerIdentity): Expected {
    const expiresAt = later(this.#clock.now(), this.#ttlMs);
    const known = this.#expected.get(key);
    if (known?.ownerUid === uid) {
      known.expiresAt = expiresAt;
      return known;
    }
    const expected = { ownerUid: uid, creations: new Set<string>(), deletions: new Set<string>(), expiresAt };
    this.#expected.set(key, expected);
    return expected;
  }
}
