// Sends one view to every tab that shows it. The rows are computed once for all of them, and a frame has only what changed since
// the frame before. A tab that has not read the last frame gets no other until it has, and then all that it missed as one.

import { printable } from '../../terminal/printable.ts';

/** The rows of a view by key, as they are now. */
export type RowsOf = () => Iterable<readonly [key: string, row: unknown]>;

/** A tab that shows the view. */
export interface Reader {
  /** Sends a frame; false when the tab has not read the earlier ones yet. */
  send(frame: string): boolean;
}

/** A row as it was sent: before control characters are spelled out, and after. */
interface Sent {
  readonly raw: string;
  readonly safe: string;
}

export class Broadcast {
  readonly #rowsOf: RowsOf;
  readonly #readers = new Set<Reader>();
  /** The tabs that have not read the last frame, with the keys that have changed since. */
  readonly #behind = new Map<Reader, Set<string>>();
  #sent: ReadonlyMap<string, Sent> = new Map();

  constructor(rowsOf: RowsOf) {
    this.#rowsOf = rowsOf;
  }

  get isUnused(): boolean {
    return this.#readers.size === 0;
  }

  /** Sends everything to this tab, and changes from now on. */
  add(reader: Reader): void {
    this.tell();
    this.#readers.add(reader);
    this.#send(reader, this.#frame(this.#sent.keys(), '"reset":true,'));
  }

  remove(reader: Reader): void {
    this.#readers.delete(reader);
    this.#behind.delete(reader);
  }

  /** The tab has read every frame. */
  drained(reader: Reader): void {
    const missed = this.#behind.get(reader);
    this.#behind.delete(reader);
    if (missed !== undefined && missed.size > 0) this.#send(reader, this.#frame(missed));
  }

  /** Sends what changed since the last frame. */
  tell(): void {
    const changed = this.#refresh();
    if (changed.length === 0) return;
    const frame = this.#frame(changed);
    for (const reader of this.#readers) {
      const missed = this.#behind.get(reader);
      if (missed === undefined) this.#send(reader, frame);
      else for (const key of changed) missed.add(key);
    }
  }

  /** Computes the rows anew; returns the keys of those that are new, different or gone. */
  #refresh(): readonly string[] {
    const rows = new Map<string, Sent>();
    const changed: string[] = [];
    for (const [key, row] of this.#rowsOf()) {
      const raw = JSON.stringify(row);
      const known = this.#sent.get(key);
      const isSame = known?.raw === raw;
      rows.set(key, isSame ? known : { raw, safe: JSON.stringify(printable(row)) });
      if (!isSame) changed.push(key);
    }
    for (const key of this.#sent.keys()) if (!rows.has(key)) changed.push(key);
    this.#sent = rows;
    return changed;
  }

  /** The present rows of these keys, and which of the keys have none. */
  #frame(keys: Iterable<string>, prefix = ''): string {
    const set: string[] = [];
    const drop: string[] = [];
    for (const key of keys) {
      const row = this.#sent.get(key);
      if (row === undefined) drop.push(key);
      else set.push(`${JSON.stringify(key)}:${row.safe}`);
    }
    return `{${prefix}"set":{${set.join()}},"drop":${JSON.stringify(drop)}}`;
  }

  #send(reader: Reader, frame: string): void {
    if (!reader.send(frame)) this.#behind.set(reader, new Set());
  }
}
