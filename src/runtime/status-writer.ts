// Writes an object's status when it has changed. Updates are coalesced: changes that are not urgent are delayed so that several
// become one write, because a thousand pods that become ready must not cause a thousand writes, each of which costs the API
// server as much as three Events. Failures are written at once, changed conditions after 100 ms, counts after a second, or after
// up to five while the API server is slow. A write contains everything that has changed until then.

import type { Client } from './client/client.ts';
import type { Clock } from './clock.ts';
import { isApiError } from './errors.ts';
import { type Instant, msBetween } from './instant.ts';
import { type KubeObject, keyOf } from './object.ts';
import type { Resource } from './resource.ts';
import { Slowness } from './slowness.ts';

/** `soon` is too short for users to notice, and long enough to coalesce changes with the same cause. */
export type StatusUrgency = 'now' | 'soon' | 'later';

export interface StatusWriterOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** The delay of changes that are not urgent; up to 5 s while the API server is slow. @default 1000 */
  readonly laterMs?: number;
}

const SOON_MS = 100;
/** The longest delay while the API server is slow: users notice a status that is older. */
const MAX_DELAY_MS = 5000;

export type StatusWritten =
  | { readonly wrote: 'now'; readonly resourceVersion: string }
  /** The write is delayed: call again after this time. */
  | { readonly wrote: 'later'; readonly afterMs: number }
  /** The object has changed meanwhile; the next reconcile sees it. */
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
  /** Delayed writes by key. The framework forgets a key together with the owner's writes (consistency/write-tracker.ts). */
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

  /** No write is delayed any more: the status was written, or the object is gone. */
  forget(key: string): void {
    this.#waiting.delete(key);
  }

  /** How long the status still waits; 0 or less when it is due. */
  #waitMs({ metadata }: T, urgency: StatusUrgency, now: Instant): number {
    const known = this.#waiting.get(keyOf(metadata));
    const waiting = known?.uid === metadata.uid ? known : { uid: metadata.uid, since: now };
    this.#waiting.set(keyOf(metadata), waiting);
    const leftMs = this.#delayMs(urgency) - msBetween(waiting.since, now);
    if (leftMs > 0 || urgency !== 'later') return leftMs;
    // This reconcile may be the first after something has begun to change, and the urgent change may follow in a moment.
    waiting.overdueSince ??= now;
    return this.#delayMs('soon') - msBetween(waiting.overdueSince, now);
  }

  #delayMs(urgency: StatusUrgency): number {
    switch (urgency) {
      case 'now':
        return 0;
      case 'soon':
        return Math.min(SOON_MS, this.#laterMs);
      case 'later':
        return Math.max(this.#laterMs, Math.min(this.#laterMs * this.#slowness.times, MAX_DELAY_MS));
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
