// Keeps a sink equal to the API server, for one resource and scope: fills it, follows changes, and recovers.
//
// Guarantees: runs until its signal aborts, whatever the API server or the network does; resumes from the last version
// it saw; fills again, and so finds what it missed, when the API server no longer has that version or when `fillAnew`
// asks for it; never asks faster than the back-off allows, even when watches open and end at once. After a stop there
// is no timer and no socket.
//
// A fill is streamed where the API server supports it, and paged otherwise. The watch after it is a separate request,
// which the API server is asked to end within half a minute, with a bookmark shortly before the end. So a watch that is
// silent for longer has lost its connection, however quiet the cluster is. It is closed `silenceMs` after the last
// data.

import type { Client } from '../client/client.ts';
import type { Selection, WatchEvent } from '../client/options.ts';
import { type Clock, monotonicClock, sleep } from '../clock.ts';
import { isApiError } from '../errors.ts';
import { type Instant, msBetween } from '../instant.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { KubeObject } from '../object.ts';
import { groupResourceOf, type Resource } from '../resource.ts';
import { Backoff, type BackoffLimits } from './backoff.ts';
import { type Filled, fillByPages, fillByStream } from './fill.ts';
import type { Prepare } from './transform.ts';
import { Watchdog } from './watchdog.ts';

/** Where a reflector puts what it sees. */
export interface ReflectorSink<T extends KubeObject> {
  /** Exactly these objects exist at this version. */
  replace(objects: ReadonlyMap<string, T>, resourceVersion: string): void;
  /** The object is new or has changed. */
  put(object: T): void;
  /** The object is gone; this is its last state. */
  remove(object: T): void;
  /** Everything up to this version has been seen. */
  progress(resourceVersion: string): void;
}

export interface Reflection<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly scope: Selection;
  /** Trims a fresh object before it is kept anywhere. */
  readonly prepare: Prepare<T>;
  /** False for objects outside of the scope, for API servers that do not know every selector. @default all are inside */
  readonly keeps?: (object: T) => boolean;
  readonly sink: ReflectorSink<T>;
}

export interface ReflectorOptions {
  readonly clock?: Clock;
  readonly log?: Logger;
  /** In [0, 1). */
  readonly random?: () => number;
  /** Silence after which a watch is given up: its longest time and some slack. @default 40_000 */
  readonly silenceMs?: number;
  /** Objects a page, of lists that are not streamed. @default 500 */
  readonly pageSize?: number;
  readonly backoff?: BackoffLimits;
}

/** For liveness checks and debugging. */
export interface ReflectorHealth {
  readonly phase: 'stopped' | 'filling' | 'watching' | 'waiting';
  /** When the API server last sent anything; undefined before the first time. */
  readonly lastActivityAt: Instant | undefined;
  /** Attempts in a row that ended early. */
  readonly failures: number;
  readonly lastError: unknown;
}

/** client-go notices a half-open connection after 45 s: it pings after 30 s of silence, and waits 15 s for the answer. */
const DEFAULT_SILENCE_MS = 40_000;
export const DEFAULT_PAGE_SIZE = 500;
/** At most five seconds: a cache should recover seconds after its API server does, and a process has few reflectors. */
const DEFAULT_BACKOFF: BackoffLimits = { firstMs: 200, longestMs: 5_000, healthyAfterMs: 5_000 };
/** A watch begins at once or something is wrong; a fill may have to wait for the API server's own cache. */
const OPENING_TIMEOUT_MS = 30_000;
/** The API server ends watches after 20 to 30 s, spread so that they do not all reconnect together. */
const SHORTEST_WATCH_SECONDS = 20;
/** The API server must not end a fill by time; a silent one is closed as any watch. */
const LONGEST_FILL_SECONDS = 3_600;
/** The longest Retry-After that is respected: beyond it a stale cache does more harm than one more request. */
const LONGEST_RETRY_AFTER_MS = 60_000;

const all = (): boolean => true;

