// The real operator for MyDeployments as one simulated process: its cache, queue, workers, memory of its own writes and
// plans are those of src/; only time, chance and the way to the API server are modelled. It begins as a warm standby, and
// works when it is told to lead. It can be killed at any moment, and between any two of its writes.

import { OnDemand } from '../../../src/kinds/my-deployment/on-demand.ts';
import { myDeploymentOwner } from '../../../src/kinds/my-deployment/owner.ts';
import { rolloutPolicies } from '../../../src/policy/resource.ts';
import { Cache } from '../../../src/runtime/cache/cache.ts';
import type { Controller } from '../../../src/runtime/controller/controller.ts';
import { podOwnerController } from '../../../src/workload/pod-owner.ts';
import type { Chance } from './chance.ts';
import { ModelClient, type Sender, type Surroundings } from './model-client.ts';
import { RetryWatch } from './retry-watch.ts';
import { ProcessClock, type VirtualTime } from './virtual-time.ts';

/** For so long may a request be on its way when its sender is dead: shorter than any restart. */
const OUTLIVED_MS = 400;

interface Doom {
  /** Writes left to live. */
  left: number;
  readonly moment: 'before' | 'after';
  readonly onDeath: () => void;
}

export class OperatorProcess implements Sender {
  readonly name: string;
  readonly clock: ProcessClock;
  readonly #time: VirtualTime;
  /** Of how many owners it remembers writes. */
  remembered: () => number = () => 0;
  /** How many have reached the server. */
  writes = 0;
  #killedAt = Number.POSITIVE_INFINITY;
  /** A process that is killed never resolves this; nothing waits for it. */
  readonly #never = new AbortController().signal;
  readonly #controller: Controller;
  #doom: Doom | undefined;

  constructor(name: string, around: Surroundings, chance: Chance, onLate: (what: string) => void) {
    this.name = name;
    this.#time = around.time;
    this.clock = new ProcessClock(around.time);
    this.#controller = this.#start(around, chance, onLate);
  }

  /** Begins to work, as one who has just been elected. */
  lead(): void {
    void this.#controller.start(this.#never);
  }

  get isAlive(): boolean {
    return !this.clock.isKilled;
  }

  /** As kill -9: nothing is finished, nothing is said. */
  kill(): void {
    if (this.isAlive) this.#killedAt = this.#time.now();
    this.clock.kill();
  }

  get isForgotten(): boolean {
    return this.#time.now() > this.#killedAt + OUTLIVED_MS;
  }

  /** Lets the process die around one of its next writes. */
  killAtWrite(writes: number, moment: 'before' | 'after', onDeath: () => void): void {
    this.#doom ??= { left: writes, moment, onDeath };
  }

  /** It lives on. */
  spare(): void {
    this.#doom = undefined;
  }

  diesAt(moment: 'before' | 'after'): boolean {
    if (moment === 'before') this.writes += 1;
    const doom = this.#doom;
    if (doom === undefined || moment !== doom.moment || !this.isAlive) return false;
    doom.left -= 1;
    if (doom.left > 0) return false;
    this.kill();
    doom.onDeath();
    return true;
  }

  #start(around: Surroundings, chance: Chance, onLate: (what: string) => void): Controller {
    const { clock } = this;
    const { time } = around;
    const client = new ModelClient(around, this).asClient;
    const cache = new Cache(client, { clock, random: chance.number });
    void cache.start(this.#never);
    const consistency = {
      staleSkip() {},
      leaked() {},
      remembers: (owners: () => number) => {
        this.remembered = owners;
      },
    };
    const deps = {
      cache,
      client,
      events: { record() {} },
      clock,
      wallNow: clock.wallNow,
      random: chance.number,
      metrics: { consistency: () => consistency },
      controllerOptions: {
        workers: 2,
        breathe: () => time.turn(),
        metrics: new RetryWatch(clock, onLate).observers,
      },
    };
    const policies = cache.informer(rolloutPolicies);
    const onDemand = new OnDemand(cache, policies);
    return podOwnerController(deps, myDeploymentOwner({ policies, onDemand }));
  }
}
