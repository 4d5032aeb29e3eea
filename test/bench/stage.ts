// Where a contender plays its turn: its process, its namespace with the scenery in it, and the stopwatch on the pods.
// Whoever waits here is told when the contender's process ends meanwhile, instead of waiting for nothing.

import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { GuardedProcess } from '../../src/cluster/guarded-process.ts';
import type { KubeObject } from '../../src/runtime/object.ts';
import type { Contender } from './contenders/contender.ts';
import type { PodTally } from './pod-tally.ts';
import { ageOf } from './process-usage.ts';
import type { Timing } from './sample.ts';
import type { StatusTally } from './status-tally.ts';
import { type Condition, type Reporting, Stopwatch } from './stopwatch.ts';

/** What a contender has to keep, as far as a turn has to know. */
export interface Setting {
  /** How many pods there will be when all is as asked. */
  readonly wanted: number;
  /** The names of the objects that ask for them. */
  readonly names: readonly string[];
  /** Lets the contender do a bit of everything, and leaves nothing of it. */
  warmUp(size: number): Promise<void>;
  /** Leaves nothing. */
  clear(): Promise<void>;
}

export interface StageProps<S extends Setting, T extends KubeObject = never> {
  readonly contender: Contender;
  readonly scenery: (until: (what: string, holds: Condition) => Promise<number>) => S;
  readonly reporting: Reporting<T>;
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
  readonly #props: Omit<StageProps<S>, 'reporting'>;
  readonly #watch: Stopwatch;
  #process: GuardedProcess;

  private constructor(props: Omit<StageProps<S>, 'reporting'>, watch: Stopwatch, process: GuardedProcess) {
    this.size = props.size;
    this.scenery = props.scenery((...args) => this.until(...args));
    this.#props = props;
    this.#watch = watch;
    this.#process = process;
  }

  /** Starts the contender and the watch. */
  static async open<S extends Setting, T extends KubeObject>(props: StageProps<S, T>): Promise<Stage<S>> {
    const watch = await Stopwatch.open(props);
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

  get statuses(): StatusTally {
    return this.#watch.statuses;
  }

  /** When the condition began to hold, on `performance.now`'s clock. */
  async until(what: string, holds: Condition): Promise<number> {
    const process = this.#process;
    const ended = process.exited.then((code) => {
      throw new Error(`${process.name} ended with code ${code}:\n${process.logTail()}`);
    });
    return Promise.race([this.#watch.until(what, holds, this.scenery.wanted), ended]);
  }

  /**
   * Does something and waits until the pods are as this condition says, which `act` must have made untrue at its
   * beginning, and until the status of every object says so after having said otherwise.
   */
  async timed(what: string, act: () => Promise<void>, holds: Condition): Promise<Timing> {
    const started = performance.now();
    const acting = act();
    const [podsAt] = await Promise.all([this.until(what, holds), acting]);
    const { names } = this.scenery;
    const reported: Condition = (_, statuses) => statuses.isReported(names.length, started);
    await this.until(`the status says that ${what}`, reported);
    const since = names.map((name) => this.statuses.reportedSince(name) ?? started);
    return {
      seconds: (Math.max(podsAt, ...since) - started) / 1000,
      statusLagsMs: names.map((name, index) => this.#lagMs(name, since[index] as number)),
    };
  }

  /** A status may be seen before the pod that it speaks of, because the two watches are not in step. */
  #lagMs(name: string, reportedAt: number): number {
    return Math.max(0, reportedAt - (this.pods.changedAt(name) ?? reportedAt));
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
