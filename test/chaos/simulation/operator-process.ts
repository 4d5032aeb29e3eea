// The real operator for MyDeployments as one simulated process: its cache, queue, workers, memory of its own writes and
// plans are those of src/; only time, chance and the way to the API server are modelled. It begins as a warm standby, and
// works when it is told to lead.

import { Cache } from '../../../src/runtime/cache/cache.ts';
import type { Controller } from '../../../src/runtime/controller/controller.ts';
import type { Chance } from './chance.ts';
import { ModelClient, type Surroundings } from './model-client.ts';
import { myDeploymentController } from './my-deployment-controller.ts';
import { RetryWatch } from './retry-watch.ts';
import { SimulatedProcess } from './simulated-process.ts';

export class OperatorProcess extends SimulatedProcess {
  /** Of how many owners it remembers writes. */
  remembered: () => number = () => 0;
  /** A process that is killed never resolves this; nothing waits for it. */
  readonly #never = new AbortController().signal;
  readonly #controller: Controller;

  constructor(name: string, around: Surroundings, chance: Chance, onLate: (what: string) => void) {
    super(name, around);
    this.#controller = this.#start(around, chance, onLate);
  }

  /** Begins to work, as one who has just been elected. */
  lead(): void {
    void this.#controller.start(this.#never);
  }

  #start(around: Surroundings, chance: Chance, onLate: (what: string) => void): Controller {
    const { clock } = this;
    const client = new ModelClient(around, this).asClient;
    const cache = new Cache(client, { clock, random: chance.number });
    void cache.start(this.#never);
    const remembers = (owners: () => number): void => {
      this.remembered = owners;
    };
    const controllerOptions = {
      workers: 2,
      breathe: () => around.time.turn(),
      metrics: new RetryWatch(clock, onLate).observers,
    };
    const events = { record() {} };
    return myDeploymentController({ cache, client, events, clock, chance, remembers, controllerOptions });
  }
}
