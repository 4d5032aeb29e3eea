// One HTTP exchange on an undici dispatcher, with what undici's own `request` does not tell: whether any byte of the
// request may have left. The gate is asked at the last moment before the first byte is written, after all waiting for a
// free socket, so that a process that lost its lease while it was frozen sends nothing when it resumes.

import type { Dispatcher } from 'undici';
import { AnswerTooLong } from '../errors.ts';
import type { Headers } from './credentials.ts';

export interface HttpRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Empty when the body goes to a ChunkSink. */
  readonly body: Buffer;
}

/** Takes a 2xx body piece by piece, as it arrives. */
export interface ChunkSink {
  start(flow: Flow): void;
  chunk(bytes: Buffer): void;
  end(): void;
  fail(error: NoAnswer): void;
}

/** Lets a slow reader hold the server back. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/** How an answer is read. */
export interface Reading {
  /** The most bytes of a 2xx body. @default no limit */
  readonly longest?: number | undefined;
  /** Where a 2xx body goes instead of into the answer. */
  readonly sink?: ChunkSink | undefined;
}

export interface Guard {
  /** Made for this call: listeners are left on it. */
  readonly signal: AbortSignal;
  /** Throws when the request must not leave. */
  readonly gate: () => void;
}

/** No complete answer arrived. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** False only when it is certain that the server has not seen the request. */
  readonly sent: boolean;

  constructor(sent: boolean, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.sent = sent;
  }
}

/** Sends and resolves with the whole answer; with a sink, resolves at a 2xx head and lets the body follow there. */
export function send(
  dispatcher: Dispatcher,
  request: HttpRequest,
  guard: Guard,
  reading: Reading = {},
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const exchange = new Exchange({ resolve, reject }, guard, reading);
    try {
      guard.signal.throwIfAborted();
      guard.gate();
      // `reset: false` keeps the socket open after a DELETE with a body, which undici closes otherwise.
      dispatcher.dispatch({ ...request, headers: { ...request.headers }, reset: false }, exchange);
    } catch (error) {
      exchange.fail(error);
    }
  });
}

interface Promised {
  readonly resolve: (answer: HttpAnswer) => void;
  readonly reject: (error: NoAnswer) => void;
}

const NOTHING = Buffer.alloc(0);

/** The longest refusal that is read: of a longer one the rest says nothing new, and its connection is closed. */
const LONGEST_REFUSAL = 2 * 1024 * 1024;

class Exchange implements Dispatcher.DispatchHandler {
  readonly #promised: Promised;
  readonly #guard: Guard;
  readonly #sink: ChunkSink | undefined;
  readonly #longest: number;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: HttpAnswer['headers'] = {};
  #streaming = false;
  #sent = false;
  #over = false;

  constructor(promised: Promised, guard: Guard, { sink, longest = Number.POSITIVE_INFINITY }: Reading) {
    this.#promised = promised;
    this.#guard = guard;
    this.#sink = sink;
    this.#longest = longest;
    guard.signal.addEventListener('abort', () => this.fail(guard.signal.reason));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) {
      controller.abort(new Error('request was given up before it was sent'));
      return;
    }
    try {
      this.#guard.gate();
      this.#sent = true;
    } catch (error) {
      this.fail(error);
    }
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: HttpAnswer['headers']): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (this.#sink === undefined || status >= 300) return;
    this.#streaming = true;
    this.#sink.start(controller);
    this.#promised.resolve({ status, headers, body: NOTHING });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#streaming) this.#sink?.chunk(chunk);
    else this.#keep(chunk);
  }

  onResponseEnd(): void {
    if (!this.#finish()) return;
    if (this.#streaming) this.#sink?.end();
    const [first = NOTHING, ...rest] = this.#chunks;
    const body = rest.length === 0 ? first : Buffer.concat(this.#chunks);
    this.#promised.resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  fail(error: unknown): void {
    if (!this.#finish()) return;
    const noAnswer = new NoAnswer(this.#sent, error);
    this.#promised.reject(noAnswer);
    if (this.#streaming) this.#sink?.fail(noAnswer);
    // After #finish, so that the error undici reports for this abort changes nothing.
    this.#controller?.abort(noAnswer);
  }

  #keep(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#status < 300) {
      if (this.#length > this.#longest) this.fail(new AnswerTooLong(this.#longest));
    } else if (this.#length > LONGEST_REFUSAL) {
      this.onResponseEnd();
      this.#controller?.abort(new Error('the refusal is too long to be read'));
    }
  }

  #finish(): boolean {
    if (this.#over) return false;
    this.#over = true;
    return true;
  }
}
