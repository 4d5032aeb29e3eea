// The serving certificate of webhooks and metrics, in one Secret. Either the operator issues and renews it, and keeps the CA in
// the webhook configurations, which needs permissions; or cert-manager does both.

import { ApiObject } from 'cdk8s';
import type * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { hasConversion } from '../runtime/custom-resource.ts';
import { groupResourceOf } from '../runtime/resource.ts';
import { bindInCluster, clusterRole, roleFor } from './roles.ts';
import type { Settings } from './settings.ts';

/** RBAC grants list and watch of one object by name: a request with a field selector for that name is authorized by it. */
const FOLLOW = ['get', 'list', 'watch'];

const DEFINITIONS = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };

/** What the operator needs in order to keep its certificate by itself. */
export class SelfManagedCertificates extends Construct {
  constructor(scope: Construct, id: string, { names, kinds }: Settings, account: kplus.ServiceAccount) {
    super(scope, id);
    const secrets = { group: '', resource: 'secrets' };
    roleFor(this, account, names.roles.certificates, [
      { ...secrets, verbs: [...FOLLOW, 'update'], name: names.webhookCertificates },
      // RBAC cannot restrict `create` by name: at that point there is no object yet.
      { ...secrets, verbs: ['create'] },
    ]);
    const group = 'admissionregistration.k8s.io';
    const verbs = [...FOLLOW, 'patch'];
    clusterRole(this, { name: names.roles.certificates }, [
      { group, resource: 'mutatingwebhookconfigurations', verbs, name: names.mutatingWebhooks },
      { group, resource: 'validatingwebhookconfigurations', verbs, name: names.validatingWebhooks },
      ...kinds
        .filter(({ definition }) => hasConversion(definition))
        .map(({ definition }) => ({ ...DEFINITIONS, verbs, name: groupResourceOf(definition.resource) })),
    ]);
    bindInCluster(this, names.roles.certificates, account);
  }
}

const API_VERSION = 'cert-manager.io/v1';
const KEY = { algorithm: 'ECDSA', size: 256 };
/** The lifetimes that self-managed certificates have, renewed when a third of them is left, too. */
const AUTHORITY_LIFETIME = { duration: '87600h', renewBefore: '29200h' };
const LIFETIME = { duration: '2160h', renewBefore: '720h' };

/**
 * The same certificate, asked of cert-manager: a CA that signs itself, and a short-lived certificate that the CA signs.
 * The API server trusts the CA, so that it accepts a renewed certificate and the one before it: replicas read the renewed
 * one only when their mounted Secret has followed. The CA keeps its key when it is renewed, for the same reason.
 */
export class CertManagerCertificates extends Construct {
  constructor(scope: Construct, id: string, { namespace, names }: Settings) {
    super(scope, id);
    const issuers = { self: `${names.webhookAuthority}-issuer`, authority: `${names.webhookCertificates}-issuer` };
    const make = (id: string, kind: 'Issuer' | 'Certificate', name: string, spec: object): ApiObject =>
      new ApiObject(this, id, { apiVersion: API_VERSION, kind, metadata: { name, namespace }, spec });
    make('self-issuer', 'Issuer', issuers.self, { selfSigned: {} });
    make('authority', 'Certificate', names.webhookAuthority, {
      isCA: true,
      commonName: names.webhookAuthority,
      secretName: names.webhookAuthority,
      issuerRef: { kind: 'Issuer', name: issuers.self },
      privateKey: { ...KEY, rotationPolicy: 'Never' },
      ...AUTHORITY_LIFETIME,
    });
    make('issuer', 'Issuer', issuers.authority, { ca: { secretName: names.webhookAuthority } });
    make('certificate', 'Certificate', names.webhookCertificates, {
      secretName: names.webhookCertificates,
      issuerRef: { kind: 'Issuer', name: issuers.authority },
      dnsNames: [names.webhookService, names.metricsService].flatMap((service) => namesOf(service, namespace)),
      privateKey: { ...KEY, rotationPolicy: 'Always' },
      usages: ['digital signature', 'server auth'],
      ...LIFETIME,
    });
  }
}

/** The annotation that tells cert-manager which CA to write into a webhook configuration. */
export function injectionAnnotations({ certificates, namespace, names }: Settings): Record<string, string> {
  return certificates === 'cert-manager'
    ? { 'cert-manager.io/inject-ca-from': `${namespace}/${names.webhookAuthority}` }
    : {};
}

function namesOf(service: string, namespace: string): string[] {
  return [`${service}.${namespace}.svc`, `${service}.${namespace}.svc.cluster.local`];
}
