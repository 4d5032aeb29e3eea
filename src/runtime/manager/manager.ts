// Runs the parts of an operator: starts them phase by phase, each when the one before is ready, and stops them in the
// reverse order. Replicas that do not lead are warm standbys: everything but the `leader` phase runs in them.
//
// Guarantees: the first part that fails, or the loss of leadership, stops all others, and `run` rejects with that error,
// so that the process ends and starts afresh; leader-only parts have ended before the lease is given away; when parts
// have not ended within the grace period, `run` rejects and names them.

import { aborted } from '../abort.ts';
import { type Clock, monotonicClock, sleep } from '../clock.ts';
import type { LeaderElector } from '../leader-election/elector.ts';
import { type Logger, silentLogger } from '../log.ts';
import { PHASES, type Phase, type Runnable } from './runnable.ts';

/** Settings of a manager. */
export interface ManagerOptions {
  /** Without one, this process leads from the start. */
  readonly elector?: Pick<LeaderElector, 'run'>;
  /** How long all parts together may take to stop. @default 30_000 */
  readonly gracePeriodMs?: number;
  readonly log?: Logger;
  readonly clock?: Clock;
}

/** Starts and stops the parts of an operator in order. */
export class Manager {
  readonly #elector: Pick<LeaderElector, 'run'> | undefined;
  readonly #gracePeriodMs: number;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #runnables: Runnable[] = [];
  readonly #running = new Set<Runnable>();
  /** Aborts when it is time to stop, for whatever reason. */
  readonly #stopping = new AbortController();
  /** Aborts when what has begun may not be finished any more. */
  readonly #killing = new AbortController();
  #failure: { readonly error: unknown } | undefined;
  #started = false;

  constructor(options: ManagerOptions = {}) {
    this.#elector = options.elector;
    this.#gracePeriodMs = options.gracePeriodMs ?? 30_000;
    this.#log = options.log ?? silentLogger;
    this.#clock = options.clock ?? monotonicClock;
  }

  /** Adds a part; before `run` only, so that everything is started in its turn. */
  add(runnable: Runnable): void {
    if (this.#started) throw new Error(`cannot add "${runnable.name}": the manager was started`);
    this.#runnables.push(runnable);
  }

  /**
   * Runs everything until `signal` aborts, then stops it. Rejects with what went wrong first, if anything did. `kill` is for a
   * manager that is a part of another: when it aborts, nothing that has begun may be finished any more.
   */
  async run(signal: AbortSignal, kill?: AbortSignal): Promise<void> {
    if (this.#started) throw new Error('the manager was started before');
    this.#started = true;
    const onSignal = (): void => this.#stopping.abort();
    signal.addEventListener('abort', onSignal);
    if (signal.aborted) onSignal();
    const onKill = (): void => this.#kill(kill?.reason);
    kill?.addEventListener('abort', onKill);
    if (kill?.aborted) onKill();
    const finished = new AbortController();
    const work = this.#runFrom(PHASES).catch((error) => this.#fail(error));
    await Promise.race([work, this.#graceExceeded(finished.signal)]);
    finished.abort();
    signal.removeEventListener('abort', onSignal);
    kill?.removeEventListener('abort', onKill);
    if (this.#failure !== undefined) throw this.#failure.error;
    this.#log.info('stopped');
  }

  /** Each phase stops only after all later phases have stopped. */
  async #runFrom([phase, ...rest]: readonly Phase[]): Promise<void> {
    const stopping = this.#stopping.signal;
    if (phase === undefined || stopping.aborted) return aborted(stopping);
    if (phase !== 'leader' || this.#elector === undefined) return this.#runPhase(phase, rest);
    this.#log.info('waiting for leadership');
    return this.#elector.run(stopping, async (lost) => {
      const onLost = (): void => this.#kill(lost.reason);
      lost.addEventListener('abort', onLost);
      await this.#runPhase(phase, rest);
      lost.removeEventListener('abort', onLost); // from here on the lease is given away, not lost
    });
  }

  async #runPhase(phase: Phase, rest: readonly Phase[]): Promise<void> {
    const members = this.#runnables.filter((runnable) => runnable.phase === phase);
    const names = members.map(({ name }) => name);
    const log = names.length > 0 ? this.#log.with({ phase, runnables: names }) : silentLogger;
    const stop = new AbortController();
    log.info('starting');
    const running = members.map((runnable) => this.#runOne(runnable, stop.signal));
    try {
      const ready = Promise.all(members.map((runnable) => runnable.ready?.()));
      await Promise.race([ready, aborted(this.#stopping.signal)]);
      await this.#runFrom(rest);
    } finally {
      log.info('stopping');
      stop.abort();
      await Promise.all(running);
    }
  }

  async #runOne(runnable: Runnable, stop: AbortSignal): Promise<void> {
    this.#running.add(runnable);
    try {
      await runnable.start(stop, this.#killing.signal);
    } catch (cause) {
      this.#fail(new Error(`"${runnable.name}" failed: ${cause instanceof Error ? cause.message : cause}`, { cause }));
    } finally {
      this.#running.delete(runnable);
    }
  }

  #fail(error: unknown): void {
    if (this.#failure === undefined) this.#log.error('stopping because of a failure', { error });
    else if (this.#failure.error !== error) this.#log.warn('failed while stopping', { error });
    this.#failure ??= { error };
    this.#stopping.abort();
  }

  #kill(error: unknown): void {
    this.#fail(error);
    this.#killing.abort(error);
  }

  async #graceExceeded(finished: AbortSignal): Promise<void> {
    await aborted(this.#stopping.signal);
    try {
      await sleep(this.#clock, this.#gracePeriodMs, finished);
    } catch {
      return; // everything has stopped in time
    }
    const late = [...this.#running].map(({ name }) => name);
    this.#kill(new Error(`not stopped within ${this.#gracePeriodMs} ms: ${late.join(', ')}`));
  }
}
