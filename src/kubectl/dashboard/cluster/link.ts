// Whether what the page shows is current. A watch that ends is resumed at once without a word; while one cannot be resumed, the
// page says that what it shows is old.

import type { ReflectorHealth } from '../../../runtime/cache/reflector.ts';
import { isApiError } from '../../../runtime/errors.ts';
import { type Instant, msBetween } from '../../../runtime/instant.ts';
import { failureLine } from '../../failure.ts';
import type { LinkRow } from '../protocol.ts';

/** A shorter interruption is not shown. */
const PATIENCE_MS = 400;

export class Link {
  readonly #server: string;
  /** Since when each watch has been interrupted. */
  readonly #interrupted = new Map<string, Instant>();
  #row: LinkRow = { is: 'live' };

  constructor(server: string) {
    this.#server = server;
  }

  get row(): LinkRow {
    return this.#row;
  }

  /** Looks at every watch; returns true when the row is another. */
  look(watches: Iterable<readonly [name: string, health: ReflectorHealth]>, now: Instant, wallNow: number): boolean {
    let because: string | undefined;
    for (const [name, health] of watches) {
      const since = this.#interruption(name, health, now);
      if (since === undefined) this.#interrupted.delete(name);
      else {
        this.#interrupted.set(name, since);
        if (msBetween(since, now) >= PATIENCE_MS) because ??= failureLine(health.lastError, this.#server);
      }
    }
    const before = this.#row;
    if (because === undefined) this.#row = { is: 'live' };
    else this.#row = { is: 'away', because, since: before.since ?? wallNow };
    return before.is !== this.#row.is || before.because !== this.#row.because;
  }

  #interruption(name: string, { phase, failures, lastActivityAt, lastError }: ReflectorHealth, now: Instant) {
    // What may not be read, or does not exist, is no matter of the connection.
    if (isApiError(lastError, 'Forbidden', 'NotFound')) return undefined;
    const known = this.#interrupted.get(name);
    if (phase === 'waiting' && failures > 0) return known ?? now;
    // The next attempt has begun; only an answer shows that it succeeds.
    const isHeard = known !== undefined && lastActivityAt !== undefined && msBetween(known, lastActivityAt) > 0;
    return isHeard ? undefined : known;
  }
}
