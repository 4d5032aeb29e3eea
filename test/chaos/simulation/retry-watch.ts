// Holds a queue to being fair: whatever other objects do, a key that fails for the first time is ready to be tried again
// within a second. Listens to the observers of a controller, as metrics do.

import type { Timer } from '../../../src/runtime/clock.ts';
import type { ReconcileOutcome } from '../../../src/runtime/controller/attempt.ts';
import { type ControllerObservers, silentObservers } from '../../../src/runtime/controller/observer.ts';
import { silentQueueObserver } from '../../../src/runtime/queue/observer.ts';
import type { ProcessClock } from './virtual-time.ts';

const FIRST_RETRY_WITHIN_MS = 1_000;

export class RetryWatch {
  readonly #clock: ProcessClock;
  readonly #onLate: (what: string) => void;
  readonly #queued = new Set<string>();
  /** Keys whose last reconcile failed. */
  readonly #failing = new Set<string>();
  /** Keys that have failed for the first time and are not ready again, each with its alarm. */
  readonly #waiting = new Map<string, Timer>();
  #outcome: ReconcileOutcome['kind'] = 'done';

  constructor(clock: ProcessClock, onLate: (what: string) => void) {
    this.#clock = clock;
    this.#onLate = onLate;
  }

  get observers(): ControllerObservers {
    return {
      reconciles: (...names) => ({
        ...silentObservers.reconciles(...names),
        // What comes of it is decided right after, before the key is given back.
        finished: ({ kind }) => {
          this.#outcome = kind;
        },
      }),
      queue: () => ({
        ...silentQueueObserver,
        added: (key) => {
          this.#queued.add(key);
          this.#waiting.get(key)?.cancel();
        },
        taken: (key) => this.#queued.delete(key),
        finished: (key) => this.#ended(key, this.#outcome),
      }),
    };
  }

  #ended(key: string, outcome: ReconcileOutcome['kind']): void {
    const hasFailed = outcome === 'failed' || outcome === 'retry';
    const isFirst = hasFailed && !this.#failing.has(key);
    if (hasFailed) this.#failing.add(key);
    else if (outcome !== 'notYet') this.#failing.delete(key);
    if (!isFirst || this.#queued.has(key)) return;
    const onLate = (): void => this.#onLate(`${key} failed for the first time and was not tried again within a second`);
    this.#waiting.set(key, this.#clock.after(FIRST_RETRY_WITHIN_MS, onLate));
  }
}
