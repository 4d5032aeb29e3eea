// Whether the nodes of this cluster have zones. The operator lists one node with the zone label when it starts, and
// again after a minute, only while it reconciles. Without permission to list nodes, it assumes no zones.

import { nodes } from '../../runtime/built-in.ts';
import type { Client } from '../../runtime/client/client.ts';
import { type Clock, monotonicClock } from '../../runtime/clock.ts';
import { type Instant, later } from '../../runtime/instant.ts';
import { type Spread, ZONE_LABEL } from './plan/spread.ts';

const ASK_AGAIN_MS = 60_000;
/** Limits the wait: creating pods matters more than the answer. */
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

  /** Asks the API server. Never rejects: on a failure the previous answer is kept. */
  async look(): Promise<void> {
    this.#askAgainAt = later(this.#clock.now(), ASK_AGAIN_MS);
    const options = { labelSelector: ZONE_LABEL, limit: 1, attempts: 1, timeoutMs: TIMEOUT_MS };
    const found = await this.#client.list(nodes, options).catch(() => undefined);
    if (found !== undefined) this.#spread = found.items.length > 0 ? 'nodes and zones' : 'nodes';
  }

  /**
   * The default topologies, from the last answer. An answer that is older than a minute is refreshed in the background.
   */
  readonly spread = (): Spread => {
    if (this.#askAgainAt === undefined || this.#clock.now() >= this.#askAgainAt) void this.look();
    return this.#spread;
  };
}
