import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Heap } from '../../../src/runtime/queue/heap.ts';

interface Entry {
  readonly key: string;
  readonly rank: number;
}

const byRankThenKey = (a: Entry, b: Entry): number => a.rank - b.rank || a.key.localeCompare(b.key);

type Operation =
  | { readonly do: 'set'; readonly key: string; readonly rank: number }
  | { readonly do: 'delete'; readonly key: string }
  | { readonly do: 'pop' };

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('set' as const), key, rank: fc.integer({ min: 0, max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), key }) },
  { weight: 2, arbitrary: fc.constant({ do: 'pop' as const }) },
);

/** The same heap, kept as a sorted list. */
class SortedList {
  #entries: Entry[] = [];

  run(operation: Operation): Entry | undefined {
    const found =
      operation.do === 'pop' ? this.#entries[0] : this.#entries.find((entry) => entry.key === operation.key);
    this.#entries = this.#entries.filter((entry) => entry !== found);
    if (operation.do === 'set') {
      this.#entries.push({ key: operation.key, rank: operation.rank });
      this.#entries.sort(byRankThenKey);
    }
    return operation.do === 'set' ? undefined : found;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }
}

function run(heap: Heap<Entry>, operation: Operation): Entry | undefined {
  switch (operation.do) {
    case 'set':
      heap.set({ key: operation.key, rank: operation.rank });
      return undefined;
    case 'delete':
      return heap.delete(operation.key);
    case 'pop':
      return heap.pop();
  }
}

describe('Heap', () => {
  it('behaves as a sorted list would, whatever is put in, replaced and taken out', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60, size: 'max' }), (operations) => {
        const heap = new Heap<Entry>(byRankThenKey);
        const list = new SortedList();
        for (const step of operations) {
          expect(run(heap, step)).toEqual(list.run(step));
          expect(heap.size).toBe(list.entries.length);
          expect(heap.peek()).toEqual(list.entries[0]);
          for (const entry of list.entries) expect(heap.get(entry.key)).toEqual(entry);
        }
        expect(Array.from({ length: heap.size }, () => heap.pop())).toEqual(list.entries);
      }),
    );
  });

  it('is empty again after everything has been popped', () => {
    const heap = new Heap<Entry>(byRankThenKey);
    heap.set({ key: 'a', rank: 1 });
    expect(heap.pop()?.key).toBe('a');
    expect(heap.pop()).toBeUndefined();
    expect(heap.get('a')).toBeUndefined();
  });

  it('needs about log2(n) comparisons to take one of 50,000 entries', () => {
    let comparisons = 0;
    const heap = new Heap<Entry>((a, b) => {
      comparisons++;
      return byRankThenKey(a, b);
    });
    for (let i = 0; i < 50_000; i++) heap.set({ key: `k${i}`, rank: (i * 7919) % 50_000 });
    comparisons = 0;
    heap.pop();
    expect(comparisons).toBeLessThan(2 * 17 + 2);
  });
});
