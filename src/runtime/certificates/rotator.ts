// Certificates for webhooks without cert-manager: keeps a CA and a serving certificate in a Secret that all replicas
// share, renews them in time, and keeps the CA in the webhook configurations.
//
// Guarantees: every replica serves what the Secret holds, and the Secret changes only if nobody was quicker; a rotation
// refuses no request (see plan.ts for the order); what somebody strips or deletes comes back. Needs no leadership.

import { type Clock, sleep, systemClock } from '../clock.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { Phase, Runnable } from '../manager/runnable.ts';
import { keyOf } from '../object.ts';
import type { KeyPair } from './authority.ts';
import { type CertificateClient, type CertificatePlaces, CertificateStore } from './certificate-store.ts';
import { carryOut } from './issue.ts';
import { type CertificateObserver, tellExpiry } from './observer.ts';
import { type Lifetimes, planCertificates } from './plan.ts';
import { bundleOf, dataOf, type Material, materialOf, type ServingNames, stateOf } from './secret.ts';
import { type CertificateSource, CurrentCertificate } from './source.ts';

export interface RotatorOptions extends CertificatePlaces {
  /** What the API server calls us: `<service>.<namespace>.svc`. */
  readonly names: ServingNames;
  readonly lifetimes?: Partial<Lifetimes>;
  readonly observer?: CertificateObserver;
  readonly clock?: Clock;
  readonly log?: Logger;
}

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_LIFETIMES: Lifetimes = { authorityMs: 3650 * DAY_MS, servingMs: 90 * DAY_MS, settleMs: 5 * 60_000 };
const RETRY_MS = 2_000;
/** A common name is at most 64 characters, and nobody reads it. */
const LONGEST_NAME = 48;

/** Something PEM, and since when we have seen it without a break. */
interface Sighting {
  readonly pem: string;
  readonly since: number;
}

export class CertificateRotator implements Runnable, CertificateSource {
  readonly name = 'certificates';
  readonly phase: Phase = 'servers';
  readonly #store: CertificateStore;
  readonly #options: RotatorOptions;
  readonly #lifetimes: Lifetimes;
  readonly #observer: CertificateObserver;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #current = new CurrentCertificate();
  /** The newest CA, in every webhook configuration. */
  #trusted: Sighting | undefined;
  /** The serving certificate, in the Secret. */
  #served: Sighting | undefined;
  #wasTrusted = false;
  #wake = new AbortController();

  constructor(client: CertificateClient, options: RotatorOptions) {
    this.#options = options;
    this.#lifetimes = { ...DEFAULT_LIFETIMES, ...options.lifetimes };
    this.#observer = options.observer ?? {};
    this.#clock = options.clock ?? systemClock;
    this.#log = (options.log ?? silentLogger).with({ secret: keyOf(options.secret) });
    this.#store = new CertificateStore(client, options, this.#log);
  }

  subscribe(listener: (next: KeyPair) => void): () => void {
    return this.#current.subscribe(listener);
  }

  /** For readiness: throws until the API server has been told whom to trust. Before, it would refuse our answers. */
  readonly check = (): void => {
    if (!this.#wasTrusted) throw new Error('no webhook configuration has our CA yet');
  };

  /** Looks whenever the Secret or a configuration changes, and when something falls due. */
  async start(signal: AbortSignal): Promise<void> {
    const onAbort = (): void => this.#wake.abort();
    signal.addEventListener('abort', onAbort);
    const watches = this.#store.watch(this.#clock, signal, () => this.#wake.abort());
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const checkAgainAt = await this.#sync().catch((error) => this.#failed('cannot keep certificates', error));
      // A rejection means woken, by a change or to stop; the loop looks which.
      await sleep(this.#clock, Math.max(0, checkAgainAt - this.#clock.now()), this.#wake.signal).catch(() => {});
    }
    signal.removeEventListener('abort', onAbort);
    await watches;
  }

  /** Serves and injects what the Secret holds, then does the steps that are due. Returns when to look again. */
  async #sync(): Promise<number> {
    const secret = await this.#store.readSecret();
    const material = materialOf(secret);
    const retryAt = await this.#putToUse(material);
    const now = this.#clock.now();
    const state = {
      ...stateOf(material, this.#options.names),
      trustedSince: this.#trusted?.since,
      servingSince: this.#served?.since,
    };
    const plan = planCertificates(state, this.#lifetimes, now);
    if (plan.steps.length === 0) return Math.min(plan.checkAgainAt, retryAt);
    this.#log.info('renewing certificates', { steps: plan.steps });
    const commonName = this.#options.secret.name.slice(0, LONGEST_NAME);
    const issuing = { commonName, names: this.#options.names, lifetimes: this.#lifetimes, now };
    await this.#store.writeSecret(secret, dataOf(await carryOut(plan.steps, material, issuing)));
    return now;
  }

  /** Returns when to try again: never, if everything is in its place. */
  async #putToUse({ authorities: [newest, ...older], serving }: Material): Promise<number> {
    if (serving !== undefined) this.#current.set(serving);
    this.#served = sight(this.#served, serving?.cert, this.#clock.now());
    tellExpiry(this.#observer, 'serving', serving?.cert);
    tellExpiry(this.#observer, 'ca', newest);
    if (newest === undefined) return Number.POSITIVE_INFINITY;
    const bundle = bundleOf([newest, ...older]);
    try {
      if (await this.#store.inject(bundle)) this.#trusted = undefined;
      this.#trusted = sight(this.#trusted, newest, this.#clock.now());
      this.#wasTrusted = true;
      return Number.POSITIVE_INFINITY;
    } catch (error) {
      this.#trusted = undefined;
      return this.#failed('cannot inject the CA', error);
    }
  }

  #failed(what: string, error: unknown): number {
    this.#log.error(what, { error });
    this.#observer.rotationFailed?.();
    return this.#clock.now() + RETRY_MS;
  }
}

function sight(previous: Sighting | undefined, pem: string | undefined, now: number): Sighting | undefined {
  if (pem === undefined) return undefined;
  return previous?.pem === pem ? previous : { pem, since: now };
}
