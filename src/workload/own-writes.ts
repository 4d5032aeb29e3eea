// Remembers what we have written for each owner until the cache shows it, so that no decision is made on yesterday's
// facts: pods by name before they are created and by uid before they are deleted, everything else by its version.
// A create whose answer was lost leaves its name behind; that name is used before any new one, so the second attempt
// meets the first instead of making one pod more. Whatever may or may not have been written is in doubt until somebody has
// looked (settle.ts): the next plan might be another one, and never come back to it.

import type { Change } from '../runtime/cache/informer.ts';
import type { Clock } from '../runtime/clock.ts';
import { Expectations } from '../runtime/consistency/expectations.ts';
import type { OwnerIdentity } from '../runtime/consistency/owner-identity.ts';
import { type LastSynced, WrittenVersions } from '../runtime/consistency/written-versions.ts';
import type { ConsistencyObserver } from '../runtime/metrics/consistency.ts';
import { controllerOf } from '../runtime/object.ts';
import { groupResourceOf, type Resource } from '../runtime/resource.ts';
import { type Doubt, Doubts } from './doubts.ts';
import type { Pod } from './pod.ts';
import { RefusedWrites } from './refused-writes.ts';
import { GrantedWrites } from './slow-start.ts';

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
  /** Where creates were granted lately. */
  readonly granted = new GrantedWrites();
  /** What is refused, and not tried again for a while. */
  readonly refused: RefusedWrites;
  readonly #clock: Clock;
  readonly #lastSynced: LastSynced;
  readonly #observer: ConsistencyObserver | undefined;
  readonly #random: () => number;
  readonly #expectations: Expectations;
  readonly #versions = new WrittenVersions();
  /** By owner uid: names whose create may have succeeded, with the revision hash they are for. */
  readonly #unsure = new Map<string, Map<string, string | undefined>>();
  /** By owner uid: names whose create was answered with a version, so that a cache which got that far has seen them. */
  readonly #answered = new Map<string, Set<string>>();
  readonly #doubts = new Doubts();
  /** By owner uid: those that are not known to be gone. */
  readonly #misfits = new Map<string, readonly Misfit[]>();
  /** Uids of owners with objects that changed between a decision about them and its write. */
  readonly #outdated = new Set<string>();

  constructor({ clock, lastSynced, observer, random = Math.random }: OwnWritesOptions) {
    this.#clock = clock;
    this.#lastSynced = lastSynced;
    this.#random = random;
    this.#observer = observer;
    this.refused = new RefusedWrites(clock);
    this.#expectations = new Expectations({ clock, onLeak: (_, pending) => observer?.leaked(pending) });
  }

  /** Undefined when the cache shows all that we wrote; otherwise when to look again at the latest. */
  behindUntil(owner: OwnerIdentity): number | undefined {
    const { key } = owner;
    this.#expectations.forgetFormer(owner);
    const stale = this.#versions.staleRead(key, this.#lastSynced);
    if (stale === undefined) this.#lowerAnswered(owner);
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
  podCreated({ uid }: OwnerIdentity, name: string, resourceVersion = ''): void {
    this.#unsure.get(uid)?.delete(name);
    this.#doubts.resolve(uid, { of: 'create', name });
    const isComparable = /^\d+$/.test(resourceVersion);
    if (isComparable) this.#answered.set(uid, (this.#answered.get(uid) ?? new Set()).add(name));
  }

  /** This attempt made no pod. Of an earlier one with the same name, whose answer was lost, that says nothing. */
  podNotCreated({ key }: OwnerIdentity, name: string): void {
    this.#expectations.lowerCreation(key, name);
  }

  /** Nobody knows whether the pod was created: the next one of this revision gets its name. */
  podPerhapsCreated({ key, uid }: OwnerIdentity, name: string, hash: string | undefined): void {
    // The watch may have been quicker than the answer: a pod that was seen needs no second attempt.
    if (!this.#expectations.pending(key).creations.includes(name)) return;
    const names = this.#unsure.get(uid) ?? new Map<string, string | undefined>();
    this.#unsure.set(uid, names.set(name, hash));
    this.#doubts.raise(uid, { of: 'create', name });
    this.#expectations.lowerCreation(key, name);
  }

  addMisfit(owner: OwnerIdentity, misfit: Misfit): void {
    this.#misfits.set(owner.uid, [...this.misfitsOf(owner), misfit]);
  }

  /** The pods that have to be gone before others are made: so there are never more than one attempt makes. */
  misfitsOf({ uid }: OwnerIdentity): readonly Misfit[] {
    return this.#misfits.get(uid) ?? [];
  }

  /** The pod is gone. */
  removeMisfit(owner: OwnerIdentity, { uid }: Misfit): void {
    const left = this.misfitsOf(owner).filter((misfit) => misfit.uid !== uid);
    if (left.length > 0) this.#misfits.set(owner.uid, left);
    else this.#misfits.delete(owner.uid);
  }

  expectDeletions(owner: OwnerIdentity, uids: Iterable<string>): void {
    this.#expectations.expectDeletions(owner, uids);
  }

  podNotDeleted({ key }: OwnerIdentity, uid: string): void {
    this.#expectations.lowerDeletion(key, uid);
  }

  /** Nobody knows whether the pod was deleted. */
  podPerhapsDeleted({ key, uid: ownerUid }: OwnerIdentity, { name, uid }: { name: string; uid: string }): void {
    // The watch may have been quicker than the answer.
    if (!this.#expectations.pending(key).deletions.includes(uid)) return;
    this.#doubts.raise(ownerUid, { of: 'delete', name, uid });
  }

  /** Nobody knows what the record says now: a refusal may be that of a second attempt, after an answer was lost. */
  recordPerhapsWritten({ uid }: OwnerIdentity, name: string): void {
    this.#doubts.raise(uid, { of: 'record', name });
  }

  /** What may or may not have been written. */
  doubtsOf({ uid }: OwnerIdentity): readonly Doubt[] {
    return this.#doubts.of(uid);
  }

  /** Somebody has looked. */
  settled({ uid }: OwnerIdentity, doubt: Doubt): void {
    this.#doubts.resolve(uid, doubt);
  }

  /** The pod has changed since it was to be deleted; whether it still is, the next plan has to say. */
  podChanged({ key, uid: ownerUid }: OwnerIdentity, uid: string): void {
    this.#expectations.lowerDeletion(key, uid);
    this.#outdated.add(ownerUid);
  }

  /** Something has changed since it was decided about. */
  outdated({ uid }: OwnerIdentity): void {
    this.#outdated.add(uid);
  }

  /** True, once, when something had changed: perhaps in a way that wakes nobody, so the caller has to try again. */
  wasOutdated({ uid }: OwnerIdentity): boolean {
    return this.#outdated.delete(uid);
  }

  /** To be called with every change of a pod; `ownersOf` has the keys of the owners that this memory is about. */
  observe(change: Change<Pod>, ownersOf: (pod: Pod) => Iterable<string>): void {
    // Seen, so it was created after all: its name is spent, even if the pod is gone before the next one needs a name.
    const { name, uid, deletionTimestamp } = change.object.metadata;
    const ownerUid = controllerOf(change.object)?.uid ?? '';
    this.#unsure.get(ownerUid)?.delete(name);
    this.#doubts.resolve(ownerUid, { of: 'create', name });
    if (change.type === 'deleted' || deletionTimestamp !== undefined)
      this.#doubts.resolve(ownerUid, { of: 'delete', name, uid });
    const owners = new Set(ownersOf(change.object));
    for (const key of owners) this.#expectations.observe(key, change);
    // Whoever it no longer belongs to will not be told of its end.
    const former = change.type === 'updated' ? [...ownersOf(change.old)].filter((key) => !owners.has(key)) : [];
    for (const key of former) this.#expectations.lowerDeletion(key, uid);
  }

  /** The owner is gone. */
  forget({ key, uid }: OwnerIdentity): void {
    this.#expectations.forget(key, uid);
    this.#versions.forget(key, uid);
    this.#unsure.delete(uid);
    this.#answered.delete(uid);
    this.#doubts.forget(uid);
    this.#outdated.delete(uid);
    this.#misfits.delete(uid);
    this.refused.forget(uid);
  }

  /** A pod that came and went between two lists is never shown, and would be waited for until the time limit. */
  #lowerAnswered({ key, uid }: OwnerIdentity): void {
    for (const name of this.#answered.get(uid) ?? []) this.#expectations.lowerCreation(key, name);
    this.#answered.delete(uid);
  }

  #suffix(): string {
    const letter = (): string => SUFFIX_LETTERS[Math.floor(this.#random() * SUFFIX_LETTERS.length)] as string;
    return Array.from({ length: SUFFIX_LENGTH }, letter).join('');
  }
}

/** A pod that admission changed so that its owner would not know it again. */
export interface Misfit {
  readonly name: string;
  readonly uid: string;
  /** What happened to it, in words. */
  readonly why: string;
}

export interface PodNaming {
  readonly nameWith: (suffix: string) => string;
  readonly isThere: (name: string) => boolean;
}