/** Why a healthy attempt was ended. */
const FILL_ANEW = new Error('everything is listed anew');

export class Reflector<T extends KubeObject> {
  readonly #client: Pick<Client, 'list' | 'pages' | 'watch'>;
  readonly #about: Reflection<T>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #random: () => number;
  readonly #silenceMs: number;
  readonly #pageSize: number;
  readonly #backoff: Backoff;
  /** Where to resume; undefined when the sink must be filled. */
  #version: string | undefined;
  /** False once the server has shown that it cannot stream a fill. */
  #streams = true;
  #phase: ReflectorHealth['phase'] = 'stopped';
  #stop = new AbortController().signal;
  /** Aborts the running attempt. */
  #attempt = new AbortController();
  /** Waits for a fill that begins from now on. */
  #refill: PromiseWithResolvers<void> | undefined;
  #openedAt: Instant | undefined;
  #lastActivityAt: Instant | undefined;
  #lastError: unknown;

  constructor(client: Pick<Client, 'list' | 'pages' | 'watch'>, about: Reflection<T>, options: ReflectorOptions = {}) {
    this.#client = client;
    this.#about = about;
    this.#clock = options.clock ?? monotonicClock;
    this.#random = options.random ?? Math.random;
    this.#silenceMs = options.silenceMs ?? DEFAULT_SILENCE_MS;
    this.#pageSize = options.pageSize ?? DEFAULT_PAGE_SIZE;
    this.#backoff = new Backoff(options.backoff ?? DEFAULT_BACKOFF, this.#random);
    this.#log = (options.log ?? silentLogger).with({ resource: groupResourceOf(about.resource), ...about.scope });
  }

  get health(): ReflectorHealth {
    return {
      phase: this.#phase,
      lastActivityAt: this.#lastActivityAt,
      failures: this.#backoff.failures,
      lastError: this.#lastError,
    };
  }

  /** Resolves after the signal has aborted; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const onStop = (): void => this.#attempt.abort(signal.reason);
    signal.addEventListener('abort', onStop);
    this.#stop = signal;
    while (!signal.aborted) {
      this.#openedAt = undefined;
      if (this.#refill !== undefined) this.#version = undefined;
      try {
        await this.#follow(this.#begin());
        await this.#rest();
      } catch (error) {
        if (!signal.aborted && !this.#startsOver(error)) await this.#recover(error);
      }
    }
    signal.removeEventListener('abort', onStop);
    this.#phase = 'stopped';
  }

  /** Ends the running attempt and lists everything again; resolves when the sink shows that list. */
  fillAnew(): Promise<void> {
    this.#refill ??= Promise.withResolvers();
    this.#attempt.abort(FILL_ANEW);
    return this.#refill.promise;
  }

