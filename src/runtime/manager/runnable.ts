// A part of an operator that the manager starts, watches over and stops.

/** In the order of starting; stopped in reverse. */
export const PHASES = ['servers', 'webhooks', 'caches', 'standby', 'leader'] as const;

/**
 * When a part runs: `servers` (health, metrics) first, so that probes are answered from the beginning; then `webhooks`,
 * without which objects could not even be read if they need conversion; then `caches`; then `standby`, what every
 * replica does; and `leader` only while this replica leads.
 */
export type Phase = (typeof PHASES)[number];

/** A part of an operator that the manager starts and stops. */
export interface Runnable {
  readonly name: string;
  readonly phase: Phase;
  /**
   * Works until `stop` aborts, then finishes what it has begun and resolves. `kill` aborts when there is no time left for
   * that: leadership was lost, or the grace period is over. A rejection stops the whole operator.
   */
  start(stop: AbortSignal, kill: AbortSignal): Promise<void>;
  /** Resolves when the next phase may begin. @default at once */
  ready?(): Promise<unknown>;
}
