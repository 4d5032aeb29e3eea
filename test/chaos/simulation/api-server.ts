// An API server small enough to run thousands of times a second, with the manners that controllers depend on: names are
// unique, uids and resourceVersions are checked, one counter numbers all writes, a scheduled pod terminates before it
// goes, finalizers hold objects back, old versions are forgotten. Every write happens at one instant; what makes it slow,
// lost or late is the network's doing (model-client.ts).

import type { DeleteOptions, Patch, WriteOptions } from '../../../src/runtime/client/options.ts';
import { timestamp } from '../../../src/runtime/conditions.ts';
import { ApiError, type ApiFailure } from '../../../src/runtime/errors.ts';
import { type KubeObject, keyOf, type Manifest, type ObjectMeta, type ObjectRef } from '../../../src/runtime/object.ts';
import { apiVersionOf, type Resource } from '../../../src/runtime/resource.ts';
import { pods } from '../../../src/workload/write-context.ts';
import type { Admission } from './admission.ts';
import { type Loose, patched } from './patch.ts';

/** One write, as watches show it. */
export interface Commit {
  readonly resource: Resource;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  readonly version: number;
}

/** Called with every write and its author before any watch sees it. */
export type Witness = (commit: Commit, actor: string) => void;

interface Collection {
  readonly objects: Map<string, KubeObject>;
  readonly log: Commit[];
  readonly watchers: Set<(commit: Commit) => void>;
  /** Versions up to this one are forgotten. */
  compacted: number;
}

const GRACE_SECONDS = 30;
const CODES: Partial<Record<ApiFailure, number>> = {
  Forbidden: 403,
  NotFound: 404,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
};

export class ApiServer {
  readonly #clock: { now(): number };
  readonly #witness: Witness;
  /** A namespace whose quota allows nothing that is not a user's. */
  readonly #refusing: string;
  readonly #admission: Pick<Admission, 'admit' | 'judge'>;
  readonly #collections = new Map<string, Collection>();
  #version = 100;
  #uids = 0;

  constructor(
    clock: { now(): number },
    admission: Pick<Admission, 'admit' | 'judge'>,
    witness: Witness,
    refusing: string,
  ) {
    this.#clock = clock;
    this.#refusing = refusing;
    this.#admission = admission;
    this.#witness = witness;
  }

  get version(): number {
    return this.#version;
  }

