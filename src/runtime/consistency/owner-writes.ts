// What a controller has written for one owner, as a handle for one reconcile: objects by name before they are created and
// by UID before they are deleted, everything else by its version.
//
// A create whose response was lost leaves its name behind. That name is used before any new one, so that a second attempt
// meets the first (AlreadyExists) instead of creating one object more. A write that may or may not have been carried out
// is unconfirmed until the operator has read the object (confirm.ts): the next plan may differ and never come back to it.

import type { Change } from '../cache/informer.ts';
import { type Instant, later } from '../instant.ts';
import { type KubeObject, refOf } from '../object.ts';
import { groupResourceOf, type Resource } from '../resource.ts';
import { Expectations } from './expectations.ts';
import { NO_REFUSALS, type Refusal, type Refusals } from './refusals.ts';
import { RefusedWrites } from './refused-writes.ts';
import type { WriteTrackerOptions } from './write-tracker.ts';
import { WrittenVersions } from './written-versions.ts';

/** How long a cache may lag before the reconcile looks again without having been woken. */
const LOOK_AGAIN_MS = 1000;

/** An owner by key and UID, so that a new owner of the same name starts with nothing. */
export interface OwnerIdentity {
  /** `namespace/name`, or `name`. */
  readonly key: string;
  readonly uid: string;
}

/** A write whose response was lost, or which was refused perhaps because an earlier attempt had succeeded. */
export type UnconfirmedWrite =
  | { readonly write: 'create' | 'update'; readonly resource: Resource; readonly name: string }
  | { readonly write: 'delete'; readonly resource: Resource; readonly name: string; readonly uid: string };

/** An object that admission changed so that its owner does not recognize it. */
export interface Misfit {
  readonly name: string;
  readonly uid: string;
  /** What happened to it, in words. */
  readonly why: string;
}

export interface Naming {
  /** A name that has probably not been used yet. */
  readonly next: () => string;
  /** True when the cache shows an object of that name. */
  readonly isThere: (name: string) => boolean;
}

/** What is remembered of one owner. */
export interface OwnerRecord {
  readonly uid: string;
  readonly expectations: Expectations;
  readonly versions: WrittenVersions;
  /** Names whose create may have succeeded, with the variant (a revision's hash) that they are for. */
  readonly reusableNames: Map<string, string | undefined>;
  /** Names whose create was answered with a version, so that a cache which got that far has seen them. */
  readonly answered: Set<string>;
  readonly unconfirmed: Map<string, UnconfirmedWrite>;
  /** Objects that are not known to be gone. */
  misfits: readonly Misfit[];
  readonly refusedWrites: RefusedWrites;
  /** An object of the owner changed between a decision about it and the write. */
  isOutdated: boolean;
}

export class OwnerWrites {
  readonly #owner: OwnerIdentity;
  readonly #records: Map<string, OwnerRecord>;
  readonly #options: WriteTrackerOptions;

  constructor(owner: OwnerIdentity, records: Map<string, OwnerRecord>, options: WriteTrackerOptions) {
    this.#owner = owner;
    this.#records = records;
    this.#options = options;
  }

  /** Undefined when the cache shows everything that was written; otherwise when to look again at the latest. */
  behindUntil(): Instant | undefined {
    const { key } = this.#owner;
    const { clock, lastSynced, observer } = this.#options;
    const record = this.#known;
    if (record === undefined) this.#records.delete(key);
    const stale = record?.versions.staleRead(refOf(key).namespace, lastSynced);
    if (record !== undefined && stale === undefined) lowerAnswered(record);
    if (stale === undefined && (record === undefined || record.expectations.satisfied())) {
      if (record !== undefined && isSettled(record)) this.#records.delete(key);
      return undefined;
    }
    observer?.staleSkip(stale?.groupResource ?? 'pods');
    return later(clock.now(), LOOK_AGAIN_MS);
  }

  /** A write succeeded, and the object is now at this version. */
  wrote(resource: Resource, resourceVersion: string): void {
    this.#record.versions.wrote(groupResourceOf(resource), resourceVersion);
  }

  /** Names for new objects of a variant, expected from now on. Names of unconfirmed creates come first. */
  expectNewObjects(variant: string | undefined, count: number, { next, isThere }: Naming): string[] {
    const { reusableNames, expectations } = this.#record;
    for (const name of reusableNames.keys()) if (isThere(name)) reusableNames.delete(name);
    const reused = [...reusableNames].filter(([, of]) => of === variant).map(([name]) => name);
    const names = reused.slice(0, count);
    while (names.length < count) {
      const name = next();
      if (!names.includes(name) && !isThere(name)) names.push(name);
    }
    expectations.expectCreations(names);
    return names;
  }

  /** To be called before objects of given names are created. */
  expectCreations(names: Iterable<string>): void {
    this.#record.expectations.expectCreations(names);
  }

  /** The object exists: created just now, or by an attempt whose response was lost. The cache will show it. */
  created(resource: Resource, name: string, resourceVersion = ''): void {
    const { reusableNames, answered } = this.#record;
    reusableNames.delete(name);
    this.confirmed({ write: 'create', resource, name });
    const isComparable = /^\d+$/.test(resourceVersion);
    if (isComparable) answered.add(name);
  }

  /** This attempt created nothing. It says nothing about an earlier one of the same name, whose response was lost. */
  notCreated(name: string): void {
    this.#known?.expectations.lowerCreation(name);
  }

