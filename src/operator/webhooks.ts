// The Service of the webhooks, and the two webhook configurations. While no replica answers, the API server admits no object of
// these kinds, except those that are being deleted, so that their clean-up does not wait.

import * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { type Admission, type Kind, webhookPath } from '../runtime/kind.ts';
import { injectionAnnotations } from './certificates.ts';
import { INSTALLATION, POD_LABELS } from './names.ts';
import type { Settings } from './settings.ts';

const { k8s } = kplus;

export class Webhooks extends Construct {
  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const { namespace, kinds } = settings;
    new k8s.KubeService(this, 'service', {
      metadata: { name: INSTALLATION.webhookService, namespace },
      spec: {
        selector: POD_LABELS,
        ports: [{ name: 'https', port: 443, targetPort: k8s.IntOrString.fromString('webhook') }],
      },
    });
    const annotations = injectionAnnotations(settings);
    const webhooks = (admission: Admission) =>
      kinds.filter((kind) => kind.admission.includes(admission)).map((kind) => webhookOf(admission, kind, settings));
    new k8s.KubeMutatingWebhookConfiguration(this, 'mutating', {
      metadata: { name: INSTALLATION.mutatingWebhooks, annotations },
      webhooks: webhooks('mutate').map((webhook) => ({ ...webhook, reinvocationPolicy: 'IfNeeded' })),
    });
    new k8s.KubeValidatingWebhookConfiguration(this, 'validating', {
      metadata: { name: INSTALLATION.validatingWebhooks, annotations },
      webhooks: webhooks('validate'),
    });
  }
}

function webhookOf(
  admission: Admission,
  { definition }: Kind,
  { namespace, namespaces }: Settings,
): kplus.k8s.ValidatingWebhook {
  const { group, version, plural, namespaced } = definition.resource;
  return {
    name: `${admission}.${plural}.${group}`,
    admissionReviewVersions: ['v1'],
    clientConfig: {
      service: { name: INSTALLATION.webhookService, namespace, path: webhookPath(admission, definition), port: 443 },
    },
    rules: [
      {
        apiGroups: [group],
        apiVersions: [version],
        resources: [plural],
        operations: ['CREATE', 'UPDATE'],
        scope: namespaced ? 'Namespaced' : 'Cluster',
      },
    ],
    matchConditions: [{ name: 'not-being-deleted', expression: '!has(object.metadata.deletionTimestamp)' }],
    ...(namespaces && { namespaceSelector: named(namespaces) }),
    matchPolicy: 'Equivalent',
    failurePolicy: 'Fail',
    sideEffects: 'None',
    timeoutSeconds: 10,
  };
}

function named(namespaces: readonly string[]): kplus.k8s.LabelSelector {
  return { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: [...namespaces] }] };
}
