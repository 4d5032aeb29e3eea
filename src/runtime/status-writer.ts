// Writes an object's status when it has changed, and not more often than makes sense: a change may wait for company, so
// that a thousand pods becoming ready do not become a thousand writes. How long depends on who waits for it: what went
// wrong is told at once, news a moment later, details after a second, or after a few while the server has much to do: the
// status of a custom resource costs it as much as three Events. Whatever is told takes the rest along.

import type { Client } from './client/client.ts';
import type { Clock } from './clock.ts';
import { isApiError } from './errors.ts';
import { type Instant, msBetween } from './instant.ts';
import { type KubeObject, keyOf } from './object.ts';
import type { Resource } from './resource.ts';
import { Slowness } from './slowness.ts';

/** `soon` is too short for people to notice, and long enough for what follows from the same cause. */
export type StatusUrgency = 'now' | 'soon' | 'later';

export interface StatusWriterOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** How long what may be told later waits for company while the server is quick; up to 5 s while it is not. @default 1000 */
  readonly laterMs?: number;
}

const SOON_MS = 100;
/** How long details may wait for a busy server: after five seconds people begin to wonder. */
const MOST_PATIENCE_MS = 5000;

export type StatusWritten =
  | { readonly wrote: 'now'; readonly resourceVersion: string }
  /** It still waits for company: ask again after this time. */
  | { readonly wrote: 'later'; readonly afterMs: number }
  /** The object changed under us; the next reconcile sees it. */
  | { readonly wrote: 'conflict'; readonly message: string }
  | { readonly wrote: 'gone' };

interface Waiting {
  readonly uid: string;
  readonly since: Instant;
  overdueSince?: Instant;
}

export class StatusWriter<T extends KubeObject & { readonly status?: object }> {
  readonly #resource: Resource<T>;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #laterMs: number;
  readonly #slowness = new Slowness();
  /** By key, where the status is not what it should be. Forgotten as the memory of own writes is: see own-writes.ts. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(resource: Resource<T>, { client, clock, laterMs = 1000 }: StatusWriterOptions) {
    this.#resource = resource;
    this.#client = client;
    this.#clock = clock;
    this.#laterMs = laterMs;
  }

  /** Writes `status` over the one that `object` has, unless that should wait. */
  async write(object: T, status: object, urgency: StatusUrgency, signal: AbortSignal): Promise<StatusWritten> {
    const key = keyOf(object.metadata);
    const now = this.#clock.now();
    const afterMs = this.#waitMs(object, urgency, now);
    if (afterMs > 0) return { wrote: 'later', afterMs };
    try {
      const written = await this.#patch(object, status, signal);
      this.#slowness.note(msBetween(now, this.#clock.now()));
      this.forget(key);
      return { wrote: 'now', resourceVersion: written.metadata.resourceVersion };
    } catch (error) {
      if (isApiError(error, 'NotFound')) {
        this.forget(key);
        return { wrote: 'gone' };
      }
      if (isApiError(error, 'Conflict')) return { wrote: 'conflict', message: error.status?.message ?? error.message };
      throw error;
    }
  }

  /** Nothing waits any more: it was told, or the object is gone. */
  forget(key: string): void {
    this.#waiting.delete(key);
  }

  /** How long the status still waits; 0 or less when it is due. */
  #waitMs({ metadata }: T, urgency: StatusUrgency, now: Instant): number {
    const known = this.#waiting.get(keyOf(metadata));
    const waiting = known?.uid === metadata.uid ? known : { uid: metadata.uid, since: now };
    this.#waiting.set(keyOf(metadata), waiting);
    const leftMs = this.#patienceMs(urgency) - msBetween(waiting.since, now);
    if (leftMs > 0 || urgency !== 'later') return leftMs;
    // We may have been asked because something has begun to change, and the news may be a moment away.
    waiting.overdueSince ??= now;
    return this.#patienceMs('soon') - msBetween(waiting.overdueSince, now);
  }

  #patienceMs(urgency: StatusUrgency): number {
    switch (urgency) {
      case 'now':
        return 0;
      case 'soon':
        return Math.min(SOON_MS, this.#laterMs);
      case 'later':
        return Math.max(this.#laterMs, Math.min(this.#laterMs * this.#slowness.times, MOST_PATIENCE_MS));
      default:
        return urgency satisfies never;
    }
  }

  /** A merge patch: small, and refused with a conflict when the object is no longer the one that was planned for. */
  #patch(object: T, status: object, signal: AbortSignal): Promise<T> {
    const { name, namespace, uid, resourceVersion } = object.metadata;
    const removed = Object.keys(object.status ?? {}).filter((field) => !(field in status));
    const body = {
      metadata: { uid, resourceVersion },
      status: { ...Object.fromEntries(removed.map((field) => [field, null])), ...status },
    };
    const ref = namespace === undefined ? { name } : { namespace, name };
    return this.#client.patch(this.#resource, ref, { type: 'merge', body }, { subresource: 'status', signal });
  }
}
