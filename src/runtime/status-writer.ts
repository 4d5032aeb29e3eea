// Writes an object's status when it has changed, and not more often than makes sense: a change may wait for company, so
// that a thousand pods becoming ready do not become a thousand writes. How long depends on who waits for it: what went
// wrong is told at once, a condition a moment later, mere counts after a second. Whatever is told takes the rest along.

import type { Client } from './client/client.ts';
import type { Clock } from './clock.ts';
import { isApiError } from './errors.ts';
import type { KubeObject } from './object.ts';
import type { Resource } from './resource.ts';

/** `soon` is too short for people to notice, and long enough for what follows from the same cause. */
export type StatusUrgency = 'now' | 'soon' | 'later';

export interface StatusWriterOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** How long what may be told later waits for company. @default 1000 */
  readonly laterMs?: number;
}

const SOON_MS = 100;

export type StatusWritten =
  | { readonly wrote: 'now'; readonly resourceVersion: string }
  /** It still waits for company: ask again at this time. */
  | { readonly wrote: 'later'; readonly at: number }
  /** The object changed under us; the next reconcile sees it. */
  | { readonly wrote: 'conflict'; readonly message: string }
  | { readonly wrote: 'gone' };

export class StatusWriter<T extends KubeObject & { readonly status?: object }> {
  readonly #resource: Resource<T>;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #patienceMs: Readonly<Record<StatusUrgency, number>>;
  /** By uid: since when the status is not what it should be. */
  readonly #waitingSince = new Map<string, number>();

  constructor(resource: Resource<T>, { client, clock, laterMs = 1000 }: StatusWriterOptions) {
    this.#resource = resource;
    this.#client = client;
    this.#clock = clock;
    this.#patienceMs = { now: 0, soon: Math.min(SOON_MS, laterMs), later: laterMs };
  }

  /** Writes `status` over the one that `object` has, unless that should wait. */
  async write(object: T, status: object, urgency: StatusUrgency, signal: AbortSignal): Promise<StatusWritten> {
    const { uid } = object.metadata;
    const now = this.#clock.now();
    // Somebody may have set the clock back.
    const since = Math.min(now, this.#waitingSince.get(uid) ?? now);
    this.#waitingSince.set(uid, since);
    const due = since + this.#patienceMs[urgency];
    if (due > now) return { wrote: 'later', at: due };
    try {
      const written = await this.#patch(object, status, signal);
      this.forget(uid);
      return { wrote: 'now', resourceVersion: written.metadata.resourceVersion };
    } catch (error) {
      if (isApiError(error, 'NotFound')) {
        this.forget(uid);
        return { wrote: 'gone' };
      }
      if (isApiError(error, 'Conflict')) return { wrote: 'conflict', message: error.status?.message ?? error.message };
      throw error;
    }
  }

  /** Nothing waits any more: it was told, or the object is gone. */
  forget(uid: string): void {
    this.#waitingSince.delete(uid);
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
