// Files over HTTP, written to disk while they are hashed.
// Guarantees: a cut transfer goes on where it stopped; tries are bounded and pause in between; a host that has never
// answered gets one try and is not asked again, so that a machine without network moves on within seconds.

import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { type Clock, sleep } from '../../runtime/clock.ts';
import type { DownloadLimits } from './settings.ts';
import { Watchdog } from './watchdog.ts';

/** `unreachable`: the host does not answer. `refused`: it has no such file for us. `failed`: no try succeeded. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  readonly kind: 'unreachable' | 'refused' | 'failed';

  constructor(kind: DownloadError['kind'], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

export interface FileRequest {
  readonly url: string;
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
  readonly onBytes: (done: number, total?: number) => void;
}

/** How far a transfer has come: what is on disk, and the hash of exactly that. */
interface Transfer {
  readonly file: FileHandle;
  hash: Hash;
  done: number;
}

export class Downloader {
  readonly #limits: DownloadLimits;
  readonly #clock: Clock;
  readonly #answered = new Set<string>();
  readonly #unreachable = new Map<string, DownloadError>();

  constructor(limits: DownloadLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Fetches a small text. */
  text(url: string, signal?: AbortSignal): Promise<string> {
    return this.#persist(url, signal, async (watchdog) => {
      const response = await this.#request(url, 0, watchdog);
      return response.text();
    });
  }

  /** Fetches a file to `path` and resolves with its SHA-256. */
  async file({ url, path, signal, onBytes }: FileRequest): Promise<string> {
    const file = await open(path, 'w');
    const transfer: Transfer = { file, hash: createHash('sha256'), done: 0 };
    try {
      await this.#persist(url, signal, (watchdog) => this.#receive(transfer, url, watchdog, onBytes));
    } finally {
      await file.close();
    }
    return transfer.hash.digest('hex');
  }

  async #receive(transfer: Transfer, url: string, watchdog: Watchdog, onBytes: FileRequest['onBytes']): Promise<void> {
    const response = await this.#request(url, transfer.done, watchdog);
    if (transfer.done > 0 && !continues(response, transfer.done)) await restart(transfer, response);
    const length = Number(response.headers.get('content-length'));
    const total = length > 0 ? transfer.done + length : undefined;
    for await (const chunk of response.body ?? []) {
      watchdog.expect('data', this.#limits.stallMs);
      await transfer.file.write(chunk, 0, chunk.length, transfer.done);
      transfer.hash.update(chunk);
      transfer.done += chunk.length;
      onBytes(transfer.done, total);
    }
  }

  async #request(url: string, from: number, watchdog: Watchdog): Promise<Response> {
    watchdog.expect('answer', this.#limits.answerMs);
    const response = await fetch(url, {
      signal: watchdog.signal,
      // Ranges and checksums are those of the file itself, not of a compressed form of it.
      headers: { 'accept-encoding': 'identity', ...(from > 0 ? { range: `bytes=${from}-` } : {}) },
    });
    this.#answered.add(new URL(url).origin);
    watchdog.expect('data', this.#limits.stallMs);
    // 416 answers a range that starts at the end: the cut came after the last byte, or the file has changed.
    if (response.ok || (response.status === 416 && from > 0)) return response;
    await response.body?.cancel();
    const kind = response.status >= 500 || response.status === 429 ? 'failed' : 'refused';
    throw new DownloadError(kind, `${url} answers ${response.status}`);
  }

  /** Tries until it succeeds, is final, or has been tried often enough. */
  async #persist<T>(url: string, signal: AbortSignal | undefined, attempt: (w: Watchdog) => Promise<T>): Promise<T> {
    const { origin } = new URL(url);
    const known = this.#unreachable.get(origin);
    if (known !== undefined) throw known;
    for (let tries = 1; ; tries++) {
      const watchdog = new Watchdog(this.#clock, signal);
      try {
        return await attempt(watchdog);
      } catch (error) {
        signal?.throwIfAborted();
        const failure = this.#classify(url, tries, error);
        if (failure !== undefined) throw failure;
      } finally {
        watchdog.stop();
      }
      await sleep(this.#clock, this.#limits.backoffMs * 2 ** (tries - 1), signal);
    }
  }

  /** What to give up with, or undefined when another try is worth it. */
  #classify(url: string, tries: number, error: unknown): DownloadError | undefined {
    if (error instanceof DownloadError && error.kind === 'refused') return error;
    const { origin } = new URL(url);
    if (!this.#answered.has(origin)) {
      const unreachable = new DownloadError('unreachable', `${origin} does not answer (${reason(error)})`, error);
      this.#unreachable.set(origin, unreachable);
      return unreachable;
    }
    if (tries < this.#limits.attempts) return undefined;
    return new DownloadError('failed', `${url} failed ${tries} times, at last: ${reason(error)}`, error);
  }
}

/** Whether a response is the rest of what `done` bytes began. */
function continues(response: Response, done: number): boolean {
  return response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${done}-`) === true;
}

/** Forgets what has come so far: the server sends the whole file again (200), or something that does not fit. */
async function restart(transfer: Transfer, response: Response): Promise<void> {
  await transfer.file.truncate(0);
  transfer.hash = createHash('sha256');
  transfer.done = 0;
  if (response.status === 200) return;
  await response.body?.cancel();
  throw new Error(`the answer to a range request, ${response.status}, does not continue the file`);
}

/** The innermost cause: fetch itself only says that it failed. */
function reason(error: unknown): string {
  const { cause, code, message } = error as NodeJS.ErrnoException;
  return cause === undefined ? (code ?? message) : reason(cause);
}
