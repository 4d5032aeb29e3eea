import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FairLine, type Waiting } from '../../../src/runtime/queue/fair-line.ts';

/** The same line, said in the plainest way. */
class NaiveLine {
  #waiting: Waiting[] = [];
  /** The namespaces that wait, in the order of their turns. */
  #namespaces: string[] = [];

  set(waiting: Waiting): void {
    this.#waiting = [...this.#waiting.filter(({ key }) => key !== waiting.key), waiting];
    if (!this.#namespaces.includes(namespaceOf(waiting))) this.#namespaces.push(namespaceOf(waiting));
  }

  pop(): Waiting | undefined {
    const highest = Math.max(...this.#waiting.map(({ priority }) => priority));
    const best = this.#waiting.filter(({ priority }) => priority === highest);
    const next = this.#namespaces.find((namespace) => best.some((each) => namespaceOf(each) === namespace));
    const [first] = best.filter((each) => namespaceOf(each) === next).sort((a, b) => a.order - b.order);
    if (first === undefined) return undefined;
    this.delete(first.key);
    const isLeft = this.#namespaces.includes(next as string);
    this.#namespaces = this.#namespaces.filter((each) => each !== next);
    if (isLeft) this.#namespaces.push(next as string);
    return first;
  }

  delete(key: string): Waiting | undefined {
    const found = this.#waiting.find((each) => each.key === key);
    this.#waiting = this.#waiting.filter((each) => each !== found);
    this.#namespaces = this.#namespaces.filter((namespace) =>
      this.#waiting.some((each) => namespaceOf(each) === namespace),
    );
    return found;
  }

  get keys(): readonly Waiting[] {
    return this.#waiting;
  }
}

function namespaceOf({ key }: Waiting): string {
  return key.includes('/') ? (key.split('/')[0] as string) : '';
}

const key = fc.constantFrom('a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1', 'cluster-wide');
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('set' as const), key, priority: fc.constantFrom(-100, 0, 5) }) },
  { weight: 2, arbitrary: fc.constant({ do: 'pop' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), key }) },
);

describe('a fair line', () => {
  it('behaves as a naive one, whatever is put in, replaced and taken out', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const [line, naive] = [new FairLine(), new NaiveLine()];
        for (const [order, each] of steps.entries()) {
          if (each.do === 'set') {
            const waiting = { key: each.key, priority: each.priority, order };
            line.set(waiting);
            naive.set(waiting);
          } else if (each.do === 'pop') expect(line.pop()).toEqual(naive.pop());
          else expect(line.delete(each.key)).toEqual(naive.delete(each.key));
          expect(line.size).toBe(naive.keys.length);
          for (const waiting of naive.keys) expect(line.get(waiting.key)).toEqual(waiting);
        }
      }),
    );
  });

  it('lets namespaces take turns, however many keys each has', () => {
    const line = new FairLine();
    const keys = ['many/1', 'many/2', 'many/3', 'few/1', 'few/2', 'one/1'];
    for (const [order, each] of keys.entries()) line.set({ key: each, priority: 0, order });
    const handedOut = keys.map(() => line.pop()?.key);
    expect(handedOut).toEqual(['many/1', 'few/1', 'one/1', 'many/2', 'few/2', 'many/3']);
    expect(line.pop()).toBeUndefined();
  });

  it('serves a higher priority first, also out of turn', () => {
    const line = new FairLine();
    line.set({ key: 'a/low', priority: -100, order: 0 });
    line.set({ key: 'b/low', priority: -100, order: 1 });
    line.set({ key: 'b/live', priority: 0, order: 2 });
    line.set({ key: 'b/live-too', priority: 0, order: 3 });
    expect([1, 2, 3, 4].map(() => line.pop()?.key)).toEqual(['b/live', 'b/live-too', 'a/low', 'b/low']);
  });
});
