// Remembers what we have written for each owner until the cache shows it, so that no decision is made on yesterday's
// facts: pods by name before they are created and by uid before they are deleted, everything else by its version.
// A create whose answer was lost leaves its name behind; that name is used before any new one, so the second attempt
// meets the first instead of making one pod more. Whatever may or may not have been written is in doubt until somebody has
// looked (settle.ts): the next plan might be another one, and never come back to it.
//
// Guarantee: nothing stays behind of an owner that is gone. Its memory is bound to its key, on which one reconcile works at
// a time, and is dropped by the reconcile that no longer finds the owner: no answer of an earlier one can come after it.

import type { Change } from '../runtime/cache/informer.ts';
import { type Clock, type Instant, later } from '../runtime/clock.ts';
import { Expectations } from '../runtime/consistency/expectations.ts';
import type { OwnerIdentity } from '../runtime/consistency/owner-identity.ts';
import { type LastSynced, WrittenVersions } from '../runtime/consistency/written-versions.ts';
import type { ConsistencyObserver } from '../runtime/metrics/consistency.ts';
import { controllerOf } from '../runtime/object.ts';
import { groupResourceOf, type Resource } from '../runtime/resource.ts';
import { type Doubt, Doubts } from './doubts.ts';
import type { Pod } from './pod.ts';
import { NO_REFUSALS, type Refusal, type Refusals } from './refusals.ts';
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

/** What is remembered of one owner, beside expectations and versions. */
interface Memory {
  readonly uid: string;
  /** Names whose create may have succeeded, with the revision hash they are for. */
  readonly unsure: Map<string, string | undefined>;
  /** Names whose create was answered with a version, so that a cache which got that far has seen them. */
  readonly answered: Set<string>;
  readonly doubts: Doubts;
  /** Pods that came back other than asked for, and are not known to be gone. */
  misfits: readonly Misfit[];
  readonly refusedWrites: RefusedWrites;
  /** Objects of it changed between a decision about them and its write. */
  isOutdated: boolean;
}

export class OwnWrites {
  /** Where creates were granted lately. */
  readonly granted = new GrantedWrites();
  readonly #clock: Clock;
  readonly #lastSynced: LastSynced;
  readonly #observer: ConsistencyObserver | undefined;
  readonly #random: () => number;
  readonly #expectations: Expectations;
  readonly #versions = new WrittenVersions();
  /** By owner key. Invariant: has every owner that `#expectations` or `#versions` know. */
  readonly #memories = new Map<string, Memory>();

