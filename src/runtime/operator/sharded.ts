// What an operator with several shards has besides the parts of every operator: a cache, events and controllers for each range of
// namespaces that this process holds, as long as it holds it; and what is done once for the whole cluster, in the one replica that
// holds the lease for that.

import { Cache, type CacheOptions } from '../cache/cache.ts';
import { Informer } from '../cache/informer.ts';
import type { Client } from '../client/client.ts';
import type { Fence } from '../client/scope.ts';
import { sleep } from '../clock.ts';
import type { Controller } from '../controller/controller.ts';
import type { EventBroadcaster } from '../events.ts';
import { LeaderElector } from '../leader-election/elector.ts';
import { type Lease, leases } from '../leader-election/lease.ts';
import type { ElectionOptions } from '../leader-election/options.ts';
import { Manager } from '../manager/manager.ts';
import type { Runnable } from '../manager/runnable.ts';
import { clusterLease, GROUP_LABEL } from '../shards/layout.ts';
import { containsNamespace } from '../shards/range.ts';
import { filtersByShard } from '../shards/server-side.ts';
import { type RangeTenure, Shards } from '../shards/shards.ts';
import type { Operator } from './operator.ts';
import { cachePart, controllerPart } from './parts.ts';

/** Creates a controller of namespaced objects, for all of them or for those of one shard. */
export type CreateController = (operator: Operator) => Controller | Promise<Controller>;

export interface ShardedOptions {
  readonly shards: number;
  /** The operator's name, the namespace of its leases, and how they are held. */
  readonly election: ElectionOptions;
  /** For leases. */
  readonly electionClient: Client;
  /** Writes only while the lease of the group is held. */
  readonly client: Client;
  readonly cacheOptions: CacheOptions;
  readonly eventsTo: (client: Client) => EventBroadcaster;
}

const ASK_AGAIN_MS = 60_000;

export class ShardedWork {
  readonly #options: ShardedOptions;
  readonly #cluster: LeaderElector;
  readonly #once: Manager;
  #hasClusterParts = false;
  readonly #creators: CreateController[] = [];
  readonly #caches = new Map<number, Cache>();
  readonly #leases: Informer<Lease>;

  constructor(options: ShardedOptions) {
    const { election, electionClient } = options;
    const { name, namespace, log } = election;
    this.#options = options;
    this.#cluster = new LeaderElector(electionClient, { ...election, name: clusterLease(name) });
    this.#once = new Manager({ elector: this.#cluster, ...(log && { log }) });
    const scope = { namespaces: [namespace], labelSelector: `${GROUP_LABEL}=${name}` };
    this.#leases = new Informer(
      electionClient,
      { resource: leases, scope, transform: undefined },
      options.cacheOptions,
    );
  }

  /** For writes of what is done once for the cluster. */
  get clusterFence(): Fence {
    return this.#cluster.fence;
  }

  /** The caches of the ranges that this process works on, by the index of the range. */
  get caches(): ReadonlyMap<number, Cache> {
    return this.#caches;
  }

  /** The leases of the group. */
  get leases(): Informer<Lease> {
    return this.#leases;
  }

  addPerShard(create: CreateController): void {
    this.#creators.push(create);
  }

  /** Runs a part in one of the replicas. */
  addOnce(part: Runnable): void {
    this.#hasClusterParts = true;
    this.#once.add(part);
  }

  /** What the operator runs once its group's lease is held. */
  parts(operator: Operator): Runnable[] {
    const { shards, election, electionClient } = this.#options;
    const observer = operator.metrics.shards;
    const work = (tenure: RangeTenure): Promise<void> => this.#work(operator, tenure);
    return [
      new Shards({ shards, election, client: electionClient, leases: this.#leases, observer, work }),
      {
        name: 'work for the whole cluster',
        phase: 'leader',
        start: async (stop, kill) => {
          if (this.#hasClusterParts) await this.#once.run(stop, kill);
        },
      },
      {
        name: 'what the API server filters',
        phase: 'leader',
        start: async (stop) => {
          while (!stop.aborted) {
            const filtered = await filtersByShard(electionClient, election.namespace, stop);
            if (filtered !== undefined) observer.filteredByServer(filtered);
            await sleep(operator.clock, ASK_AGAIN_MS, stop).catch(() => {}); // a stop ends the wait
          }
        },
      },
    ];
  }

  /** Runs everything that belongs to one range, from its cache to its controllers. */
  async #work(operator: Operator, { range, fence, stop, lost }: RangeTenure): Promise<void> {
    const { client: groupClient, cacheOptions, eventsTo } = this.#options;
    const ended = new AbortController();
    const log = operator.log.with({ shard: range.index });
    const metrics = operator.metrics.during(ended.signal);
    const manager = new Manager({ log, clock: operator.clock });
    const client = groupClient.fenced(fence);
    const cache = new Cache(groupClient, { ...cacheOptions, log, shard: range, runsAfterElection: true });
    const events = eventsTo(client);
    const concerns = (key: string): boolean => containsNamespace(range, namespaceOf(key));
    const shard: Operator = {
      ...operator,
      cache,
      client,
      events,
      log,
      metrics,
      controllerOptions: { ...operator.controllerOptions, log, metrics, concerns },
    };
    manager.add(cachePart(cache));
    manager.add(events);
    this.#caches.set(range.index, cache);
    try {
      for (const create of this.#creators) manager.add(controllerPart(await create(shard)));
      await manager.run(stop, lost);
    } finally {
      this.#caches.delete(range.index);
      ended.abort();
    }
  }
}

function namespaceOf(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf('/')));
}
