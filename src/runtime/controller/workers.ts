// Takes keys from the queue, has them reconciled, and decides from each outcome what happens to the key next.
//
// Guarantees
// - A reconcile that throws, hangs or returns nonsense harms no other key and no worker.
// - `#conclude` is the only place where an outcome becomes queue operations and log lines.
// Caveat: a reconcile that ignores its aborted signal and never ends keeps its key for ever, as working on the key
// twice would be worse. `workqueue_longest_running_processor_seconds` shows it.

import type { Clock, WallClock } from '../clock.ts';
import { msBetween } from '../instant.ts';
import type { Logger } from '../log.ts';
import type { Taken, WorkQueue } from '../queue/queue.ts';
import { Attempt, type ReconcileOutcome } from './attempt.ts';
import type { ReconcileObserver } from './observer.ts';
import type { Reconcile } from './result.ts';

export interface WorkersOptions {
  readonly count: number;
  readonly reconcile: Reconcile;
  readonly timeoutMs: number | undefined;
  /** Waited for after each reconcile. */
  readonly breathe: () => Promise<unknown>;
  readonly queue: WorkQueue;
  readonly observer: ReconcileObserver;
  readonly clock: Clock;
  readonly wallNow: WallClock;
  readonly log: Logger;
}

export class Workers {
  readonly #options: WorkersOptions;
  readonly #running = new Set<Attempt>();

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  /** Works until the queue has been stopped and every worker is free. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.count }, () => this.#work()));
  }

  /** Aborts the signals of the reconciles that still run. */
  abort(reason: unknown): void {
    if (this.#running.size === 0) return;
    this.#options.log.warn('stopping before every reconcile has ended', { keys: this.#options.queue.inWork });
    for (const attempt of this.#running) attempt.abort(reason);
  }

  async #work(): Promise<void> {
    const { queue, breathe } = this.#options;
    for (let taken = await queue.get(); taken !== undefined; taken = await queue.get()) {
      await this.#attempt(taken);
      // A backlog of reconciles that need no I/O must not keep watches, lease renewals and probes from being served.
      await breathe();
    }
  }

  /** Ends with the reconcile or with its time limit; the outcome is concluded whenever it comes. */
  async #attempt(taken: Taken): Promise<void> {
    const { reconcile, timeoutMs, observer, clock, wallNow } = this.#options;
    const { key } = taken;
    const log = this.#options.log.with({ key });
    const startedAt = clock.now();
    observer.busy();
    const attempt = new Attempt({ key, reconcile, timeoutMs, clock, wallNow, log });
    this.#running.add(attempt);
    const concluded = attempt.finished.then((outcome) => {
      this.#running.delete(attempt);
      observer.finished(outcome, msBetween(startedAt, clock.now()));
      this.#conclude(taken, outcome, log);
    });
    const overdue = attempt.overdue.then(() => {
      observer.timedOut();
      log.warn('reconcile is overdue, its signal has been aborted', { timeoutMs });
    });
    await Promise.race([concluded, overdue]);
    observer.free();
  }

  #conclude({ key, priority }: Taken, outcome: ReconcileOutcome, log: Logger): void {
    const { queue } = this.#options;
    switch (outcome.kind) {
      case 'done':
        queue.forget(key);
        break;
      case 'checkAgain':
        queue.forget(key);
        queue.addAfter(key, outcome.delayMs, priority);
        break;
      case 'notYet':
        queue.addAfter(key, outcome.delayMs, priority);
        break;
      case 'retry': {
        const retryInMs = queue.addRateLimited(key, priority);
        log.debug('reconcile asks for another try', { because: outcome.because, retryInMs });
        break;
      }
      case 'failed': {
        const retryInMs = queue.addRateLimited(key, priority);
        log.error('reconcile failed', { error: outcome.error, failures: queue.failures(key), retryInMs });
        break;
      }
      case 'terminal':
        queue.forget(key);
        log.error('reconcile failed and waits for a change', { error: outcome.error });
        break;
      case 'aborted':
        log.debug('reconcile was aborted');
        break;
      default:
        outcome satisfies never;
    }
    queue.done(key);
  }
}
