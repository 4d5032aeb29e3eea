// What a controller has asked the API server to create and delete for one owner, and has not seen in its cache yet. A plan
// made before would count objects that are on their way as missing, and create them twice.
//
// Guarantees
// - Expectations are raised before the request is sent, so the response may arrive after the watch has shown the result.
// - Creations are expected by name, deletions by UID: seeing an object twice, or another object, changes nothing.
// - An object that is being deleted counts as deleted: the controller does not wait for its grace period.
// - What is not seen within the time limit is given up and reported as leaked, once; the owner is not stuck for ever.

import type { Change } from '../cache/informer.ts';
import type { Clock } from '../clock.ts';
import { type Instant, later } from '../instant.ts';
import type { KubeObject } from '../object.ts';

export interface Pending {
  /** Names of objects whose creation has not been seen. */
  readonly creations: readonly string[];
  /** UIDs of objects whose deletion has not been seen. */
  readonly deletions: readonly string[];
}

/** Settings of expectations. */
export interface ExpectationsOptions {
  readonly clock: Clock;
  /** @default 5 minutes */
  readonly ttlMs?: number;
  /** Called when expectations are given up: a watch has missed a change, or a request was miscounted. */
  readonly onLeak?: (pending: Pending) => void;
}

/** What a controller has asked for and not yet seen in its cache. */
export class Expectations {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #onLeak: (pending: Pending) => void;
  readonly #creations = new Set<string>();
  readonly #deletions = new Set<string>();
  #expiresAt: Instant | undefined;

  constructor({ clock, ttlMs = 5 * 60_000, onLeak = () => {} }: ExpectationsOptions) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
    this.#onLeak = onLeak;
  }

  /** To be called before the create requests are sent. */
  expectCreations(names: Iterable<string>): void {
    this.#expiresAt = later(this.#clock.now(), this.#ttlMs);
    for (const name of names) this.#creations.add(name);
  }

  /** To be called before the delete requests are sent. */
  expectDeletions(uids: Iterable<string>): void {
    this.#expiresAt = later(this.#clock.now(), this.#ttlMs);
    for (const uid of uids) this.#deletions.add(uid);
  }

  /** The object has been seen, or its create request has failed or was not sent. */
  lowerCreation(name: string): void {
    this.#creations.delete(name);
  }

  /** The deletion has been seen, or the delete request has failed or was not sent. */
  lowerDeletion(uid: string): void {
    this.#deletions.delete(uid);
  }

  /** Lowers what this change of one of the owner's objects fulfils. */
  observe(change: Change<KubeObject>): void {
    const { name, uid, deletionTimestamp } = change.object.metadata;
    // A deletion shows that the object was there, even when the cache never had it.
    this.lowerCreation(name);
    if (change.type === 'deleted' || deletionTimestamp !== undefined) this.lowerDeletion(uid);
  }

  /** True when the cache shows everything that was asked for, or when the time limit has passed. */
  satisfied(): boolean {
    if (this.isEmpty) return true;
    if (this.#expiresAt !== undefined && this.#clock.now() < this.#expiresAt) return false;
    const { pending } = this;
    this.#creations.clear();
    this.#deletions.clear();
    this.#onLeak(pending);
    return true;
  }

  expectsCreation(name: string): boolean {
    return this.#creations.has(name);
  }

  expectsDeletion(uid: string): boolean {
    return this.#deletions.has(uid);
  }

  get isEmpty(): boolean {
    return this.#creations.size + this.#deletions.size === 0;
  }

  get pending(): Pending {
    return { creations: [...this.#creations], deletions: [...this.#deletions] };
  }
}
