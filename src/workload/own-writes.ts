// Remembers what we have written for each owner until the cache shows it, so that no decision is made on yesterday's
// facts: pods by name before they are created and by uid before they are deleted, everything else by its version.
// A create whose answer was lost leaves its name behind; that name is used before any new one, so the second attempt
// meets the first instead of making one pod more.

import type { Change } from '../runtime/cache/informer.ts';
import type { Clock } from '../runtime/clock.ts';
import { Expectations } from '../runtime/consistency/expectations.ts';
import type { OwnerIdentity } from '../runtime/consistency/owner-identity.ts';
import { type LastSynced, WrittenVersions } from '../runtime/consistency/written-versions.ts';
import type { ConsistencyObserver } from '../runtime/metrics/consistency.ts';
import { groupResourceOf, type Resource } from '../runtime/resource.ts';
import type { Pod } from './pod.ts';

/** Kubernetes' own letters for generated names: none that could spell a word. */
const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;

/** How long a cache may lag before we look again without having been woken. */
const LOOK_AGAIN_MS = 1000;

export interface OwnWritesOptions {
  readonly clock: Clock;
  readonly lastSynced: LastSynced;
  /** Told of reconciles put off, and of expectations given up. */
  readonly observer?: ConsistencyObserver | undefined;
  /** In [0, 1). @default Math.random */
  readonly random?: () => number;
}

export class OwnWrites {
  readonly #clock: Clock;
  readonly #lastSynced: LastSynced;
  readonly #observer: ConsistencyObserver | undefined;
  readonly #random: () => number;
  readonly #expectations: Expectations;
  readonly #versions = new WrittenVersions();
  /** By owner uid: names whose create may have succeeded, with the revision hash they are for. */
  readonly #unsure = new Map<string, Map<string, string | undefined>>();

  constructor({ clock, lastSynced, observer, random = Math.random }: OwnWritesOptions) {
    this.#clock = clock;
    this.#lastSynced = lastSynced;
    this.#random = random;
    this.#observer = observer;
    this.#expectations = new Expectations({ clock, onLeak: (_, pending) => observer?.leaked(pending) });
  }

  /** Undefined when the cache shows all that we wrote; otherwise when to look again at the latest. */
  behindUntil({ key }: OwnerIdentity): number | undefined {
    const stale = this.#versions.staleRead(key, this.#lastSynced);
    if (stale === undefined && this.#expectations.satisfied(key)) return undefined;
    this.#observer?.staleSkip(stale?.groupResource ?? 'pods');
    return this.#clock.now() + LOOK_AGAIN_MS;
  }

  /** A write succeeded, and the object is now at this version. */
  wrote(owner: OwnerIdentity, resource: Resource, resourceVersion: string): void {
    this.#versions.wrote(owner, groupResourceOf(resource), resourceVersion);
  }

  /** Names for new pods of a revision, noted down as on their way. `isThere` asks the cache for a pod of that name. */
  expectPods(owner: OwnerIdentity, hash: string | undefined, count: number, naming: PodNaming): string[] {
    const unsure = [...(this.#unsure.get(owner.uid) ?? [])].filter(([name]) => !naming.isThere(name));
    const reused = unsure.filter(([, ofHash]) => ofHash === hash).map(([name]) => name);
    this.#unsure.set(owner.uid, new Map(unsure));
    const names = reused.slice(0, count);
    while (names.length < count) {
      const name = naming.nameWith(this.#suffix());
      if (!names.includes(name) && !naming.isThere(name)) names.push(name);
    }
    this.#expectations.expectCreations(owner, names);
    return names;
  }

  /** Pods of these names, which follow from what they are for, are on their way. */
  expectNamedPods(owner: OwnerIdentity, names: Iterable<string>): void {
    this.#expectations.expectCreations(owner, names);
  }

  /** The pod exists: made just now, or by an attempt whose answer was lost. The cache will show it. */
  podCreated({ uid }: OwnerIdentity, name: string): void {
    this.#unsure.get(uid)?.delete(name);
  }

  /** The pod was not created, and nobody will see it. */
  podNotCreated({ key, uid }: OwnerIdentity, name: string): void {
    this.#unsure.get(uid)?.delete(name);
    this.#expectations.lowerCreation(key, name);
  }

  /** Nobody knows whether the pod was created: the next one of this revision gets its name. */
  podPerhapsCreated({ key, uid }: OwnerIdentity, name: string, hash: string | undefined): void {
    const names = this.#unsure.get(uid) ?? new Map<string, string | undefined>();
    this.#unsure.set(uid, names.set(name, hash));
    this.#expectations.lowerCreation(key, name);
  }

  expectDeletions(owner: OwnerIdentity, uids: Iterable<string>): void {
    this.#expectations.expectDeletions(owner, uids);
  }

  podNotDeleted({ key }: OwnerIdentity, uid: string): void {
    this.#expectations.lowerDeletion(key, uid);
  }

  /** To be called with every change of an owner's pods. */
  observe(ownerKey: string, change: Change<Pod>): void {
    this.#expectations.observe(ownerKey, change);
  }

  /** The owner is gone. */
  forget({ key, uid }: OwnerIdentity): void {
    this.#expectations.forget(key, uid);
    this.#versions.forget(key, uid);
    this.#unsure.delete(uid);
  }

  #suffix(): string {
    const letter = (): string => SUFFIX_LETTERS[Math.floor(this.#random() * SUFFIX_LETTERS.length)] as string;
    return Array.from({ length: SUFFIX_LENGTH }, letter).join('');
  }
}

export interface PodNaming {
  readonly nameWith: (suffix: string) => string;
  readonly isThere: (name: string) => boolean;
}
