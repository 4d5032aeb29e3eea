// Certificates for webhooks without cert-manager: keeps a CA and a serving certificate in a Secret that all replicas
// share, renews them in time, and keeps the CA in the webhook configurations.
//
// Guarantees: every replica serves the certificate of the Secret, and a replica replaces the Secret only if no other has changed
// it meanwhile; a rotation refuses no request (plan.ts has the order); the operator restores what users remove. It needs no
// leadership.

import { type Clock, monotonicClock, sleep, type WallClock, wallClock } from '../clock.ts';
import { type Instant, msBetween } from '../instant.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { Phase, Runnable } from '../manager/runnable.ts';
import { keyOf } from '../object.ts';
import type { KeyPair } from './authority.ts';
import { type CertificateClient, type CertificatePlaces, CertificateStore } from './certificate-store.ts';
import { takeSteps } from './issue.ts';
import { type CertificateObserver, tellExpiry } from './observer.ts';
import { type CertificatePlan, type Lifetimes, planCertificates } from './plan.ts';
import { bundleOf, dataOf, type Material, materialOf, type ServingNames, stateOf } from './secret.ts';
import { type CertificateSource, CurrentCertificate } from './source.ts';

/** Where certificates are kept, for which names, and for how long. */
export interface RotatorOptions extends CertificatePlaces {
  /** The host name that the API server uses: `<service>.<namespace>.svc`. */
  readonly names: ServingNames;
  readonly lifetimes?: Partial<Lifetimes>;
  readonly observer?: CertificateObserver;
  readonly clock?: Clock;
  /** What the dates in certificates are compared with. */
  readonly wallNow?: WallClock;
  readonly log?: Logger;
}

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_LIFETIMES: Lifetimes = { authorityMs: 3650 * DAY_MS, servingMs: 90 * DAY_MS, propagationMs: 5 * 60_000 };
const RETRY_MS = 2_000;
/** A date is compared with the wall clock again after this time at the latest, because wall clocks are set. */
const LONGEST_BLIND_WAIT_MS = 60_000;
/** A common name has at most 64 characters. It is not used for verification. */
const LONGEST_NAME = 48;

/** A PEM text, and since when the operator has seen it without interruption. */
interface ObservedPem {
  readonly pem: string;
  readonly since: Instant;
}

/** Issues and renews the CA and the serving certificate, and keeps the CA in the webhook configurations. */
export class CertificateRotator implements Runnable, CertificateSource {
  readonly name = 'certificates';
  readonly phase: Phase = 'servers';
  readonly #store: CertificateStore;
  readonly #options: RotatorOptions;
  readonly #lifetimes: Lifetimes;
  readonly #observer: CertificateObserver;
  readonly #clock: Clock;
  readonly #wallNow: WallClock;
  readonly #log: Logger;
  readonly #current = new CurrentCertificate();
  /** The newest CA, in every webhook configuration. */
  #trusted: ObservedPem | undefined;
  /** The serving certificate, in the Secret. */
  #served: ObservedPem | undefined;
  #wasTrusted = false;
  #wake = new AbortController();

  constructor(client: CertificateClient, options: RotatorOptions) {
    this.#options = options;
    this.#lifetimes = { ...DEFAULT_LIFETIMES, ...options.lifetimes };
    this.#observer = options.observer ?? {};
    this.#clock = options.clock ?? monotonicClock;
    this.#wallNow = options.wallNow ?? wallClock;
    this.#log = (options.log ?? silentLogger).with({ secret: keyOf(options.secret) });
    this.#store = new CertificateStore(client, options, this.#log);
  }

  subscribe(listener: (next: KeyPair) => void): () => void {
    return this.#current.subscribe(listener);
  }

  /** For readiness: throws until the CA is injected. Before, the API server does not trust the operator's certificate. */
  readonly check = (): void => {
    if (!this.#wasTrusted) throw new Error('no webhook configuration has our CA yet');
  };

  /** Checks whenever the Secret or a configuration changes, and when a step is due. */
  async start(signal: AbortSignal): Promise<void> {
    const onAbort = (): void => this.#wake.abort();
    signal.addEventListener('abort', onAbort);
    const watches = this.#store.watch(this.#clock, signal, () => this.#wake.abort());
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const material = await this.#sync().catch((error) => this.#failed('cannot keep certificates', error));
      const wait = material === undefined ? sleep(this.#clock, RETRY_MS, this.#wake.signal) : this.#untilDue(material);
      // A rejection means that a change or the stop ended the wait; the loop checks which.
      await wait.catch(() => {});
    }
    signal.removeEventListener('abort', onAbort);
    await watches;
  }

  /** Serves and injects what the Secret holds, then does the steps that are due. Undefined when not all was possible. */
  async #sync(): Promise<Material | undefined> {
    const secret = await this.#store.readSecret();
    const material = materialOf(secret);
    const isInUse = await this.#putToUse(material);
    const { steps } = this.#plan(material);
    if (steps.length === 0) return isInUse ? material : undefined;
    this.#log.info('renewing certificates', { steps });
    const commonName = this.#options.secret.name.slice(0, LONGEST_NAME);
    const issuing = { commonName, names: this.#options.names, lifetimes: this.#lifetimes, now: this.#wallNow() };
    await this.#store.writeSecret(secret, dataOf(await takeSteps(steps, material, issuing)));
    return material;
  }

  #plan(material: Material): CertificatePlan {
    const [now, wallNow] = [this.#clock.now(), this.#wallNow()];
    const onWall = (seen: ObservedPem | undefined) => seen && wallNow - msBetween(seen.since, now);
    const state = {
      ...stateOf(material, this.#options.names),
      trustedSince: onWall(this.#trusted),
      servingSince: onWall(this.#served),
    };
    return planCertificates(state, this.#lifetimes, wallNow);
  }

  /** Resolves when a step is due. Plans again on the way, because the wall clock may be set. */
  async #untilDue(material: Material): Promise<void> {
    for (let plan = this.#plan(material); plan.steps.length === 0; plan = this.#plan(material)) {
      const waitMs = Math.min(plan.checkAgainAt - this.#wallNow(), LONGEST_BLIND_WAIT_MS);
      await sleep(this.#clock, waitMs, this.#wake.signal);
    }
  }

  /** False when the CA could not be injected. */
  async #putToUse({ authorities: [newest, ...older], serving }: Material): Promise<boolean> {
    if (serving !== undefined) this.#current.set(serving);
    this.#served = observe(this.#served, serving?.cert, this.#clock.now());
    tellExpiry(this.#observer, 'serving', serving?.cert);
    tellExpiry(this.#observer, 'ca', newest);
    if (newest === undefined) return true;
    const bundle = bundleOf([newest, ...older]);
    try {
      if (await this.#store.inject(bundle)) this.#trusted = undefined;
      this.#trusted = observe(this.#trusted, newest, this.#clock.now());
      this.#wasTrusted = true;
      return true;
    } catch (error) {
      this.#trusted = undefined;
      this.#failed('cannot inject the CA', error);
      return false;
    }
  }

  #failed(what: string, error: unknown): undefined {
    this.#log.error(what, { error });
    this.#observer.rotationFailed?.();
  }
}

function observe(previous: ObservedPem | undefined, pem: string | undefined, now: Instant): ObservedPem | undefined {
  if (pem === undefined) return undefined;
  return previous?.pem === pem ? previous : { pem, since: now };
}
