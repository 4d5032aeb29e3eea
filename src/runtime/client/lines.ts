// Cuts a byte stream into lines without ever copying a byte more than once: pieces of an unfinished line wait in a list
// and are joined when its end arrives. Lines are bytes, so a character split over chunks stays whole.

const NEWLINE = 0x0a;

export class LineSplitter {
  #pieces: Buffer[] = [];

  /** The lines that this chunk completes. Empty lines are left out. */
  *push(chunk: Buffer): Generator<Buffer> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = this.#complete(chunk, start, end);
      start = end + 1;
      if (line.length > 0) yield line;
    }
    if (start < chunk.length) this.#pieces.push(chunk.subarray(start));
  }

  /** How many bytes of an unfinished line are waiting. */
  get pending(): number {
    return this.#pieces.reduce((total, piece) => total + piece.length, 0);
  }

  #complete(chunk: Buffer, start: number, end: number): Buffer {
    const rest = chunk.subarray(start, end);
    if (this.#pieces.length === 0) return rest;
    const line = Buffer.concat([...this.#pieces, rest]);
    this.#pieces = [];
    return line;
  }
}
