// Turns the bytes of a watch into events for one reader. The reader sets the pace: when it falls behind, the server is
// held back. An ERROR frame, a broken frame and a cut connection are thrown as ApiErrors; an orderly end just ends.

import { ApiError } from '../errors.ts';
import type { KubeObject } from '../object.ts';
import { interruption, unanswered } from './failure.ts';
import { LineSplitter } from './lines.ts';
import type { WatchEvent } from './options.ts';
import type { ChunkSink, Flow, NoAnswer } from './send.ts';

/** Chunks waiting to be decoded; one holds up to 64 KiB. */
const MOST_WAITING = 16;

export class EventStream<T extends KubeObject> implements ChunkSink {
  readonly #title: string;
  readonly #textOf: (line: Buffer) => string;
  readonly #lines = new LineSplitter();
  readonly #waiting: Buffer[] = [];
  #flow: Flow | undefined;
  #end: 'open' | 'ended' | ApiError = 'open';
  #wake: () => void = () => {};

  /** `textOf` may leave out of an event what its reader does not want. */
  constructor(title: string, textOf: (line: Buffer) => string) {
    this.#title = title;
    this.#textOf = textOf;
  }

  start(flow: Flow): void {
    this.#flow = flow;
  }

  chunk(bytes: Buffer): void {
    this.#waiting.push(bytes);
    if (this.#waiting.length >= MOST_WAITING) this.#flow?.pause();
    this.#wake();
  }

  end(): void {
    this.#end = 'ended';
    this.#wake();
  }

  fail(error: NoAnswer): void {
    this.#end = unanswered(this.#title, error);
    this.#wake();
  }

  /** Events in the order they came; throws what ended the stream once all of them have been read. */
  async *events(): AsyncGenerator<WatchEvent<T>, void, void> {
    for (;;) {
      for (let chunk = this.#waiting.shift(); chunk !== undefined; chunk = this.#waiting.shift()) {
        for (const line of this.#lines.push(chunk)) yield this.#decode(line);
      }
      if (this.#end === 'open') await this.#more();
      else if (this.#waiting.length === 0) return this.#close(this.#end);
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#flow?.resume();
    });
  }

  #close(end: 'ended' | ApiError): void {
    if (end !== 'ended') throw end;
    if (this.#lines.pending > 0) {
      throw new ApiError('Connection', `${this.#title}: Connection: stream ended inside a frame`);
    }
  }

  #decode(line: Buffer): WatchEvent<T> {
    const frame = this.#parse(line);
    if (frame.type === 'ERROR') throw interruption(this.#title, frame.object);
    return frame;
  }

  #parse(line: Buffer): WatchEvent<T> | { readonly type: 'ERROR'; readonly object: object } {
    try {
      return JSON.parse(this.#textOf(line));
    } catch (cause) {
      throw new ApiError('Connection', `${this.#title}: Connection: broken frame ${line.toString('utf8', 0, 100)}`, {
        cause,
      });
    }
  }
}
