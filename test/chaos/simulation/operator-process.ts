// The real operator for MyDeployments as one simulated process: its cache, queue, workers, memory of its own writes and
// plans are those of src/; only time, chance and the way to the API server are modelled. It can be killed at any moment,
// and between any two of its writes.

import { myDeploymentController } from '../../../src/kinds/my-deployment/controller.ts';
import { Cache } from '../../../src/runtime/cache/cache.ts';
import type { Chance } from './chance.ts';
import { ModelClient, type Sender, type Surroundings } from './model-client.ts';
import { ProcessClock } from './virtual-time.ts';

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
  /** How many have reached the server. */
  writes = 0;
  #killedAt = Number.POSITIVE_INFINITY;
  #doom: Doom | undefined;

  constructor(name: string, around: Surroundings, chance: Chance) {
    this.name = name;
    this.clock = new ProcessClock(around.time);
    this.#start(around, chance);
  }

  get isAlive(): boolean {
    return !this.clock.isKilled;
  }

  /** As kill -9: nothing is finished, nothing is said. */
  kill(): void {
    if (this.isAlive) this.#killedAt = this.clock.now();
    this.clock.kill();
  }

  get isForgotten(): boolean {
    return this.clock.now() > this.#killedAt + OUTLIVED_MS;
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

  #start(around: Surroundings, chance: Chance): void {
    const { clock } = this;
    const { time } = around;
    const client = new ModelClient(around, this).asClient;
    const cache = new Cache(client, { clock, random: chance.number });
    const controller = myDeploymentController({
      cache,
      client,
      events: { record() {} },
      clock,
      random: chance.number,
      controllerOptions: { workers: 2, breathe: () => time.turn() },
    });
    // It ends by being killed, and then never: nobody waits for it.
    const never = new AbortController().signal;
    void cache.start(never);
    void controller.start(never);
  }
}
