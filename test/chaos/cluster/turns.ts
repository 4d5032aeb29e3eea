// Who may play beside whom: most runs keep to their lane, some use what there is only once in an installation (the Lease,
// the webhooks), and some break the cluster, for which everybody else has to leave.

export type Need = 'lane' | 'installation' | 'cluster';

interface Waiting {
  readonly need: Need;
  readonly begin: () => void;
}

export class Turns {
  readonly #playing: Need[] = [];
  #waiting: Waiting[] = [];

  /** Resolves when it is this one's turn, with what is to be called at its end. */
  async enter(need: Need): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ need, begin: resolve });
    this.#admit();
    await promise;
    return () => {
      this.#playing.splice(this.#playing.indexOf(need), 1);
      this.#admit();
    };
  }

  /** In the order of their coming; nobody passes one who waits for the cluster, who would never have it otherwise. */
  #admit(): void {
    const barrier = this.#waiting.findIndex(({ need }) => need === 'cluster');
    const candidates = barrier < 0 ? this.#waiting : this.#waiting.slice(0, barrier + 1);
    for (const candidate of candidates) {
      if (!this.#fits(candidate.need)) continue;
      this.#playing.push(candidate.need);
      this.#waiting = this.#waiting.filter((each) => each !== candidate);
      candidate.begin();
    }
  }

  #fits(need: Need): boolean {
    if (need === 'cluster') return this.#playing.length === 0;
    return !this.#playing.includes('cluster') && (need === 'lane' || !this.#playing.includes(need));
  }
}