  /** The object may have been created: the next one of this variant gets its name. */
  perhapsCreated(resource: Resource, name: string, variant: string | undefined): void {
    // The watch may have been quicker than the response: an object that was seen needs no second attempt.
    if (!this.#known?.expectations.expectsCreation(name)) return;
    const { reusableNames, expectations } = this.#record;
    reusableNames.set(name, variant);
    this.#unconfirmed({ write: 'create', resource, name });
    expectations.lowerCreation(name);
  }

  /** To be called before the delete requests are sent. */
  expectDeletions(uids: Iterable<string>): void {
    this.#record.expectations.expectDeletions(uids);
  }

  notDeleted(uid: string): void {
    this.#known?.expectations.lowerDeletion(uid);
  }

  perhapsDeleted(resource: Resource, { name, uid }: { readonly name: string; readonly uid: string }): void {
    // The watch may have been quicker than the response.
    if (!this.#known?.expectations.expectsDeletion(uid)) return;
    this.#unconfirmed({ write: 'delete', resource, name, uid });
  }

  /** The object may have been written: a refusal may be that of a second attempt, after a response was lost. */
  perhapsUpdated(resource: Resource, name: string): void {
    this.#unconfirmed({ write: 'update', resource, name });
  }

  /** Writes that may or may not have been carried out. */
  get unconfirmed(): readonly UnconfirmedWrite[] {
    return [...(this.#known?.unconfirmed.values() ?? [])];
  }

  /** The operator has read the object, or the watch has shown it. */
  confirmed(write: UnconfirmedWrite): void {
    this.#known?.unconfirmed.delete(keyOf(write));
  }

  addMisfit(misfit: Misfit): void {
    const record = this.#record;
    record.misfits = [...record.misfits, misfit];
  }

  /** The objects that have to be gone before others are created: there are never more than one attempt creates. */
  get misfits(): readonly Misfit[] {
    return this.#known?.misfits ?? [];
  }

  /** The object is gone. */
  removeMisfit({ uid }: Misfit): void {
    const record = this.#record;
    record.misfits = record.misfits.filter((misfit) => misfit.uid !== uid);
  }

  /** The API server refused this write, and would refuse it again. */
  noteRefusal(what: string, refusal: Refusal): void {
    this.#record.refusedWrites.note(what, refusal);
  }

  /** The write was granted, or is no longer wanted. */
  clearRefusal(what: string): void {
    this.#known?.refusedWrites.clear(what);
  }

  /** What is not to be tried again yet. */
  get refusals(): Refusals {
    return this.#known?.refusedWrites.refusals ?? NO_REFUSALS;
  }

  /** An object has changed since a plan decided about it. */
  outdated(): void {
    this.#record.isOutdated = true;
  }

  /** True, once, when an object had changed: perhaps in a way that wakes no reconcile, so the caller has to try again. */
  wasOutdated(): boolean {
    const record = this.#known;
    if (!record?.isOutdated) return false;
    record.isOutdated = false;
    return true;
  }

  /** Takes note of a change of one of the owner's objects. */
  observe(change: Change<KubeObject>): void {
    const record = this.#records.get(this.#owner.key);
    // Expectations are met by name and UID, so they may be lowered even if the object has another controller by now.
    record?.expectations.observe(change);
    if (record?.uid !== this.#owner.uid) return;
    const { name, uid, deletionTimestamp } = change.object.metadata;
    // The object was created after all: its name is used, even if the object is gone before the next one needs a name.
    record.reusableNames.delete(name);
    const isDeleted = change.type === 'deleted' || deletionTimestamp !== undefined;
    for (const write of record.unconfirmed.values()) {
      if (write.write === 'create' && write.name === name) this.confirmed(write);
      if (write.write === 'delete' && write.uid === uid && isDeleted) this.confirmed(write);
    }
  }

  get #known(): OwnerRecord | undefined {
    const record = this.#records.get(this.#owner.key);
    return record?.uid === this.#owner.uid ? record : undefined;
  }

  get #record(): OwnerRecord {
    const known = this.#known;
    if (known !== undefined) return known;
    const { clock, observer } = this.#options;
    const record: OwnerRecord = {
      uid: this.#owner.uid,
      expectations: new Expectations({ clock, onLeak: (pending) => observer?.leaked(pending) }),
      versions: new WrittenVersions(),
      reusableNames: new Map(),
      answered: new Set(),
      unconfirmed: new Map(),
      misfits: [],
      refusedWrites: new RefusedWrites(clock),
      isOutdated: false,
    };
    this.#records.set(this.#owner.key, record);
    return record;
  }

  #unconfirmed(write: UnconfirmedWrite): void {
    this.#record.unconfirmed.set(keyOf(write), write);
  }
}

/** An object that came and went between two lists is never shown, and would be waited for until the time limit. */
function lowerAnswered({ answered, expectations }: OwnerRecord): void {
  for (const name of answered) expectations.lowerCreation(name);
  answered.clear();
}

/** A name identifies a create or an update; a delete is about one object, whatever its name. */
function keyOf(write: UnconfirmedWrite): string {
  const { plural } = write.resource;
  return write.write === 'delete' ? `delete ${plural} ${write.uid}` : `${write.write} ${plural} ${write.name}`;
}

/** True when nothing but what the cache has shown is left of a record. */
function isSettled({ reusableNames, unconfirmed, misfits, refusedWrites, isOutdated }: OwnerRecord): boolean {
  return reusableNames.size + unconfirmed.size + misfits.length === 0 && refusedWrites.isEmpty && !isOutdated;
}
