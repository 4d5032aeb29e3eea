// Reports about reconciles and queues, for metrics.

import { type QueueObserver, silentQueueObserver } from '../queue/observer.ts';
import type { ReconcileOutcome } from './attempt.ts';

export interface ReconcileObserver {
  /** A worker begins to work on a key. */
  busy(): void;
  /** A worker is free again: its reconcile has ended, or has been left behind after its time limit. */
  free(): void;
  timedOut(): void;
  finished(outcome: ReconcileOutcome, durationMs: number): void;
}

/** Makes the observers of a controller, by its name. */
export interface ControllerObservers {
  reconciles(controller: string, workers: number): ReconcileObserver;
  queue(name: string): QueueObserver;
}

export const silentObservers: ControllerObservers = {
  reconciles: () => ({ busy() {}, free() {}, timedOut() {}, finished() {} }),
  queue: () => silentQueueObserver,
};
