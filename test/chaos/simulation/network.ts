// What lies between a process and the API server: latency, and weather. It loses answers, turns requests away, cuts
// watches, holds one kind's watch back while the others go on, or makes it silent for good. The worst that it does to a request is decided here;
// model-client.ts lets it happen.

import { ApiError } from '../../../src/runtime/errors.ts';
import type { Chance } from './chance.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What may happen to a write while a spell of bad weather lasts. */
export const MISHAPS = ['lostAnswer', 'reset', 'tooMany', 'failed', 'failedButDone', 'conflict', 'slow'] as const;
export type Mishap = (typeof MISHAPS)[number];

export interface Spell {
  readonly mishap: Mishap;
  readonly until: number;
  readonly chance: number;
}

export interface Latency {
  readonly requestMs: number;
  /** How far the watch of each kind lags, by plural. */
  readonly watchMs: Readonly<Record<string, number>>;
}

/** An open watch, as far as the weather is concerned. */
export interface Cuttable {
  readonly plural: string;
  cut(error: ApiError | undefined): void;
  /** The connection is half open from now on: nothing comes any more, not even its end. */
  silence(): void;
}

const SLOW_MS = 3_000;

export class Network {
  /** False for a server that cannot stream a list. */
  streams = true;
  /** True for a server that knows shard selectors. */
  filtersShards = false;
  readonly open = new Set<Cuttable>();
  readonly #time: VirtualTime;
  readonly #chance: Chance;
  readonly #latency: Latency;
  readonly #stalledUntil = new Map<string, number>();
  #spells: Spell[] = [];
  #downUntil = 0;

  constructor(time: VirtualTime, chance: Chance, latency: Latency) {
    this.#time = time;
    this.#chance = chance;
    this.#latency = latency;
  }

  get chance(): Chance {
    return this.#chance;
  }

  get now(): number {
    return this.#time.now();
  }

  get isDown(): boolean {
    return this.#time.now() < this.#downUntil;
  }

  brew(mishap: Mishap, forMs: number, chance: number): void {
    this.#spells.push({ mishap, until: this.#time.now() + forMs, chance });
  }

  /** No client reaches the API server, and every watch ends. */
  goDown(forMs: number): void {
    this.#downUntil = this.#time.now() + forMs;
    this.cut(undefined, 'reset');
  }

  /** From now on the watches of this kind show nothing. */
  stall(plural: string, forMs: number): void {
    this.#stalledUntil.set(plural, this.#time.now() + forMs);
  }

  /** The watches of this kind that are open now show nothing any more; those that are opened later do. */
  silence(plural: string): void {
    for (const watch of this.open) if (watch.plural === plural) watch.silence();
  }

  cut(plural: string | undefined, how: 'end' | 'reset'): void {
    const error = how === 'end' ? undefined : new ApiError('Connection', 'watch: Connection: reset');
    for (const watch of [...this.open]) if (plural === undefined || watch.plural === plural) watch.cut(error);
  }

  /** Whatever happens to the network from now on is over. */
  clear(): void {
    this.#spells = [];
    this.#downUntil = 0;
    this.#stalledUntil.clear();
    this.streams = true;
  }

  /** What happens to a write that is sent now. */
  mishap(): Mishap | undefined {
    if (this.#spells.length === 0) return undefined;
    this.#spells = this.#spells.filter(({ until }) => until > this.#time.now());
    return this.#spells.find(({ chance }) => this.#chance.happens(chance))?.mishap;
  }

  /** One way. */
  requestDelay(mishap: Mishap | undefined): number {
    return this.#chance.delay(this.#latency.requestMs) + (mishap === 'slow' ? SLOW_MS : 0);
  }

  /** When a watch shows what is written now. */
  shownAt(plural: string): number {
    const lag = this.#chance.delay(this.#latency.watchMs[plural] ?? 10);
    return Math.max(this.#time.now() + lag, this.#stalledUntil.get(plural) ?? 0);
  }
}
