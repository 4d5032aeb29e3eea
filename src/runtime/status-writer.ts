// Writes the status of an object when it has changed. The first change is written at once, and so is every urgent one.
// Other changes are coalesced: they are written together, one interval after the last write, so that a thousand pods that
// become ready do not cause a thousand writes. Every write contains all changes up to then.

import { isDeepStrictEqual } from 'node:util';
import type { Client } from './client/client.ts';
import type { Clock } from './clock.ts';
import { checkAgainAfter, done, type Result, retry } from './controller/result.ts';
import { isApiError } from './errors.ts';
import { type Instant, later, msBetween } from './instant.ts';
import { type KubeObject, keyOf } from './object.ts';
import type { Resource } from './resource.ts';

/** Whether a status is written at once, or with later changes. */
export type StatusUrgency = 'now' | 'later';

/** What a status writer needs; an operator has it. */
export interface StatusWriterOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** The least time between two writes that are not urgent, in milliseconds. @default 100 */
  readonly intervalMs?: number;
}

/** While the API server is busy, an interval is this many times as long as the last write took. */
const INTERVAL_OF_WRITE = 50;
/** However slow the API server is, an interval is not longer than this. */
const LONGEST_INTERVAL_MS = 5_000;

/** What became of a status. */
export type StatusWritten =
  | { readonly wrote: 'now'; readonly resourceVersion: string }
  /** The status is due after this time, unless it becomes urgent. */
  | { readonly wrote: 'later'; readonly afterMs: number }
  /** The object has changed since it was read; the next reconcile sees it. */
  | { readonly wrote: 'conflict'; readonly message: string }
  | { readonly wrote: 'gone' };

interface LastWrite {
  readonly uid: string;
  readonly nextAt: Instant;
}

/** Writes the status of objects when it has changed. */
export class StatusWriter<T extends KubeObject & { readonly status?: object }> {
  readonly #resource: Resource<T>;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #intervalMs: number;
  /** By key. An object is forgotten when it is gone. */
  readonly #lastWrites = new Map<string, LastWrite>();

  constructor(resource: Resource<T>, { client, clock, intervalMs = 100 }: StatusWriterOptions) {
    this.#resource = resource;
    this.#client = client;
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  /** Writes `status` over the one that `object` has, unless that should wait. */
  async write(object: T, status: object, urgency: StatusUrgency, signal: AbortSignal): Promise<StatusWritten> {
    const { uid } = object.metadata;
    const key = keyOf(object.metadata);
    const startedAt = this.#clock.now();
    const last = this.#lastWrites.get(key);
    const afterMs = urgency === 'now' || last?.uid !== uid ? 0 : msBetween(startedAt, last.nextAt);
    if (afterMs > 0) return { wrote: 'later', afterMs };
    try {
      const written = await this.#patch(object, status, signal);
      const endedAt = this.#clock.now();
      const intervalMs = statusInterval(msBetween(startedAt, endedAt), this.#intervalMs);
      this.#lastWrites.set(key, { uid, nextAt: later(endedAt, intervalMs) });
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

  /** For the end of a reconcile: writes the status if the object has another, and says what happens next. */
  async keep(object: T, status: object, signal: AbortSignal): Promise<Result> {
    if (isDeepStrictEqual(object.status, status)) return done;
    const written = await this.write(object, status, 'later', signal);
    switch (written.wrote) {
      case 'now':
      case 'gone':
        return done;
      case 'later':
        return checkAgainAfter(written.afterMs);
      case 'conflict':
        return retry(written.message);
      default:
        return written satisfies never;
    }
  }

  /** The object is gone. */
  forget(key: string): void {
    this.#lastWrites.delete(key);
  }

  /** A merge patch: small, and refused with a conflict when the object has changed since the plan was made. */
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

/**
 * How long changes that are not urgent wait after a write that took `tookMs`. An API server that responds slowly is busy or
 * far away, and either way the status of one object takes no more than a fiftieth of its time.
 */
export function statusInterval(tookMs: number, leastMs: number): number {
  return Math.max(leastMs, Math.min(INTERVAL_OF_WRITE * tookMs, LONGEST_INTERVAL_MS));
}
