// The conditions under which one call may live: the caller's signal, the fences of the client and a deadline. The first
// of them to end ends the call. Listeners and timer are gone after `close`, so long-lived signals collect nothing.

import type { Clock, Timer } from '../clock.ts';
import { type Instant, later } from '../instant.ts';
import { Abandoned, DeadlineExceeded } from './failure.ts';
import type { Guard } from './send.ts';

/** Closed for good once its signal aborts; `gate` is asked at the last moment before a request leaves, and may throw. */
export interface Fence {
  readonly signal?: AbortSignal;
  readonly gate?: () => void;
}

export interface Conditions {
  readonly signal: AbortSignal | undefined;
  readonly fences: readonly Fence[];
  readonly timeoutMs: number;
}

export class CallScope implements Guard {
  readonly deadline: Instant;
  readonly #controller = new AbortController();
  readonly #fences: readonly Fence[];
  readonly #signals: readonly AbortSignal[];
  readonly #timer: Timer;
  readonly #onAbort = (): void => this.#abandon();

  constructor(clock: Clock, { signal, fences, timeoutMs }: Conditions) {
    this.#fences = fences;
    this.#signals = [signal, ...fences.map((fence) => fence.signal)].filter((one) => one !== undefined);
    this.deadline = later(clock.now(), timeoutMs);
    this.#timer = clock.after(timeoutMs, () => this.#expire(timeoutMs));
    for (const one of this.#signals) one.addEventListener('abort', this.#onAbort);
    this.#abandon();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Throws when a fence is closed, which its signal may not have had the time to say. */
  readonly gate = (): void => {
    try {
      for (const { gate } of this.#fences) gate?.();
    } catch (cause) {
      throw abandoned(cause);
    }
  };

  /** Ends the deadline but stays open to the signals: a watch that has begun may last. */
  lift(): void {
    this.#timer.cancel();
  }

  close(): void {
    this.#timer.cancel();
    for (const one of this.#signals) one.removeEventListener('abort', this.#onAbort);
  }

  #abandon(): void {
    const aborted = this.#signals.find((one) => one.aborted);
    if (aborted !== undefined) this.#controller.abort(abandoned(aborted.reason));
  }

  #expire(timeoutMs: number): void {
    this.#controller.abort(new DeadlineExceeded(`no complete answer within ${timeoutMs} ms`));
  }
}

function abandoned(cause: unknown): Abandoned {
  return new Abandoned(cause instanceof Error ? cause.message : String(cause), { cause });
}
