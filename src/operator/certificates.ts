// The certificate that webhooks and metrics are served with, in one Secret. Self-managed, the operator makes and renews
// it and keeps the CA in the webhook configurations, for which it needs rights; or cert-manager does all that.

import { ApiObject } from 'cdk8s';
import type * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { INSTALLATION, ROLES } from './names.ts';
import type { Settings } from './props.ts';
import { bindInCluster, clusterRole, roleFor } from './roles.ts';

/** Of one object: a list or watch that selects it by its name is a request for it alone. */
const FOLLOW = ['get', 'list', 'watch'];

/** What the operator needs in order to keep its certificate by itself. */
export class SelfManagedCertificates extends Construct {
  constructor(scope: Construct, id: string, account: kplus.ServiceAccount) {
    super(scope, id);
    const secrets = { group: '', resource: 'secrets' };
    roleFor(this, account, ROLES.certificates, [
      { ...secrets, verbs: [...FOLLOW, 'update'], name: INSTALLATION.webhookCertificates },
      // A name cannot be checked before there is an object.
      { ...secrets, verbs: ['create'] },
    ]);
    const group = 'admissionregistration.k8s.io';
    const verbs = [...FOLLOW, 'patch'];
    clusterRole(this, { name: ROLES.certificates }, [
      { group, resource: 'mutatingwebhookconfigurations', verbs, name: INSTALLATION.mutatingWebhooks },
      { group, resource: 'validatingwebhookconfigurations', verbs, name: INSTALLATION.validatingWebhooks },
    ]);
    bindInCluster(this, ROLES.certificates, account);
  }
}

/** The same certificate, asked of cert-manager. */
export class CertManagerCertificates extends Construct {
  constructor(scope: Construct, id: string, { namespace }: Settings) {
    super(scope, id);
    const apiVersion = 'cert-manager.io/v1';
    const metadata = { name: INSTALLATION.webhookCertificates, namespace };
    new ApiObject(this, 'issuer', { apiVersion, kind: 'Issuer', metadata, spec: { selfSigned: {} } });
    new ApiObject(this, 'certificate', {
      apiVersion,
      kind: 'Certificate',
      metadata,
      spec: {
        secretName: INSTALLATION.webhookCertificates,
        issuerRef: { kind: 'Issuer', name: INSTALLATION.webhookCertificates },
        dnsNames: [INSTALLATION.webhookService, INSTALLATION.metricsService].flatMap((service) =>
          namesOf(service, namespace),
        ),
        privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
        usages: ['digital signature', 'server auth'],
      },
    });
  }
}

/** By which cert-manager knows whose CA belongs into a webhook configuration. */
export function injectionAnnotations({ certificates, namespace }: Settings): Record<string, string> {
  return certificates === 'cert-manager'
    ? { 'cert-manager.io/inject-ca-from': `${namespace}/${INSTALLATION.webhookCertificates}` }
    : {};
}

function namesOf(service: string, namespace: string): string[] {
  return [`${service}.${namespace}.svc`, `${service}.${namespace}.svc.cluster.local`];
}
