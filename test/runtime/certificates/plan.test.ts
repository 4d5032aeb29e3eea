import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type CertificateState,
  type CertificateStep,
  type Lifetimes,
  planCertificates,
} from '../../../src/runtime/certificates/plan.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const lifetimes: Lifetimes = { authorityMs: 3_000 * DAY, servingMs: 90 * DAY, propagationMs: 5 * MINUTE };

const now = 1_000_000 * DAY;
const inDays = (days: number): number => now + days * DAY;

/** Nothing to do: a CA of 8 years and a certificate of 90 days, both new. */
const fresh: CertificateState = {
  authorities: [{ notAfter: inDays(3_000) }],
  serving: { notAfter: inDays(90), authority: 0, coversNames: true },
  trustedSince: now,
  servingSince: now,
};
const serving = (change: Partial<NonNullable<CertificateState['serving']>>): Partial<CertificateState> => ({
  serving: { notAfter: inDays(90), authority: 0, coversNames: true, ...change },
});
/** A new CA beside the old one, which has signed what is served. */
const rotating: CertificateState = {
  ...fresh,
  authorities: [{ notAfter: inDays(3_000) }, { notAfter: inDays(1_000) }],
  ...serving({ authority: 1 }),
};

describe('what certificates need next', () => {
  it.each<{
    name: string;
    from?: CertificateState;
    change: Partial<CertificateState>;
    steps: CertificateStep[];
    again: number;
  }>([
    { name: 'fresh', change: {}, steps: [], again: inDays(60) },
    {
      name: 'no CA',
      change: { authorities: [], serving: undefined },
      steps: ['createAuthority', 'issueServing'],
      again: now,
    },
    {
      name: 'CA expired',
      change: { authorities: [{ notAfter: now }] },
      steps: ['createAuthority', 'issueServing'],
      again: now,
    },
    { name: 'no serving certificate', change: { serving: undefined }, steps: ['issueServing'], again: now },
    { name: 'serving certificate expired', change: serving({ notAfter: now }), steps: ['issueServing'], again: now },
    {
      name: 'serving certificate of an unknown CA',
      change: serving({ authority: -1 }),
      steps: ['issueServing'],
      again: now,
    },
    {
      name: 'serving certificate for other names',
      change: serving({ coversNames: false }),
      steps: ['issueServing'],
      again: now,
    },
    {
      name: 'serving certificate with a third left',
      change: serving({ notAfter: inDays(30) }),
      steps: ['issueServing'],
      again: now,
    },
    {
      name: 'serving certificate with more than a third left',
      change: serving({ notAfter: inDays(31) }),
      steps: [],
      again: inDays(1),
    },
    {
      name: 'CA with a third left',
      change: { authorities: [{ notAfter: inDays(1_000) }] },
      steps: ['createAuthority'],
      again: now,
    },
    {
      name: 'CA with more than a third left',
      change: { authorities: [{ notAfter: inDays(1_001) }] },
      steps: [],
      again: inDays(1),
    },
    { name: 'new CA, not injected', from: rotating, change: { trustedSince: undefined }, steps: [], again: inDays(90) },
    {
      name: 'new CA not injected, with a third left',
      from: rotating,
      change: { trustedSince: undefined, authorities: [{ notAfter: inDays(900) }, { notAfter: inDays(100) }] },
      steps: [],
      again: inDays(90),
    },
    { name: 'new CA, just injected', from: rotating, change: {}, steps: [], again: now + 5 * MINUTE },
    {
      name: 'new CA, trusted',
      from: rotating,
      change: { trustedSince: now - 5 * MINUTE },
      steps: ['issueServing'],
      again: now,
    },
    {
      name: 'new CA not injected, serving certificate due',
      from: rotating,
      change: { trustedSince: undefined, ...serving({ authority: 1, notAfter: inDays(1) }) },
      steps: [],
      again: inDays(1),
    },
    {
      name: 'new CA not injected, serving certificate expired',
      from: rotating,
      change: { trustedSince: undefined, ...serving({ authority: 1, notAfter: now }) },
      steps: ['issueServing'],
      again: now,
    },
    {
      name: 'old CA, just replaced',
      from: rotating,
      change: serving({ authority: 0 }),
      steps: [],
      again: now + 5 * MINUTE,
    },
    {
      name: 'old CA, no longer needed',
      from: rotating,
      change: { ...serving({ authority: 0 }), servingSince: now - 5 * MINUTE },
      steps: ['forgetOldAuthorities'],
      again: now,
    },
    {
      name: 'old CA, not seen in use yet',
      from: rotating,
      change: { ...serving({ authority: 0 }), servingSince: undefined },
      steps: [],
      again: inDays(60),
    },
  ])('$name', ({ from = fresh, change, steps, again }) => {
    expect(planCertificates({ ...from, ...change }, lifetimes, now)).toEqual({ steps, checkAgainAt: again });
  });
});

