// Whether the nodes of this cluster are in zones. The operator asks for one node with the label when it starts, and again
// after a minute, only while there is work. Where it may not ask, it takes the nodes to be in none.

import type { Client } from '../../runtime/client/client.ts';
import { type Clock, monotonicClock } from '../../runtime/clock.ts';
import { type Instant, later } from '../../runtime/instant.ts';
import type { Resource } from '../../runtime/resource.ts';
import { type Spread, ZONE_LABEL } from './plan/spread.ts';

const nodes: Resource = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };

const ASK_AGAIN_MS = 60_000;
/** Pods are worth more than an answer. */
const TIMEOUT_MS = 1_000;

export class Zones {
  readonly #client: Pick<Client, 'list'>;
  readonly #clock: Clock;
  #askAgainAt: Instant | undefined;
  #spread: Spread = 'nodes';

  constructor(client: Pick<Client, 'list'>, clock: Clock = monotonicClock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Asks the API server; never rejects, because what was known is still likely. */
  async look(): Promise<void> {
    this.#askAgainAt = later(this.#clock.now(), ASK_AGAIN_MS);
    const options = { labelSelector: ZONE_LABEL, limit: 1, attempts: 1, timeoutMs: TIMEOUT_MS };
    const found = await this.#client.list(nodes, options).catch(() => undefined);
    if (found !== undefined) this.#spread = found.items.length > 0 ? 'nodes and zones' : 'nodes';
  }

  /** Over what to spread pods by default, as of the last answer. One that is older than a minute is asked for anew. */
  readonly spread = (): Spread => {
    if (this.#askAgainAt === undefined || this.#clock.now() >= this.#askAgainAt) void this.look();
    return this.#spread;
  };
}