  list<T extends KubeObject>(resource: Resource<T>): T[] {
    return [...this.#of(resource).objects.values()] as T[];
  }

  find<T extends KubeObject>(resource: Resource<T>, ref: ObjectRef): T | undefined {
    return this.#of(resource).objects.get(keyOf(ref)) as T | undefined;
  }

  get<T extends KubeObject>(resource: Resource<T>, ref: ObjectRef): T {
    const object = this.find(resource, ref);
    if (object === undefined) throw refusal('NotFound', resource, ref.name, 'not found');
    return object;
  }

  create<T extends KubeObject>(resource: Resource<T>, asked: Manifest<T>, actor: string): T {
    const { name = '', namespace = '' } = asked.metadata;
    if (namespace === this.#refusing && actor !== 'user') throw refusal('Forbidden', resource, name, 'exceeded quota');
    if (this.find(resource, { namespace, name })) throw refusal('AlreadyExists', resource, name, 'already exists');
    const manifest = this.#admission.admit(resource, asked, actor);
    this.#uids += 1;
    const metadata: ObjectMeta = {
      ...manifest.metadata,
      ...{ name, namespace, generation: 1, resourceVersion: '' },
      uid: `uid-${this.#uids}`,
      creationTimestamp: timestamp(this.#clock.now()),
    };
    const status = resource.plural === 'pods' ? { status: { phase: 'Pending' } } : {};
    const kind = { apiVersion: apiVersionOf(resource), kind: resource.kind };
    return this.#commit(resource, 'ADDED', { ...manifest, ...kind, ...status, metadata } as unknown as T, actor);
  }

  patch<T extends KubeObject>(resource: Resource<T>, ref: ObjectRef, patch: Patch, by: Change): T {
    const before = this.get(resource, ref) as T & Loose;
    const refuse = (reason: 'Conflict' | 'Invalid', why: string) => refusal(reason, resource, ref.name, why);
    const after = patched(before, patch, by.subresource, refuse) as T & Loose;
    const refused = this.#admission.judge(before, after, by.actor);
    if (refused !== undefined) throw refusal(refused, resource, ref.name, 'a policy protects its owner');
    const { uid, resourceVersion, generation = 0 } = before.metadata;
    // What each of its endpoints lets through was decided with the patch.
    if (resource.plural === pods.plural && patch.type === 'strategic') {
      return isSame(before, after) ? before : this.#settle(resource, after, by.actor);
    }
    // A status is written through its subresource alone, and through that nothing else.
    if (by.subresource === 'status') {
      if (isSame(before.status, after.status)) return before;
      return this.#settle(resource, { ...before, status: after.status }, by.actor);
    }
    const isNews = !isSame(before.spec, after.spec);
    const metadata = { ...after.metadata, uid, resourceVersion, generation: generation + Number(isNews) };
    const next = { ...after, ...('status' in before && { status: before.status }), metadata };
    return isSame(next, before) ? before : this.#settle(resource, next, by.actor);
  }

  /** Changes an object as its own kubelet, garbage collector or user would, whatever its version. */
  edit<T extends KubeObject>(resource: Resource<T>, object: T, actor: string): T {
    const before = this.find(resource, object.metadata);
    return before?.metadata.uid === object.metadata.uid ? this.#settle(resource, object, actor) : object;
  }

  delete<T extends KubeObject>(resource: Resource<T>, ref: ObjectRef, options: DeleteOptions & { actor: string }): T {
    const before = this.get(resource, ref);
    const { uid, resourceVersion } = options;
    if (uid !== undefined && uid !== before.metadata.uid)
      throw refusal('Conflict', resource, ref.name, `not uid ${uid}`);
    if (resourceVersion !== undefined && resourceVersion !== before.metadata.resourceVersion)
      throw refusal('Conflict', resource, ref.name, `not version ${resourceVersion}`);
    if (before.metadata.deletionTimestamp !== undefined) return before;
    const finalizers = [...(before.metadata.finalizers ?? []), ...finalizerOf(options)];
    const graceSeconds = isScheduled(before) && options.gracePeriodSeconds !== 0 ? GRACE_SECONDS : 0;
    const metadata = {
      ...before.metadata,
      ...(finalizers.length > 0 && { finalizers }),
      deletionTimestamp: timestamp(this.#clock.now() + graceSeconds * 1000),
      deletionGracePeriodSeconds: graceSeconds,
    };
    if (finalizers.length > 0 || graceSeconds > 0)
      return this.#commit(resource, 'MODIFIED', { ...before, metadata }, options.actor);
    return this.#commit(resource, 'DELETED', before, options.actor);
  }

  /** The object is gone at once: its containers have ended. */
  remove(resource: Resource, object: KubeObject, actor: string): void {
    const before = this.find(resource, object.metadata);
    if (before?.metadata.uid === object.metadata.uid) this.#commit(resource, 'DELETED', before, actor);
  }

  /** The commits after this version; Gone when they have been forgotten. */
  since(resource: Resource, version: number): readonly Commit[] {
    const { log, compacted } = this.#of(resource);
    if (version < compacted) throw new ApiError('Gone', `too old resource version: ${version}`, { code: 410 });
    return log.filter((commit) => commit.version > version);
  }

  /** Calls back for every commit until the returned function is called. */
  watch(resource: Resource, onCommit: (commit: Commit) => void): () => void {
    const { watchers } = this.#of(resource);
    watchers.add(onCommit);
    return () => watchers.delete(onCommit);
  }

  /** Forgets the past. */
  compact(): void {
    for (const collection of this.#collections.values()) collection.compacted = this.#version;
  }

  /** The objects as they were at an earlier version. */
  listAt<T extends KubeObject>(resource: Resource<T>, version: number): T[] {
    const { objects, log } = this.#of(resource);
    if (version >= this.#version) return [...objects.values()] as T[];
    const past = new Map<string, KubeObject>();
    for (const commit of log) {
      if (commit.version > version) break;
      if (commit.type === 'DELETED') past.delete(keyOf(commit.object.metadata));
      else past.set(keyOf(commit.object.metadata), commit.object);
    }
    return [...past.values()] as T[];
  }

  /** Stores the object, or lets it go if its last finalizer went. */
  #settle<T extends KubeObject>(resource: Resource<T>, object: T, actor: string): T {
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    const isGone = deletionTimestamp !== undefined && finalizers.length === 0 && resource.plural !== 'pods';
    return this.#commit(resource, isGone ? 'DELETED' : 'MODIFIED', object, actor);
  }

  #commit<T extends KubeObject>(resource: Resource<T>, type: Commit['type'], object: T, actor: string): T {
    this.#version += 1;
    const metadata = Object.freeze({ ...object.metadata, resourceVersion: String(this.#version) });
    const stored: T = Object.freeze({ ...object, metadata });
    const { objects, log, watchers } = this.#of(resource);
    if (type === 'DELETED') objects.delete(keyOf(metadata));
    else objects.set(keyOf(metadata), stored);
    const commit: Commit = { resource, type, object: stored, version: this.#version };
    log.push(commit);
    this.#witness(commit, actor);
    for (const tell of watchers) tell(commit);
    return stored;
  }

  #of({ plural }: Resource): Collection {
    const known = this.#collections.get(plural);
    if (known !== undefined) return known;
    const collection = { objects: new Map(), log: [], watchers: new Set<(commit: Commit) => void>(), compacted: 0 };
    this.#collections.set(plural, collection);
    return collection;
  }
}

export interface Change {
  readonly actor: string;
  readonly subresource?: WriteOptions['subresource'] | undefined;
}

/** As texts would be: another order is a change. What a patch leaves alone is the very same object, and not looked into. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const [names, others] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === others.length && names.every((name, at) => name === others[at] && isSame(one[name], other[name]))
  );
}

function isContainer(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null;
}

function isScheduled(object: KubeObject): boolean {
  return (object as { spec?: { nodeName?: string } }).spec?.nodeName !== undefined;
}

function finalizerOf({ propagationPolicy }: DeleteOptions): string[] {
  if (propagationPolicy === 'Foreground') return ['foregroundDeletion'];
  return propagationPolicy === 'Orphan' ? ['orphan'] : [];
}

function refusal(reason: ApiFailure, { plural }: Resource, name: string, why: string): ApiError {
  const message = `${plural} "${name}": ${why}`;
  return new ApiError(reason, message, { code: CODES[reason] ?? 422, status: { message } });
}
