// The body of an answer that goes on for as long as the server likes, for one reader: a watch, or a log that is followed. The reader
// sets the pace: when it falls behind, the server is held back. A cut connection is thrown as an ApiError; an orderly end just ends.

import type { ApiError } from '../errors.ts';
import { unanswered } from './failure.ts';
import type { ChunkSink, Flow, NoAnswer } from './send.ts';

/** Chunks waiting to be read; one holds up to 64 KiB. */
const MOST_WAITING = 16;

export class ByteStream implements ChunkSink {
  readonly #name: string;
  readonly #waiting: Buffer[] = [];
  #flow: Flow | undefined;
  #end: 'open' | 'ended' | ApiError = 'open';
  #wake: () => void = () => {};

  /** The name stands in errors. */
  constructor(name: string) {
    this.#name = name;
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
    this.#end = unanswered(this.#name, error);
    this.#wake();
  }

  /** Chunks in the order they came; throws what ended the stream once all of them have been read. */
  async *chunks(): AsyncGenerator<Buffer, void, void> {
    for (;;) {
      for (let chunk = this.#waiting.shift(); chunk !== undefined; chunk = this.#waiting.shift()) yield chunk;
      if (this.#end === 'open') await this.#more();
      else if (this.#waiting.length === 0) break;
    }
    if (this.#end !== 'ended') throw this.#end;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#flow?.resume();
    });
  }
}