  /** The signal of what begins now: a fill and its watch, or the wait after them. */
  #begin(): AbortSignal {
    this.#attempt = new AbortController();
    if (this.#stop.aborted) this.#attempt.abort(this.#stop.reason);
    return this.#attempt.signal;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const watchdog = new Watchdog(this.#clock, this.#silenceMs, () => {
      this.#attempt.abort(new Error(`heard nothing for ${this.#silenceMs} ms`));
    });
    const heard = (): void => {
      watchdog.heard();
      this.#lastActivityAt = watchdog.heardAt;
    };
    try {
      this.#phase = this.#version === undefined ? 'filling' : 'watching';
      if (this.#version === undefined) this.#filled(await this.#fill(signal, heard), signal);
      await this.#watch(signal, heard);
    } finally {
      watchdog.stop();
    }
  }

  async #fill(signal: AbortSignal, heard: () => void): Promise<Filled<T>> {
    const { resource, scope, prepare, keeps = all } = this.#about;
    // This loop has its own back-off, so each request is tried once.
    const common = { ...scope, omitManagedFields: true, attempts: 1, signal };
    if (!this.#streams) {
      return fillByPages(this.#client, {
        resource,
        options: { ...common, limit: this.#pageSize },
        prepare,
        keeps,
        heard,
      });
    }
    const options = {
      ...common,
      timeoutSeconds: LONGEST_FILL_SECONDS,
      timeoutMs: OPENING_TIMEOUT_MS,
      onOpen: () => this.#onOpen(heard),
    };
    return fillByStream(this.#client, { resource, options, prepare, keeps, heard });
  }

  async #watch(signal: AbortSignal, heard: () => void): Promise<void> {
    const { resource, scope } = this.#about;
    const watch = this.#client.watch(resource, {
      ...scope,
      resourceVersion: this.#version as string,
      allowWatchBookmarks: true,
      omitManagedFields: true,
      timeoutSeconds: Math.round(SHORTEST_WATCH_SECONDS * (1 + this.#random() / 2)),
      timeoutMs: OPENING_TIMEOUT_MS,
      attempts: 1,
      signal,
      onOpen: () => this.#onOpen(heard),
    });
    for await (const event of watch) {
      heard();
      this.#apply(event, signal);
    }
  }

  #onOpen(heard: () => void): void {
    this.#openedAt ??= this.#clock.now();
    heard();
  }

  /** Data that arrived before an attempt was ended may be read after it, and is ignored. */
  #apply(event: WatchEvent<T>, signal: AbortSignal): void {
    signal.throwIfAborted();
    const { sink, prepare, keeps = all } = this.#about;
    const { resourceVersion } = event.object.metadata;
    switch (event.type) {
      case 'ADDED':
      case 'MODIFIED':
        if (keeps(event.object)) sink.put(prepare(event.object));
        else sink.progress(resourceVersion);
        break;
      case 'DELETED':
        if (keeps(event.object)) sink.remove(prepare(event.object));
        else sink.progress(resourceVersion);
        break;
      case 'BOOKMARK':
        sink.progress(resourceVersion);
        break;
      default:
        event satisfies never;
    }
    // Last, so that nothing counts as seen before it is stored.
    this.#version = resourceVersion;
  }

  #filled({ objects, resourceVersion }: Filled<T>, signal: AbortSignal): void {
    signal.throwIfAborted();
    this.#about.sink.replace(objects, resourceVersion);
    this.#version = resourceVersion;
    this.#phase = 'watching';
    this.#refill?.resolve();
    this.#refill = undefined;
  }

  /** True when the next attempt begins at once: it was requested, or the API server refused to stream a fill. */
  #startsOver(error: unknown): boolean {
    if (this.#attempt.signal.reason === FILL_ANEW) return true;
    const refused = this.#streams && this.#version === undefined && isApiError(error, 'BadRequest', 'Invalid');
    if (refused) this.#streams = false;
    return refused;
  }

  async #recover(error: unknown): Promise<void> {
    this.#lastError = error;
    if (isApiError(error, 'Gone')) this.#version = undefined;
    // Opened and then silent: some API servers accept a streamed fill and never send it.
    const neverFilled = this.#phase === 'filling' && this.#openedAt !== undefined;
    if (neverFilled && isApiError(error, 'Aborted')) this.#streams = false;
    await this.#rest(error);
  }

  /** A watch that ended normally is opened again at once, so that changes are not delayed. */
  async #rest(error?: unknown): Promise<void> {
    const lastedMs = this.#openedAt === undefined ? 0 : msBetween(this.#openedAt, this.#clock.now());
    const asked = isApiError(error) ? (error.retryAfterMs ?? 0) : 0;
    const delayMs = Math.max(Math.min(asked, LONGEST_RETRY_AFTER_MS), this.#backoff.after(lastedMs));
    if (error === undefined && this.#backoff.failures === 0) return;
    this.#phase = 'waiting';
    if (error === undefined) this.#log.debug('watch ended', { lastedMs, delayMs });
    else this.#log.warn('watch failed', { lastedMs, delayMs, error });
    try {
      await sleep(this.#clock, delayMs, this.#begin());
    } catch {
      // Stopped or asked to fill again while waiting: `run` handles it.
    }
  }
}
