// Where a contender plays its turn: its process, its namespace with the scenery in it, and the stopwatch on the pods.
// Whoever waits here is told when the contender's process ends meanwhile, instead of waiting for nothing.

import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { GuardedProcess } from '../../src/cluster/guarded-process.ts';
import type { Contender } from './contenders/contender.ts';
import type { PodTally } from './pod-tally.ts';
import { type Condition, PodWatch } from './pod-watch.ts';
import { ageOf } from './process-usage.ts';
import type { Timing } from './sample.ts';

/** What a contender has to keep, as far as a turn has to know. */
export interface Setting {
  /** How many pods there will be when all is as asked. */
  readonly wanted: number;
  /** Lets the contender do a bit of everything, and leaves nothing of it. */
  warmUp(size: number): Promise<void>;
  /** Leaves nothing. */
  clear(): Promise<void>;
}

export interface StageProps<S extends Setting> {
  readonly contender: Contender;
  readonly scenery: (until: (what: string, holds: Condition) => Promise<number>) => S;
  readonly kubeconfig: string;
  readonly namespace: string;
  /** The size of the benchmark, in pods. */
  readonly size: number;
  readonly signal: AbortSignal;
}

const STOP_WITHIN_MS = 10_000;

export class Stage<S extends Setting> {
  readonly size: number;
  readonly scenery: S;
  readonly #props: StageProps<S>;
  readonly #watch: PodWatch;
  #process: GuardedProcess;

  private constructor(props: StageProps<S>, watch: PodWatch, process: GuardedProcess) {
    this.size = props.size;
    this.scenery = props.scenery((...args) => this.until(...args));
    this.#props = props;
    this.#watch = watch;
    this.#process = process;
  }

  /** Starts the contender and the watch. */
  static async open<S extends Setting>(props: StageProps<S>): Promise<Stage<S>> {
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

  /** Starts the contender anew after `meanwhile`; how old its new process was when it had synced, and when this held. */
  async restart(meanwhile: () => Promise<void>, what: string, holds: Condition): Promise<Timing> {
    await this.#process.stop(STOP_WITHIN_MS);
    await meanwhile();
    const [at, process] = await Promise.all([
      this.#watch.until(what, holds, this.scenery.wanted),
      this.#props.contender.start(),
    ]);
    this.#process = process;
    const age = await ageOf(process.pid);
    const syncedAt = this.#props.contender.syncedAt(await readFile(process.logFile, 'utf8'));
    return {
      seconds: age - (performance.now() - at) / 1000,
      ...(syncedAt !== undefined && { syncedSeconds: age - (Date.now() - syncedAt) / 1000 }),
    };
  }

  /** Ends the contender and the watch. */
  async close(): Promise<void> {
    await this.#process.stop(STOP_WITHIN_MS);
    await this.#watch.close();
  }
}
