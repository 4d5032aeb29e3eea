// The real operator for MyDeployments as one of several simulated processes that share the namespaces: its elections, its leases, the
// division of ranges, and for each range that it holds cache, queue and plans are those of src/. It can stop as one that is told to,
// stand still for a while, and end by itself when it has lost what it holds.

import { aborted } from '../../../src/runtime/abort.ts';
import type { EventBroadcaster } from '../../../src/runtime/events.ts';
import { LeaderElector } from '../../../src/runtime/leader-election/elector.ts';
import { silentLogger } from '../../../src/runtime/log.ts';
import { Manager } from '../../../src/runtime/manager/manager.ts';
import type { Operator } from '../../../src/runtime/operator/operator.ts';
import { ShardedWork } from '../../../src/runtime/operator/sharded.ts';
import { groupIdentity } from '../../../src/runtime/shards/layout.ts';
import type { Chance } from './chance.ts';
import { ModelClient, type Surroundings } from './model-client.ts';
import { myDeploymentController } from './my-deployment-controller.ts';
import { RetryWatch } from './retry-watch.ts';
import { SimulatedProcess } from './simulated-process.ts';

/** Of the installation: the name of its leases, and where they are. */
export const OPERATOR = 'web';
export const SYSTEM = 'system';

export interface ShardProcessProps {
  readonly name: string;
  readonly around: Surroundings;
  readonly chance: Chance;
  readonly shards: number;
  readonly onLate: (what: string) => void;
  /** Called when it has stopped, or failed. */
  readonly onEnd: () => void;
}

export class ShardProcess extends SimulatedProcess {
  readonly #props: ShardProcessProps;
  readonly #stop = new AbortController();
  /** Of each range that it works on: of how many owners it remembers writes. */
  readonly #remembered = new Set<() => number>();

  constructor(props: ShardProcessProps) {
    super(props.name, props.around);
    this.#props = props;
    const end = (): void => {
      this.kill();
      props.onEnd();
    };
    this.#run().then(end, end);
  }

  get remembered(): number {
    return [...this.#remembered].reduce((sum, owners) => sum + owners(), 0);
  }

  /** As SIGTERM. */
  stop(): void {
    this.#stop.abort();
  }

  #run(): Promise<void> {
    const { shards, around, chance, name } = this.#props;
    const { clock } = this;
    const random = chance.number;
    const election = { namespace: SYSTEM, name: OPERATOR, identity: name, clock, wallNow: clock.wallNow, random };
    const electionClient = new ModelClient(around, this).asClient;
    const elector = new LeaderElector(electionClient, { ...election, identity: groupIdentity(shards), shared: true });
    const client = electionClient.fenced(elector.fence);
    const sharded = new ShardedWork({
      shards,
      election,
      electionClient,
      client,
      cacheOptions: { clock, random },
      eventsTo: () => silentEvents,
    });
    sharded.addPerShard((shard) => this.#controllerOf(shard));
    const manager = new Manager({ elector, clock });
    for (const part of sharded.parts(this.#operator())) manager.add(part);
    return manager.run(this.#stop.signal);
  }

  #controllerOf({ cache, client, events, controllerOptions, metrics }: Operator) {
    const { chance } = this.#props;
    const { remembers } = metrics.consistency('mydeployment');
    return myDeploymentController({ cache, client, events, clock: this.clock, chance, remembers, controllerOptions });
  }

  /** What sharded work asks of an operator. */
  #operator(): Operator {
    const { time } = this.#props.around;
    const controllerOptions = { workers: 2, breathe: () => time.turn() };
    const shards = { split() {}, held() {}, filteredByServer() {} };
    const operator = { log: silentLogger, clock: this.clock, controllerOptions };
    return { ...operator, metrics: { shards, during: (ended: AbortSignal) => this.#metrics(ended) } } as never;
  }

  #metrics(ended: AbortSignal) {
    // What an ended range still had to do is another's.
    const onLate = (what: string): void => {
      if (!ended.aborted) this.#props.onLate(what);
    };
    const remembers = (owners: () => number): void => {
      this.#remembered.add(owners);
      ended.addEventListener('abort', () => this.#remembered.delete(owners));
    };
    return {
      ...new RetryWatch(this.clock, onLate).observers,
      consistency: () => ({ staleSkip() {}, leaked() {}, remembers }),
    };
  }
}

const silentEvents = {
  name: 'events',
  phase: 'standby',
  start: (stop: AbortSignal) => aborted(stop),
  record() {},
} as unknown as EventBroadcaster;
