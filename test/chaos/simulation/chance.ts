// Chance by seed and purpose: latencies, faults and the workload each draw from a stream of their own, so that drawing
// once more in one of them does not change the others.

import { randomFrom } from '../../support/random.ts';

export class Chance {
  readonly #next: () => number;

  constructor(seed: number, purpose: string) {
    this.#next = randomFrom(scramble(seed, purpose));
  }

  /** In [0, 1). */
  readonly number = (): number => this.#next();

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#next() * (most - least + 1));
  }

  happens(probability: number): boolean {
    return this.#next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#next() * items.length)] as T;
  }

  /** A delay that is mostly short and now and then long: what networks and kubelets do. */
  delay(typicalMs: number): number {
    const u = this.#next();
    return Math.round(typicalMs * (u < 0.8 ? 0.2 + u : u < 0.97 ? 1 + 4 * (u - 0.8) * 5 : 10));
  }
}

/** Neighbouring seeds lead to unrelated numbers. */
function scramble(seed: number, purpose: string): number {
  let hash = seed | 0;
  for (let index = 0; index < purpose.length; index++) hash = Math.imul(hash ^ purpose.charCodeAt(index), 0x5bd1e995);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