/** What somebody knows who notices every change, but late. */
class Late<T> {
  readonly #lagMs: number;
  readonly #changes: { readonly at: number; readonly value: T }[] = [];

  constructor(lagMs: number) {
    this.#lagMs = lagMs;
  }

  change(at: number, value: T): void {
    this.#changes.push({ at, value });
  }

  known(now: number): T | undefined {
    return this.#changes.findLast(({ at }) => at + this.#lagMs <= now)?.value;
  }
}

interface Certificate {
  readonly ca: number;
  readonly notAfter: number;
}

/** A Secret and its rotator, API servers that learn late whom to trust, and replicas that learn late what to serve. */
class World {
  now = 0;
  cas = 0;
  authorities: readonly Certificate[] = [];
  readonly trusted: Late<readonly number[]>;
  readonly served: Late<Certificate>;
  #serving: Certificate | undefined;
  #trustedSince: number | undefined;
  #servingSince: number | undefined;

  constructor(trustLagMs: number, servingLagMs: number) {
    this.trusted = new Late(trustLagMs);
    this.served = new Late(servingLagMs);
  }

  /** One look of the rotator; returns when it wants to look again. */
  look(): number {
    const { steps, checkAgainAt } = planCertificates(this.#state(), lifetimes, this.now);
    for (const step of steps) this.#take(step);
    return checkAgainAt;
  }

  /** What is wrong with what a replica serves to an API server. */
  problem(): string | undefined {
    const served = this.served.known(this.now);
    if (served === undefined) return 'nothing is served';
    if (served.notAfter <= this.now) return 'what is served has expired';
    return this.trusted.known(this.now)?.includes(served.ca) ? undefined : `CA ${served.ca} is not trusted`;
  }

  #state(): CertificateState {
    const { authorities } = this;
    const serving = this.#serving;
    return {
      authorities,
      serving: serving && {
        notAfter: serving.notAfter,
        authority: authorities.findIndex(({ ca }) => ca === serving.ca),
        coversNames: true,
      },
      trustedSince: this.#trustedSince,
      servingSince: this.#servingSince,
    };
  }

  #take(step: CertificateStep): void {
    if (step === 'issueServing') {
      this.#serving = { ca: this.authorities[0]?.ca ?? 0, notAfter: this.now + lifetimes.servingMs };
      this.#servingSince = this.now;
      this.served.change(this.now, this.#serving);
      return;
    }
    if (step === 'createAuthority') {
      this.authorities = [{ ca: ++this.cas, notAfter: this.now + lifetimes.authorityMs }, ...this.authorities];
      this.#trustedSince = this.now;
    } else {
      this.authorities = this.authorities.slice(0, 1);
    }
    this.trusted.change(
      this.now,
      this.authorities.map(({ ca }) => ca),
    );
  }
}

describe('decades of rotation', () => {
  it('never serve a certificate that is expired or not trusted', () => {
    const lag = fc.integer({ min: 0, max: lifetimes.propagationMs - 1 });
    const lateness = fc.array(fc.integer({ min: 0, max: 20 * DAY }), { minLength: 5, maxLength: 20 });
    fc.assert(
      fc.property(lag, lag, lateness, (trustLagMs, servingLagMs, late) => {
        const world = new World(trustLagMs, servingLagMs);
        world.look();
        // The very first certificate is served before anybody can trust it.
        world.now = lifetimes.propagationMs;
        for (let round = 0; world.now < 20_000 * DAY; round++) {
          const at = world.look();
          const problem = world.problem();
          if (problem !== undefined) throw new Error(`day ${world.now / DAY}: ${problem}`);
          const lateMs = at - world.now > DAY ? (late[round % late.length] ?? 0) : 0;
          world.now = Math.max(world.now + MINUTE, at + lateMs);
        }
        expect(world.cas).toBeGreaterThan(7);
        expect(world.authorities.length).toBeLessThanOrEqual(2);
      }),
      { numRuns: 50 },
    );
  });
});
