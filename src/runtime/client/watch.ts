// Turns the bytes of a watch into events for one reader. The reader sets the pace: when it falls behind, the server is
// held back. An ERROR frame, a broken frame and a cut connection are thrown as ApiErrors; an orderly end just ends.

import { ApiError } from '../errors.ts';
import type { KubeObject } from '../object.ts';
import { ByteStream } from './byte-stream.ts';
import { interruption } from './failure.ts';
import { LineSplitter } from './lines.ts';
import type { WatchEvent } from './options.ts';

export class EventStream<T extends KubeObject> extends ByteStream {
  readonly #title: string;
  readonly #textOf: (line: Buffer) => string;
  readonly #lines = new LineSplitter();

  /** `textOf` may leave out of an event what its reader does not want. */
  constructor(title: string, textOf: (line: Buffer) => string) {
    super(title);
    this.#title = title;
    this.#textOf = textOf;
  }

  /** Events in the order they came; throws what ended the stream once all of them have been read. */
  async *events(): AsyncGenerator<WatchEvent<T>, void, void> {
    for await (const chunk of this.chunks()) {
      for (const line of this.#lines.push(chunk)) yield this.#decode(line);
    }
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
