// Where a contender plays its turn: its process, its namespace with the scenery in it, and the stopwatch on the pods.
// Whoever waits here is told when the contender's process ends meanwhile, instead of waiting for nothing.

import { setTimeout as delay } from 'node:timers/promises';
import type { GuardedProcess } from '../../src/cluster/guarded-process.ts';
import type { Client } from '../../src/runtime/client/client.ts';
import type { Contender } from './contenders/contender.ts';
import type { PodTally } from './pod-tally.ts';
import { type Condition, PodWatch } from './pod-watch.ts';
import { ageOf } from './process-usage.ts';
import { Scenery } from './scenery.ts';

export interface StageProps {
  readonly contender: Contender;
  readonly client: Client;
  readonly kubeconfig: string;
  readonly namespace: string;
  /** The size of the benchmark, in pods. */
  readonly size: number;
  readonly signal: AbortSignal;
}

const STOP_WITHIN_MS = 10_000;

export class Stage {
  readonly size: number;
  readonly scenery: Scenery;
  readonly #props: StageProps;
  readonly #watch: PodWatch;
  #process: GuardedProcess;

  private constructor(props: StageProps, watch: PodWatch, process: GuardedProcess) {
    const { client, contender, namespace, size } = props;
    this.size = size;
    this.scenery = new Scenery({ client, kind: contender.kind, namespace, until: (...args) => this.until(...args) });
    this.#props = props;
    this.#watch = watch;
    this.#process = process;
  }

  /** Starts the contender and the watch. */
  static async open(props: StageProps): Promise<Stage> {
    const watch = await PodWatch.open(props.kubeconfig, props.namespace, props.signal);
    try {
      return new Stage(props, watch, await props.contender.start());
    } catch (error) {
      await watch.close();
      throw error;
    }
  }

  get pid(): number {
    return this.#process.pid;
  }

  get pods(): PodTally {
    return this.#watch.pods;
  }

  /** When the condition began to hold, on `performance.now`'s clock. */
  async until(what: string, holds: Condition): Promise<number> {
    const process = this.#process;
    const ended = process.exited.then((code) => {
      throw new Error(`${process.name} ended with code ${code}:\n${process.logTail()}`);
    });
    return Promise.race([this.#watch.until(what, holds, this.scenery.wanted), ended]);
  }

  /** Seconds from the beginning of `act` until the condition held, which `act` must have made untrue at its beginning. */
  async timed(what: string, act: () => Promise<void>, holds: Condition): Promise<number> {
    const started = performance.now();
    const acting = act();
    const [at] = await Promise.all([this.until(what, holds), acting]);
    return (at - started) / 1000;
  }

  /** Lets time pass, unless the benchmark is being stopped. */
  async rest(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#props.signal });
  }

  /** Starts the contender anew after `meanwhile`; how old its new process was, in seconds, when the condition held. */
  async restart(meanwhile: () => Promise<void>, what: string, holds: Condition): Promise<number> {
    await this.#process.stop(STOP_WITHIN_MS);
    await meanwhile();
    const [at, process] = await Promise.all([
      this.#watch.until(what, holds, this.scenery.wanted),
      this.#props.contender.start(),
    ]);
    this.#process = process;
    return (await ageOf(process.pid)) - (performance.now() - at) / 1000;
  }

  /** Ends the contender and the watch. */
  async close(): Promise<void> {
    await this.#process.stop(STOP_WITHIN_MS);
    await this.#watch.close();
  }
}