  constructor({ clock, lastSynced, observer, random = Math.random }: OwnWritesOptions) {
    this.#clock = clock;
    this.#lastSynced = lastSynced;
    this.#random = random;
    this.#observer = observer;
    this.#expectations = new Expectations({ clock, onLeak: (_, pending) => observer?.leaked(pending) });
    observer?.remembers(() => this.#memories.size);
  }

  /** Undefined when the cache shows all that we wrote; otherwise when to look again at the latest. */
  behindUntil(owner: OwnerIdentity): Instant | undefined {
    const { key } = owner;
    this.#expectations.forgetFormer(owner);
    if (this.#known(owner) === undefined) this.#memories.delete(key);
    const stale = this.#versions.staleRead(key, this.#lastSynced);
    if (stale === undefined) this.#lowerAnswered(owner);
    if (stale === undefined && this.#expectations.satisfied(key)) {
      if (isEmpty(this.#known(owner))) this.#memories.delete(key);
      return undefined;
    }
    this.#observer?.staleSkip(stale?.groupResource ?? 'pods');
    return later(this.#clock.now(), LOOK_AGAIN_MS);
  }

  /** A write succeeded, and the object is now at this version. */
  wrote(owner: OwnerIdentity, resource: Resource, resourceVersion: string): void {
    this.#memoryOf(owner);
    this.#versions.wrote(owner, groupResourceOf(resource), resourceVersion);
  }

  /** Names for new pods of a revision, noted down as on their way. `isThere` asks the cache for a pod of that name. */
  expectPods(owner: OwnerIdentity, hash: string | undefined, count: number, naming: PodNaming): string[] {
    const { unsure } = this.#memoryOf(owner);
    for (const name of unsure.keys()) if (naming.isThere(name)) unsure.delete(name);
    const reused = [...unsure].filter(([, ofHash]) => ofHash === hash).map(([name]) => name);
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
    this.#memoryOf(owner);
    this.#expectations.expectCreations(owner, names);
  }

  /** The pod exists: made just now, or by an attempt whose answer was lost. The cache will show it. */
  podCreated(owner: OwnerIdentity, name: string, resourceVersion = ''): void {
    const { unsure, doubts, answered } = this.#memoryOf(owner);
    unsure.delete(name);
    doubts.resolve({ of: 'create', name });
    const isComparable = /^\d+$/.test(resourceVersion);
    if (isComparable) answered.add(name);
  }

  /** This attempt made no pod. Of an earlier one with the same name, whose answer was lost, that says nothing. */
  podNotCreated({ key }: OwnerIdentity, name: string): void {
    this.#expectations.lowerCreation(key, name);
  }

  /** Nobody knows whether the pod was created: the next one of this revision gets its name. */
  podPerhapsCreated(owner: OwnerIdentity, name: string, hash: string | undefined): void {
    // The watch may have been quicker than the answer: a pod that was seen needs no second attempt.
    if (!this.#expectations.pending(owner.key).creations.includes(name)) return;
    const { unsure, doubts } = this.#memoryOf(owner);
    unsure.set(name, hash);
    doubts.raise({ of: 'create', name });
    this.#expectations.lowerCreation(owner.key, name);
  }

  addMisfit(owner: OwnerIdentity, misfit: Misfit): void {
    const memory = this.#memoryOf(owner);
    memory.misfits = [...memory.misfits, misfit];
  }

  /** The pods that have to be gone before others are made: so there are never more than one attempt makes. */
  misfitsOf(owner: OwnerIdentity): readonly Misfit[] {
    return this.#known(owner)?.misfits ?? [];
  }

  /** The pod is gone. */
  removeMisfit(owner: OwnerIdentity, { uid }: Misfit): void {
    const memory = this.#memoryOf(owner);
    memory.misfits = memory.misfits.filter((misfit) => misfit.uid !== uid);
  }

  /** This was refused, and would be again. */
  noteRefusal(owner: OwnerIdentity, what: string, refusal: Refusal): void {
    this.#memoryOf(owner).refusedWrites.note(what, refusal);
  }

  /** This was granted, or nothing is left to ask for. */
  settleRefusal(owner: OwnerIdentity, what: string): void {
    this.#known(owner)?.refusedWrites.settle(what);
  }

  /** What is not to be tried again yet. */
  refused(owner: OwnerIdentity): Refusals {
    return this.#known(owner)?.refusedWrites.refusals ?? NO_REFUSALS;
  }

  expectDeletions(owner: OwnerIdentity, uids: Iterable<string>): void {
    this.#memoryOf(owner);
    this.#expectations.expectDeletions(owner, uids);
  }

  podNotDeleted({ key }: OwnerIdentity, uid: string): void {
    this.#expectations.lowerDeletion(key, uid);
  }

  /** Nobody knows whether the pod was deleted. */
  podPerhapsDeleted(owner: OwnerIdentity, { name, uid }: { name: string; uid: string }): void {
    // The watch may have been quicker than the answer.
    if (!this.#expectations.pending(owner.key).deletions.includes(uid)) return;
    this.#memoryOf(owner).doubts.raise({ of: 'delete', name, uid });
  }

  /** Nobody knows what the record says now: a refusal may be that of a second attempt, after an answer was lost. */
  recordPerhapsWritten(owner: OwnerIdentity, name: string): void {
    this.#memoryOf(owner).doubts.raise({ of: 'record', name });
  }

  /** What may or may not have been written. */
  doubtsOf(owner: OwnerIdentity): readonly Doubt[] {
    return this.#known(owner)?.doubts.all ?? [];
  }

  /** Somebody has looked. */
  settled(owner: OwnerIdentity, doubt: Doubt): void {
    this.#known(owner)?.doubts.resolve(doubt);
  }

  /** The pod has changed since it was to be deleted; whether it still is, the next plan has to say. */
  podChanged(owner: OwnerIdentity, uid: string): void {
    this.#expectations.lowerDeletion(owner.key, uid);
    this.outdated(owner);
  }

  /** Something has changed since it was decided about. */
  outdated(owner: OwnerIdentity): void {
    this.#memoryOf(owner).isOutdated = true;
  }

  /** True, once, when something had changed: perhaps in a way that wakes nobody, so the caller has to try again. */
  wasOutdated(owner: OwnerIdentity): boolean {
    const memory = this.#known(owner);
    if (!memory?.isOutdated) return false;
    memory.isOutdated = false;
    return true;
  }

  /** To be called with every change of a pod; `ownersOf` has the keys of the owners that this memory is about. */
  observe(change: Change<Pod>, ownersOf: (pod: Pod) => Iterable<string>): void {
    // Seen, so it was created after all: its name is spent, even if the pod is gone before the next one needs a name.
    const { name, uid, deletionTimestamp } = change.object.metadata;
    const ownerUid = controllerOf(change.object)?.uid ?? '';
    const owners = new Set(ownersOf(change.object));
    for (const key of owners) {
      this.#expectations.observe(key, change);
      const memory = this.#known({ key, uid: ownerUid });
      memory?.unsure.delete(name);
      memory?.doubts.resolve({ of: 'create', name });
      if (change.type === 'deleted' || deletionTimestamp !== undefined)
        memory?.doubts.resolve({ of: 'delete', name, uid });
    }
    // Whoever it no longer belongs to will not be told of its end.
    const former = change.type === 'updated' ? [...ownersOf(change.old)].filter((key) => !owners.has(key)) : [];
    for (const key of former) this.#expectations.lowerDeletion(key, uid);
  }

  /** To be called by the reconcile that finds no owner of this key. */
  forget(key: string): void {
    this.#expectations.forget(key);
    this.#versions.forget(key);
    this.#memories.delete(key);
  }

  #known({ key, uid }: OwnerIdentity): Memory | undefined {
    const memory = this.#memories.get(key);
    return memory?.uid === uid ? memory : undefined;
  }

  /** A new owner of the same name starts with nothing. */
  #memoryOf(owner: OwnerIdentity): Memory {
    const known = this.#known(owner);
    if (known !== undefined) return known;
    const memory = {
      uid: owner.uid,
      unsure: new Map(),
      answered: new Set<string>(),
      doubts: new Doubts(),
      misfits: [],
      refusedWrites: new RefusedWrites(this.#clock),
      isOutdated: false,
    };
    this.#memories.set(owner.key, memory);
    return memory;
  }

  /** A pod that came and went between two lists is never shown, and would be waited for until the time limit. */
  #lowerAnswered(owner: OwnerIdentity): void {
    const { answered } = this.#known(owner) ?? {};
    for (const name of answered ?? []) this.#expectations.lowerCreation(owner.key, name);
    answered?.clear();
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

function isEmpty(memory: Memory | undefined): boolean {
  if (memory === undefined) return true;
  const { unsure, answered, doubts, misfits, refusedWrites, isOutdated } = memory;
  return !isOutdated && unsure.size + answered.size + doubts.all.length + misfits.length + refusedWrites.size === 0;
}
