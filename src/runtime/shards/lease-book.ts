// What a replica has seen of the leases of its group, and since when, by its own clock. A holder counts as alive until its record
// has not changed for as long as the record says.

import { type Instant, later } from '../instant.ts';
import { type ObservedLease, observe } from '../leader-election/decide.ts';
import type { Lease } from '../leader-election/lease.ts';

/** For records without a duration. */
const DEFAULT_LEASE_SECONDS = 15;

interface Entry extends ObservedLease {
  readonly lease: Lease;
}

export class LeaseBook {
  readonly #entries = new Map<string, Entry>();

  saw(lease: Lease, now: Instant): void {
    const { name } = lease.metadata;
    this.#entries.set(name, { ...observe(this.#entries.get(name), lease.spec ?? {}, now), lease });
  }

  isGone(name: string): void {
    this.#entries.delete(name);
  }

  /** For an elector: what has been seen of this lease. */
  seen(name: string): ObservedLease | undefined {
    return this.#entries.get(name);
  }

  /** Who holds the lease; undefined when it is free or has run out. */
  holderOf(name: string, now: Instant): string | undefined {
    const entry = this.#entries.get(name);
    return entry !== undefined && now < expiryOf(entry) ? entry.record.holderIdentity || undefined : undefined;
  }

  /** The live holders of all leases whose names begin like this. */
  holders(prefix: string, now: Instant): string[] {
    const names = [...this.#entries.keys()].filter((name) => name.startsWith(prefix));
    return names.flatMap((name) => this.holderOf(name, now) ?? []);
  }

  /** When the next lease runs out that is held now. */
  nextExpiry(now: Instant): Instant | undefined {
    const held = [...this.#entries.values()].filter(({ record }) => record.holderIdentity);
    const ahead = held.map(expiryOf).filter((expiry) => expiry > now);
    return ahead.length === 0 ? undefined : ahead.reduce((first, each) => (each < first ? each : first));
  }

  /** The leases that have run out this long ago. */
  abandoned(now: Instant, agoMs: number): Lease[] {
    const old = [...this.#entries.values()].filter((entry) => now >= later(expiryOf(entry), agoMs));
    return old.map(({ lease }) => lease);
  }
}

function expiryOf({ record, seenAt }: ObservedLease): Instant {
  return later(seenAt, (record.leaseDurationSeconds ?? DEFAULT_LEASE_SECONDS) * 1_000);
}
