// Decides what the certificates need next. Pure.
//
// A new CA can sign only after every API server trusts it, and the old one can go only after no replica serves a certificate of
// it. A rotation has these steps: create the new CA and inject both CAs as one bundle; when the new CA has been in every webhook
// configuration for a while, issue the serving certificate from it; when that certificate has been in the Secret for a while,
// remove the old CA. At every moment, API servers trust the certificate that is served.

export interface Lifetimes {
  /** @default ten years */
  readonly authorityMs: number;
  /** @default 90 days */
  readonly servingMs: number;
  /** How long API servers and other replicas may take to notice a change. @default five minutes */
  readonly propagationMs: number;
}

export interface CertificateState {
  /** The trusted CAs, newest first: that one signs. */
  readonly authorities: readonly { readonly notAfter: number }[];
  readonly serving: ServingState | undefined;
  /** Since when the operator has seen the newest CA in every webhook configuration. */
  readonly trustedSince: number | undefined;
  /** Since when the operator has seen this serving certificate in the Secret. */
  readonly servingSince: number | undefined;
}

export interface ServingState {
  readonly notAfter: number;
  /** Position of its CA in `authorities`; -1 when none of them signed it. */
  readonly authority: number;
  /** False when it lacks a name that clients use. */
  readonly coversNames: boolean;
}

export type CertificateStep = 'createAuthority' | 'issueServing' | 'forgetOldAuthorities';

export interface CertificatePlan {
  /** In this order, stored together. */
  readonly steps: readonly CertificateStep[];
  /** When to plan again even if nothing has changed. */
  readonly checkAgainAt: number;
}

/** The steps that are due now, and when the next one will be. */
export function planCertificates(state: CertificateState, lifetimes: Lifetimes, now: number): CertificatePlan {
  const { authorities, serving } = state;
  const [newest] = authorities;
  if (newest === undefined || newest.notAfter <= now) return due(now, 'createAuthority', 'issueServing');
  if (serving === undefined || serving.notAfter <= now || serving.authority < 0 || !serving.coversNames) {
    return due(now, 'issueServing');
  }
  const steps = [
    rotateAuthority(state, newest.notAfter - lifetimes.authorityMs / 3),
    switchAuthority(state, serving, lifetimes),
    forgetAuthorities(state, serving, lifetimes),
    renewServing(serving, lifetimes),
  ].filter((step) => step !== undefined);
  const ready = steps.find((step) => step.at <= now);
  if (ready !== undefined) return due(now, ready.step);
  return { steps: [], checkAgainAt: Math.min(serving.notAfter, ...steps.map((step) => step.at)) };
}

interface Upcoming {
  readonly step: CertificateStep;
  readonly at: number;
}

/** One rotation at a time. */
function rotateAuthority({ authorities }: CertificateState, at: number): Upcoming | undefined {
  return authorities.length === 1 ? { step: 'createAuthority', at } : undefined;
}

function switchAuthority(state: CertificateState, serving: ServingState, lifetimes: Lifetimes): Upcoming | undefined {
  if (serving.authority === 0 || state.trustedSince === undefined) return undefined;
  return { step: 'issueServing', at: state.trustedSince + lifetimes.propagationMs };
}

function forgetAuthorities(state: CertificateState, serving: ServingState, lifetimes: Lifetimes): Upcoming | undefined {
  if (state.authorities.length === 1 || serving.authority !== 0 || state.servingSince === undefined) return undefined;
  return { step: 'forgetOldAuthorities', at: state.servingSince + lifetimes.propagationMs };
}

/** Only from a CA that is trusted: while a rotation is on its way, `switchAuthority` renews. */
function renewServing(serving: ServingState, lifetimes: Lifetimes): Upcoming | undefined {
  return serving.authority === 0 ? { step: 'issueServing', at: serving.notAfter - lifetimes.servingMs / 3 } : undefined;
}

function due(now: number, ...steps: readonly CertificateStep[]): CertificatePlan {
  return { steps, checkAgainAt: now };
}
