// Writes an object's status when it has changed, and not more often than makes sense: changes that only move counts
// wait for company, so that a thousand pods becoming ready do not become a thousand writes. What people wait for – a
// condition, a new generation observed – is written at once.

import type { Client } from './client/client.ts';
import type { Clock } from './clock.ts';
import { isApiError } from './errors.ts';
import type { KubeObject } from './object.ts';
import type { Resource } from './resource.ts';

export type StatusUrgency = 'now' | 'soon';

export interface StatusWriterOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** How long counts wait for company. @default 1000 */
  readonly everyMs?: number;
}

export type StatusWritten =
  | { readonly wrote: 'now'; readonly resourceVersion: string }
  /** Too soon after the last write: ask again at this time. */
  | { readonly wrote: 'later'; readonly at: number }
  /** The object changed under us; the next reconcile sees it. */
  | { readonly wrote: 'conflict'; readonly message: string }
  | { readonly wrote: 'gone' };

export class StatusWriter<T extends KubeObject & { readonly status?: object }> {
  readonly #resource: Resource<T>;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #lastWrite = new Map<string, number>();

  constructor(resource: Resource<T>, { client, clock, everyMs = 1000 }: StatusWriterOptions) {
    this.#resource = resource;
    this.#client = client;
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  /** Writes `status` over the one that `object` has, unless that should wait. */
  async write(object: T, status: object, urgency: StatusUrgency, signal: AbortSignal): Promise<StatusWritten> {
    const { uid } = object.metadata;
    const due = (this.#lastWrite.get(uid) ?? 0) + this.#everyMs;
    if (urgency === 'soon' && due > this.#clock.now()) return { wrote: 'later', at: due };
    try {
      const written = await this.#patch(object, status, signal);
      this.#lastWrite.set(uid, this.#clock.now());
      return { wrote: 'now', resourceVersion: written.metadata.resourceVersion };
    } catch (error) {
      if (isApiError(error, 'NotFound')) return { wrote: 'gone' };
      if (isApiError(error, 'Conflict')) return { wrote: 'conflict', message: error.status?.message ?? error.message };
      throw error;
    }
  }

  /** The object is gone. */
  forget(uid: string): void {
    this.#lastWrite.delete(uid);
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
