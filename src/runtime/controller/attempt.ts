// One run of a reconcile function on one key, with its time limit. However the function ends, by returning, throwing
// or rejecting, the attempt ends with an ReconcileOutcome; `finished` never rejects.

import type { Clock, Timer, WallClock } from '../clock.ts';
import type { Logger } from '../log.ts';
import { type Reconcile, type Result, TerminalError } from './result.ts';

export type ReconcileOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'checkAgain'; readonly delayMs: number }
  | { readonly kind: 'notYet'; readonly delayMs: number }
  | { readonly kind: 'retry'; readonly because: string }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'terminal'; readonly error: TerminalError }
  /** Aborted: not a failure. */
  | { readonly kind: 'aborted' };

export interface AttemptOptions {
  readonly key: string;
  readonly reconcile: Reconcile;
  readonly timeoutMs: number | undefined;
  readonly clock: Clock;
  readonly wallNow: WallClock;
  readonly log: Logger;
}

/**
 * A date is waited for with the monotonic clock. The wall clock may be set meanwhile, so a date further away than this
 * is compared with it again: the key is reconciled, and asks for the same date once more.
 */
const LONGEST_BLIND_WAIT_MS = 30_000;

export class Attempt {
  readonly finished: Promise<ReconcileOutcome>;
  /** Resolves when the time limit has passed first, after the signal has been aborted. */
  readonly overdue: Promise<void>;
  readonly #wallNow: WallClock;
  readonly #cancel = new AbortController();
  #toldToStop = false;

  constructor(options: AttemptOptions) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.overdue = promise;
    this.#wallNow = options.wallNow;
    const timer = this.#startTimer(options, resolve);
    this.finished = this.#run(options).finally(() => timer?.cancel());
  }

  /** Aborts the reconcile at once, independent of the time limit. */
  abort(reason: unknown): void {
    this.#toldToStop = true;
    this.#cancel.abort(reason);
  }

  #startTimer({ timeoutMs, clock }: AttemptOptions, onOverdue: () => void): Timer | undefined {
    if (timeoutMs === undefined) return undefined;
    return clock.after(timeoutMs, () => {
      this.#cancel.abort(new Error(`reconcile took longer than ${timeoutMs} ms`));
      onOverdue();
    });
  }

  async #run({ key, reconcile, log }: AttemptOptions): Promise<ReconcileOutcome> {
    try {
      const result = await reconcile(key, { signal: this.#cancel.signal, log });
      return this.#outcomeOf(result);
    } catch (error) {
      if (error instanceof TerminalError) return { kind: 'terminal', error };
      return this.#toldToStop ? { kind: 'aborted' } : { kind: 'failed', error };
    }
  }

  #outcomeOf(result: Result): ReconcileOutcome {
    switch (result.next) {
      case 'done':
        return { kind: 'done' };
      case 'checkAgainAt':
        return { kind: 'checkAgain', delayMs: Math.min(result.epochMs - this.#wallNow(), LONGEST_BLIND_WAIT_MS) };
      case 'checkAgainAfter':
        return { kind: 'checkAgain', delayMs: result.delayMs };
      case 'notYet':
        return { kind: 'notYet', delayMs: result.delayMs };
      case 'retry':
        return { kind: 'retry', because: result.because };
      default:
        return unknownResult(result);
    }
  }
}

function unknownResult(result: never): never {
  throw new TypeError(`reconcile returned ${JSON.stringify(result)}, which is no Result`);
}
