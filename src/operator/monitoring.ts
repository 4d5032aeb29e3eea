// The Service of the metrics, and a ServiceMonitor for clusters with the Prometheus operator. An administrator has to give
// Prometheus' ServiceAccount the metrics-reader role.

import { ApiObject } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { type Names, PORTS } from './names.ts';
import type { Settings } from './settings.ts';

const { k8s } = kplus;

const SERVICE_LABELS = { 'app.kubernetes.io/component': 'metrics' };

export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, { namespace, serviceMonitor, names }: Settings) {
    super(scope, id);
    const metadata = { name: names.metricsService, namespace, labels: SERVICE_LABELS };
    new k8s.KubeService(this, 'service', {
      metadata,
      spec: {
        selector: names.podLabels,
        ports: [{ name: 'https', port: PORTS.metrics, targetPort: k8s.IntOrString.fromString('metrics') }],
      },
    });
    if (!serviceMonitor) return;
    new ApiObject(this, 'service-monitor', {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'ServiceMonitor',
      metadata,
      spec: { selector: { matchLabels: SERVICE_LABELS }, endpoints: [endpoint(namespace, names)] },
    });
  }
}

function endpoint(namespace: string, names: Names): object {
  return {
    path: '/metrics',
    port: 'https',
    scheme: 'https',
    bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
    tlsConfig: {
      ca: { secret: { name: names.webhookCertificates, key: 'ca.crt' } },
      // Metrics share the certificate of the webhooks.
      serverName: `${names.webhookService}.${namespace}.svc`,
    },
  };
}
