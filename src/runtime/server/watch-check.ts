// A liveness check for watches. Watches recover by themselves: while the API server is unavailable they retry, and a
// restart would only lose the caches. A restart helps only against a watch that has stopped retrying, so the check
// looks for that: for minutes neither data nor failures were recorded.

import type { Clock } from '../clock.ts';
import { type Instant, msBetween } from '../instant.ts';
import type { Check } from './health.ts';

/** What a reflector shows of itself. */
export interface WatchHealth {
  readonly phase: 'stopped' | 'filling' | 'watching' | 'waiting';
  readonly lastActivityAt: Instant | undefined;
  /** Attempts in a row that ended early. */
  readonly failures: number;
}

export interface Watched {
  readonly name: string;
  readonly health: WatchHealth;
}

/** A watch lasts half a minute, and a reflector gives a silent one up after 40 s. */
const STUCK_MS = 5 * 60_000;

/** Fails when one of these has shown no sign of life for `stuckMs`. */
export function watchesAlive(watches: () => readonly Watched[], clock: Clock, stuckMs = STUCK_MS): Check {
  const seen = new Map<string, { readonly signs: string; readonly since: Instant }>();
  return () => {
    const now = clock.now();
    const stuck = watches().filter(({ name, health }) => {
      const signs = JSON.stringify([health.phase, health.lastActivityAt, health.failures]);
      const before = seen.get(name);
      if (before?.signs !== signs) seen.set(name, { signs, since: now });
      return health.phase !== 'stopped' && before?.signs === signs && msBetween(before.since, now) >= stuckMs;
    });
    if (stuck.length > 0) {
      throw new Error(`watches without a sign of life for ${stuckMs} ms: ${stuck.map(({ name }) => name).join(', ')}`);
    }
  };
}
