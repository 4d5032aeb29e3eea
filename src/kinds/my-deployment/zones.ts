// Whether the nodes of this cluster are in zones. The operator asks for one node with the label, at most once a minute
// and only while there is work. Where it may not ask, it takes the nodes to be in none.

import type { Client } from '../../runtime/client/client.ts';
import { type Clock, type Instant, later, monotonicClock } from '../../runtime/clock.ts';
import type { Resource } from '../../runtime/resource.ts';
import { type Spread, ZONE_LABEL } from './spread.ts';

const nodes: Resource = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };

const ASK_AGAIN_MS = 60_000;
/** Pods are worth more than an answer. */
const TIMEOUT_MS = 1_000;

export class Zones {
  readonly #client: Pick<Client, 'list'>;
  readonly #clock: Clock;
  #askAgainAt: Instant | undefined;
  #spread: Promise<Spread> = Promise.resolve('nodes');

  constructor(client: Pick<Client, 'list'>, clock: Clock = monotonicClock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Over what to spread pods by default; never rejects. */
  readonly spread = (): Promise<Spread> => {
    const now = this.#clock.now();
    if (this.#askAgainAt === undefined || now >= this.#askAgainAt) {
      this.#askAgainAt = later(now, ASK_AGAIN_MS);
      this.#spread = this.#ask(this.#spread);
    }
    return this.#spread;
  };

  async #ask(before: Promise<Spread>): Promise<Spread> {
    const options = { labelSelector: ZONE_LABEL, limit: 1, attempts: 1, timeoutMs: TIMEOUT_MS };
    try {
      const { items } = await this.#client.list(nodes, options);
      return items.length > 0 ? 'nodes and zones' : 'nodes';
    } catch {
      return before; // what was known is still likely
    }
  }
}
