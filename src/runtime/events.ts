// Reports to users what a controller did, as Events of the object.
//
// Guarantees
// - `record` returns at once and never throws: no reconcile waits for an event or fails because of one.
// - Memory is bounded: when the server is slow, repeated events become one write, and what is beyond the limit is lost.
// - A repeated event raises the count of the one there is; one that has expired on the server is created anew.
// - On stop, what has been recorded is still written, for as long as the deadline allows.

import type { Patch } from './client/options.ts';
import { type Clock, monotonicClock, sleep, type WallClock, wallClock } from './clock.ts';
import { isApiError } from './errors.ts';
import { Correlator, type EventRecord } from './events/correlator.ts';
import {
  type CoreEvent,
  coreEvents,
  type NewEvent,
  type RecordedEvent,
  type Reporter,
  referenceTo,
  type Typed,
} from './events/event.ts';
import { type Logger, silentLogger } from './log.ts';
import type { Phase, Runnable } from './manager/runnable.ts';
import type { KubeObject, ObjectRef } from './object.ts';
import { asOwner } from './owner.ts';
import type { Resource } from './resource.ts';

/** All that a controller needs to know of events. */
export interface EventRecorder {
  record(regarding: Typed, event: RecordedEvent): void;
  /** An object of the cache does not say of which kind it is. */
  record(regarding: KubeObject, event: RecordedEvent, resource: Resource): void;
}

/** The part of a client that is needed here. */
export interface EventSink {
  create(resource: Resource<CoreEvent>, event: NewEvent, options: { readonly signal: AbortSignal }): Promise<unknown>;
  patch(
    resource: Resource<CoreEvent>,
    ref: ObjectRef,
    patch: Patch,
    options: { readonly signal: AbortSignal },
  ): Promise<unknown>;
}

/** Settings of a broadcaster. */
export interface EventBroadcasterOptions {
  readonly client: EventSink;
  readonly reporter: Reporter;
  /** How many different events may wait to be written. @default 1000 */
  readonly maxWaiting?: number;
  /** How long writing may go on after a stop. @default 5_000 */
  readonly flushMs?: number;
  readonly clock?: Clock;
  /** For the timestamps of events. */
  readonly wallNow?: WallClock;
  readonly log?: Logger;
}

/** How long to wait before each further try when the server cannot be reached. */
const RETRY_AFTER_MS = [1_000, 5_000, 20_000];

/** Sends events to the API server: repeated ones as counts, floods combined. */
export class EventBroadcaster implements EventRecorder, Runnable {
  readonly name = 'events';
  /** Runs longer than the controllers, so that their last events are written, too. */
  readonly phase: Phase = 'standby';
  readonly #client: EventSink;
  readonly #correlator: Correlator;
  readonly #maxWaiting: number;
  readonly #flushMs: number;
  readonly #clock: Clock;
  readonly #log: Logger;
  /** A record that is in here once is written as it is then, however often it was recorded meanwhile. */
  readonly #waiting = new Set<EventRecord>();
  #wake: () => void = () => {};

  constructor(options: EventBroadcasterOptions) {
    this.#clock = options.clock ?? monotonicClock;
    this.#client = options.client;
    this.#correlator = new Correlator(this.#clock, options.wallNow ?? wallClock, options.reporter);
    this.#maxWaiting = options.maxWaiting ?? 1000;
    this.#flushMs = options.flushMs ?? 5_000;
    this.#log = options.log ?? silentLogger;
  }

  record(regarding: KubeObject, event: RecordedEvent, resource?: Resource): void {
    const typed = (resource === undefined ? regarding : asOwner(regarding, resource)) as Typed;
    const record = this.#correlator.correlate(referenceTo(typed), event);
    if (record === undefined) return;
    if (this.#waiting.size >= this.#maxWaiting && !this.#waiting.has(record)) {
      this.#log.debug('too many events are waiting, one is lost', { event: record.event });
      return;
    }
    this.#waiting.add(record);
    this.#wake();
  }

  /** Writes until the signal aborts, then what is left, for as long as the deadline allows. */
  async start(signal: AbortSignal): Promise<void> {
    const deadline = new AbortController();
    const armDeadline = (): void => {
      timer = this.#clock.after(this.#flushMs, () => deadline.abort());
      this.#wake();
    };
    let timer: { cancel(): void } | undefined;
    signal.addEventListener('abort', armDeadline, { once: true });
    if (signal.aborted) armDeadline();
    while (!deadline.signal.aborted) {
      const [next] = this.#waiting;
      if (next !== undefined) await this.#write(next, deadline.signal);
      else if (signal.aborted) break;
      else await this.#woken();
    }
    timer?.cancel();
    if (this.#waiting.size > 0) this.#log.warn('events were not written in time', { events: this.#waiting.size });
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #write(record: EventRecord, signal: AbortSignal): Promise<void> {
    for (const retryAfterMs of [...RETRY_AFTER_MS, undefined]) {
      this.#waiting.delete(record);
      const error = await this.#store(record, signal).catch((reason: unknown) => reason);
      if (error === undefined) return;
      if (!isPassing(error) || retryAfterMs === undefined) {
        this.#log.warn('event could not be written', { event: record.event, error });
        return;
      }
      // The signal ended the wait; the loop checks it.
      await sleep(this.#clock, retryAfterMs, signal).catch(() => {});
      if (signal.aborted) return;
    }
  }

  async #store(record: EventRecord, signal: AbortSignal): Promise<void> {
    const { event } = record;
    if (record.isStored && (await this.#raiseCount(event, signal))) return;
    try {
      await this.#client.create(coreEvents, event, { signal });
    } catch (error) {
      // An earlier try got through although its answer was lost.
      if (!isApiError(error, 'AlreadyExists')) throw error;
    }
    record.isStored = true;
  }

  /** False when the server has forgotten the event. */
  async #raiseCount({ metadata, count, message, lastTimestamp }: NewEvent, signal: AbortSignal): Promise<boolean> {
    try {
      const patch: Patch = { type: 'merge', body: { count, message, lastTimestamp } };
      await this.#client.patch(coreEvents, metadata, patch, { signal });
      return true;
    } catch (error) {
      if (isApiError(error, 'NotFound')) return false;
      throw error;
    }
  }
}

/** True of failures after which a retry can succeed: the API server has not judged the event. */
function isPassing(error: unknown): boolean {
  return isApiError(error, 'Connection', 'Timeout', 'ServerError', 'TooManyRequests');
}
