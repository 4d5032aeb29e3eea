// Executes a certificate plan on the content of the Secret: makes keys and certificates, stores nothing.

import type { KeyPair } from './authority.ts';
import type { CertificateStep, Lifetimes } from './plan.ts';
import { type Material, notAfterOf, type ServingNames } from './secret.ts';

/** Backdated, for API servers whose clocks are behind the operator's. */
const CLOCK_SKEW_MS = 60 * 60_000;

export interface Issuing {
  readonly commonName: string;
  readonly names: ServingNames;
  readonly lifetimes: Lifetimes;
  readonly now: number;
}

/** Loaded on demand: most replicas find a certificate that is valid for months, and never issue one. */
const makingCertificates = () => import('./authority.ts');

/** The material after these steps. */
export async function takeSteps(
  steps: readonly CertificateStep[],
  material: Material,
  issuing: Issuing,
): Promise<Material> {
  let next = material;
  for (const step of steps) next = await takeStep(step, next, issuing);
  return next;
}

async function takeStep(step: CertificateStep, material: Material, issuing: Issuing): Promise<Material> {
  switch (step) {
    case 'createAuthority':
      return withNewAuthority(material, issuing);
    case 'issueServing':
      return { ...material, serving: await issueServing(material, issuing) };
    case 'forgetOldAuthorities':
      return { ...material, authorities: material.authorities.slice(0, 1) };
    default:
      return step satisfies never;
  }
}

async function withNewAuthority(material: Material, { commonName, lifetimes, now }: Issuing): Promise<Material> {
  const validity = { notBefore: new Date(now - CLOCK_SKEW_MS), notAfter: new Date(now + lifetimes.authorityMs) };
  const { createAuthority } = await makingCertificates();
  const authority = await createAuthority(`${commonName}-ca`, validity);
  const stillValid = material.authorities.filter((pem) => notAfterOf(pem) > now);
  return { ...material, authorities: [authority.cert, ...stillValid], authorityKey: authority.key };
}

async function issueServing(material: Material, { commonName, names, lifetimes, now }: Issuing): Promise<KeyPair> {
  const [newest] = material.authorities;
  if (newest === undefined) throw new Error(`no CA to issue a certificate for ${names.dnsNames.join(', ')}`);
  const notAfter = new Date(Math.min(now + lifetimes.servingMs, notAfterOf(newest)));
  const validity = { notBefore: new Date(now - CLOCK_SKEW_MS), notAfter };
  const authority = { cert: newest, key: material.authorityKey };
  const { issueCertificate } = await makingCertificates();
  return issueCertificate(authority, { commonName }, { for: 'server', ...names }, validity);
}
