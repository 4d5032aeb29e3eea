// A binary heap whose entries are found again by key, so that a queue can raise a priority or bring a date forward.
// Every operation is O(log n), looking one up is O(1). `compare` is negative when its first argument goes first;
// it must never call two different entries equal, or their order would depend on the heap's history.

export interface Keyed {
  readonly key: string;
}

export class Heap<Entry extends Keyed> {
  readonly #compare: (a: Entry, b: Entry) => number;
  /** Invariant: the entry at i does not go after those at 2i+1 and 2i+2. */
  readonly #entries: Entry[] = [];
  /** Invariant: `#entries[#positions.get(key)].key === key`, and nothing else is in here. */
  readonly #positions = new Map<string, number>();

  constructor(compare: (a: Entry, b: Entry) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** The entry that goes first, left in place. */
  peek(): Entry | undefined {
    return this.#entries[0];
  }

  get(key: string): Entry | undefined {
    const position = this.#positions.get(key);
    return position === undefined ? undefined : this.#entries[position];
  }

  /** Puts the entry in, in the place of an older one with the same key. */
  set(entry: Entry): void {
    const position = this.#positions.get(entry.key) ?? this.#entries.length;
    this.#place(entry, position);
    this.#restore(position);
  }

  /** Takes out the entry that goes first. */
  pop(): Entry | undefined {
    const first = this.#entries[0];
    if (first !== undefined) this.delete(first.key);
    return first;
  }

  delete(key: string): Entry | undefined {
    const position = this.#positions.get(key);
    if (position === undefined) return undefined;
    const removed = this.#entries[position];
    const last = this.#entries.pop();
    this.#positions.delete(key);
    if (last !== undefined && last !== removed) {
      this.#place(last, position);
      this.#restore(position);
    }
    return removed;
  }

  #place(entry: Entry, position: number): void {
    this.#entries[position] = entry;
    this.#positions.set(entry.key, position);
  }

  /** The entry at `position` is new there: it moves up or down until the first invariant holds again. */
  #restore(position: number): void {
    this.#sink(this.#rise(position));
  }

  #rise(start: number): number {
    let position = start;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      if (!this.#swapIfBefore(position, parent)) break;
      position = parent;
    }
    return position;
  }

  #sink(start: number): void {
    let position = start;
    for (;;) {
      const left = 2 * position + 1;
      const child = this.#goesBefore(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfBefore(child, position)) return;
      position = child;
    }
  }

  #swapIfBefore(lower: number, upper: number): boolean {
    const [a, b] = [this.#entries[lower], this.#entries[upper]];
    if (a === undefined || b === undefined || !this.#goesBefore(lower, upper)) return false;
    this.#place(a, upper);
    this.#place(b, lower);
    return true;
  }

  #goesBefore(position: number, other: number): boolean {
    const [a, b] = [this.#entries[position], this.#entries[other]];
    return a !== undefined && b !== undefined && this.#compare(a, b) < 0;
  }
}
