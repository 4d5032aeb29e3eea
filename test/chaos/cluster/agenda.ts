// Which seed is played next: the first that has not been played and that needs nothing which is in use. Most runs need only
// their lane; some use what an installation has once (the Lease, the webhooks), and are put off while another has it, so
// that no lane ever waits for another.

export type Need = 'lane' | 'lease' | 'webhooks' | 'cluster';

export interface Turn {
  readonly seed: number;
  /** To be called at its end. */
  readonly leave: () => void;
}

export class Agenda {
  readonly #seeds: Iterator<number, never, void>;
  readonly #needOf: (seed: number) => Need;
  readonly #inUse = new Set<Need>();
  #putOff: readonly number[] = [];

  /** Takes seeds that never end, among them always some that need only a lane. */
  constructor(seeds: Iterator<number, never, void>, needOf: (seed: number) => Need) {
    this.#seeds = seeds;
    this.#needOf = needOf;
  }

  next(): Turn {
    const seed = this.#putOff.find((each) => this.#isFree(each)) ?? this.#draw();
    this.#putOff = this.#putOff.filter((each) => each !== seed);
    const need = this.#needOf(seed);
    if (need !== 'lane') this.#inUse.add(need);
    return { seed, leave: () => this.#inUse.delete(need) };
  }

  #draw(): number {
    for (;;) {
      const seed = this.#seeds.next().value;
      if (this.#isFree(seed)) return seed;
      this.#putOff = [...this.#putOff, seed];
    }
  }

  #isFree(seed: number): boolean {
    return !this.#inUse.has(this.#needOf(seed));
  }
}
