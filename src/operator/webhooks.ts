// The Service of the webhooks, and the two webhook configurations. While no replica answers, the API server admits no object of
// these kinds, except those that are being deleted, so that their clean-up does not wait.

import * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { type Admission, type InstalledKind, webhookPath } from '../runtime/installed-kind.ts';
import { injectionAnnotations } from './certificates.ts';
import type { Settings } from './settings.ts';

const { k8s } = kplus;

export class Webhooks extends Construct {
  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const { namespace, kinds, names } = settings;
    new k8s.KubeService(this, 'service', {
      metadata: { name: names.webhookService, namespace },
      spec: {
        selector: names.podLabels,
        ports: [{ name: 'https', port: 443, targetPort: k8s.IntOrString.fromString('webhook') }],
      },
    });
    const annotations = injectionAnnotations(settings);
    const webhooks = (admission: Admission) =>
      kinds.filter((kind) => kind.admission.includes(admission)).map((kind) => webhookOf(admission, kind, settings));
    const deletions = kinds
      .filter(({ warnsOnDelete }) => warnsOnDelete)
      .map((kind) => deletionWebhookOf(kind, settings));
    new k8s.KubeMutatingWebhookConfiguration(this, 'mutating', {
      metadata: { name: names.mutatingWebhooks, annotations },
      webhooks: webhooks('mutate').map((webhook) => ({ ...webhook, reinvocationPolicy: 'IfNeeded' })),
    });
    new k8s.KubeValidatingWebhookConfiguration(this, 'validating', {
      metadata: { name: names.validatingWebhooks, annotations },
      webhooks: [...webhooks('validate'), ...deletions],
    });
  }
}

function webhookOf(
  admission: Admission,
  { definition }: InstalledKind,
  { namespace, namespaces, names }: Settings,
): kplus.k8s.ValidatingWebhook {
  const { group, version, plural, namespaced } = definition.resource;
  return {
    name: `${admission}.${plural}.${group}`,
    admissionReviewVersions: ['v1'],
    clientConfig: {
      service: { name: names.webhookService, namespace, path: webhookPath(admission, definition), port: 443 },
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

/** Asked about deletions, by the path of validation. Without an answer they pass, or namespaces could not be deleted. */
function deletionWebhookOf(kind: InstalledKind, settings: Settings): kplus.k8s.ValidatingWebhook {
  const { matchConditions: _, rules = [], name, ...webhook } = webhookOf('validate', kind, settings);
  return {
    ...webhook,
    name: `delete-${name}`,
    rules: rules.map((rule) => ({ ...rule, operations: ['DELETE'] })),
    failurePolicy: 'Ignore',
  };
}

function named(namespaces: readonly string[]): kplus.k8s.LabelSelector {
  return { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: [...namespaces] }] };
}
