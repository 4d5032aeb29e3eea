// What a queue reports to metrics, so that the queue itself knows none.

export interface QueueObserver {
  /** The key waits to be worked on: it is ready, or will be as soon as its present work is done. */
  added(key: string, priority: number): void;
  /** A key that waits was added again with a higher priority. */
  raised(key: string, from: number, to: number): void;
  taken(key: string, priority: number): void;
  finished(key: string): void;
  /** The key was added with a delay: after a failure, or to be checked again. Not called for a change that is paced. */
  delayed(key: string): void;
}

export const silentQueueObserver: QueueObserver = {
  added() {},
  raised() {},
  taken() {},
  finished() {},
  delayed() {},
};
