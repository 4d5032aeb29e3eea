// Keeps a sink equal to what the server has, for one resource and scope: fills it, follows changes, and heals.
//
// Guarantees: runs until its signal aborts, whatever the server or the network does; resumes from the last version it
// saw; fills anew, and so finds what it missed, only when the server no longer has that version; never asks faster than
// the back-off allows, also when watches open and end at once. After a stop there is no timer and no socket.
//
// A fill is streamed where the server can do that; one that refuses is asked for pages. A watch is silent at most for a
// minute, the server's bookmark interval, unless something is wrong: a half-open socket looks just so, and is given up
// after `silenceMs`.

import type { Client } from '../client/client.ts';
import type { Selection, WatchEvent } from '../client/options.ts';
import { type Clock, type Instant, monotonicClock, msBetween, sleep } from '../clock.ts';
import { isApiError } from '../errors.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { KubeObject } from '../object.ts';
import { groupResourceOf, type Resource } from '../resource.ts';
import { Backoff, type BackoffLimits } from './backoff.ts';
import { type Filled, fillByPages, StreamedFill } from './fill.ts';
import type { Prepare } from './transform.ts';
import { Watchdog } from './watchdog.ts';

/** Where a reflector puts what it sees. */
export interface ReflectorSink<T extends KubeObject> {
  /** These, and no others, are the objects at this version. */
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
  readonly sink: ReflectorSink<T>;
}

export interface ReflectorOptions {
  readonly clock?: Clock;
  readonly log?: Logger;
  /** In [0, 1). */
  readonly random?: () => number;
  /** Silence after which a watch is given up: two bookmarks missed and some slack. @default 150_000 */
  readonly silenceMs?: number;
  /** Objects a page where the server cannot stream. @default 500 */
  readonly pageSize?: number;
  readonly backoff?: BackoffLimits;
}

/** For liveness checks and debugging. */
export interface ReflectorHealth {
  readonly phase: 'stopped' | 'filling' | 'watching' | 'waiting';
  /** When the server was last heard of; undefined before the first time. */
  readonly lastActivityAt: Instant | undefined;
  /** Attempts in a row that ended early. */
  readonly failures: number;
  readonly lastError: unknown;
}

const DEFAULT_SILENCE_MS = 150_000;
const DEFAULT_PAGE_SIZE = 500;
/** Five seconds at most: a cache should be right again seconds after its server is, and a process has few reflectors. */
const DEFAULT_BACKOFF: BackoffLimits = { firstMs: 200, longestMs: 5_000, healthyAfterMs: 5_000 };
/** A watch begins at once or something is wrong; a fill may have to wait for the server's own cache. */
const OPENING_TIMEOUT_MS = 30_000;
/** The server ends watches after 5 to 10 minutes: spread, so that they do not all come back together. */
const SHORTEST_WATCH_SECONDS = 300;
/** A server that asks for more patience than this is asked again all the same: a blind cache helps nobody. */
const LONGEST_RETRY_AFTER_MS = 60_000;

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
    while (!signal.aborted) {
      this.#openedAt = undefined;
      try {
        await this.#follow(signal);
        await this.#rest(signal);
      } catch (error) {
        if (!signal.aborted && !this.#fallBack(error)) await this.#recover(error, signal);
      }
    }
    this.#phase = 'stopped';
  }

  async #follow(signal: AbortSignal): Promise<void> {
    this.#phase = this.#version === undefined ? 'filling' : 'watching';
    if (this.#version === undefined && !this.#streams) await this.#fillByPages(signal);
    await this.#watch(signal);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const silence = new AbortController();
    const onStop = (): void => silence.abort(signal.reason);
    signal.addEventListener('abort', onStop);
    const watchdog = new Watchdog(this.#clock, this.#silenceMs, () => {
      silence.abort(new Error(`heard nothing for ${this.#silenceMs} ms`));
    });
    try {
      let fill = this.#version === undefined ? new StreamedFill(this.#about.prepare) : undefined;
      for await (const event of this.#open(silence.signal)) {
        watchdog.heard();
        this.#lastActivityAt = watchdog.heardAt;
        const filled = fill === undefined ? this.#apply(event) : fill.take(event);
        if (filled === undefined) continue;
        this.#filled(filled);
        // A watch lasts, and would keep the first version of every object alive.
        fill = undefined;
      }
    } finally {
      watchdog.stop();
      signal.removeEventListener('abort', onStop);
    }
  }

  #open(signal: AbortSignal): AsyncIterable<WatchEvent<T>> {
    const { resource, scope } = this.#about;
    const start =
      this.#version === undefined
        ? ({ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } as const)
        : { resourceVersion: this.#version };
    return this.#client.watch(resource, {
      ...scope,
      ...start,
      allowWatchBookmarks: true,
      omitManagedFields: true,
      timeoutSeconds: Math.round(SHORTEST_WATCH_SECONDS * (1 + this.#random())),
      timeoutMs: OPENING_TIMEOUT_MS,
      // This loop has a back-off of its own.
      attempts: 1,
      signal,
      onOpen: () => this.#onOpen(),
    });
  }

  #onOpen(): void {
    this.#openedAt = this.#clock.now();
    this.#lastActivityAt = this.#openedAt;
  }

  #apply(event: WatchEvent<T>): undefined {
    const { sink, prepare } = this.#about;
    const { resourceVersion } = event.object.metadata;
    switch (event.type) {
      case 'ADDED':
      case 'MODIFIED':
        sink.put(prepare(event.object));
        break;
      case 'DELETED':
        sink.remove(prepare(event.object));
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

  #filled({ objects, resourceVersion }: Filled<T>): void {
    this.#about.sink.replace(objects, resourceVersion);
    this.#version = resourceVersion;
    this.#phase = 'watching';
  }

  async #fillByPages(signal: AbortSignal): Promise<void> {
    const { resource, scope, prepare } = this.#about;
    const options = { ...scope, limit: this.#pageSize, omitManagedFields: true, attempts: 1, signal };
    this.#filled(await fillByPages(this.#client, { resource, options, prepare }));
    this.#lastActivityAt = this.#clock.now();
  }

  /** True when the server refused to stream a fill, and pages are to be tried at once. */
  #fallBack(error: unknown): boolean {
    const refused = this.#streams && this.#version === undefined && isApiError(error, 'BadRequest', 'Invalid');
    if (refused) this.#streams = false;
    return refused;
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    this.#lastError = error;
    if (isApiError(error, 'Gone')) this.#version = undefined;
    // Opened and then silent: there are servers that accept to stream and do not know how.
    const neverFilled = this.#phase === 'filling' && this.#openedAt !== undefined;
    if (neverFilled && isApiError(error, 'Aborted')) this.#streams = false;
    await this.#rest(signal, error);
  }

  async #rest(signal: AbortSignal, error?: unknown): Promise<void> {
    const lastedMs = this.#openedAt === undefined ? 0 : msBetween(this.#openedAt, this.#clock.now());
    const asked = isApiError(error) ? (error.retryAfterMs ?? 0) : 0;
    const delayMs = Math.max(Math.min(asked, LONGEST_RETRY_AFTER_MS), this.#backoff.after(lastedMs));
    this.#phase = 'waiting';
    if (error === undefined) this.#log.debug('watch ended', { lastedMs, delayMs });
    else this.#log.warn('watch failed', { lastedMs, delayMs, error });
    try {
      await sleep(this.#clock, delayMs, signal);
    } catch {
      // Stopped while resting: `run` sees the signal.
    }
  }
}
