import { describe, expect, it } from '@jest/globals';
import type { OperatorProps } from '../../src/operator/props.ts';
import { type Rendered, render, renderAll } from './rendered.ts';

const BOTH = ['Mutating', 'Validating'] as const;

function configuration(which: (typeof BOTH)[number], props: Partial<OperatorProps> = {}): Rendered | undefined {
  return render(`${which}WebhookConfiguration`, `mydeployment-${which.toLowerCase()}-webhook-configuration`, props);
}

describe('webhook configurations', () => {
  it.each([
    {
      which: 'Mutating',
      name: 'mutate.mydeployments.kubebuilder.zq.com',
      path: '/mutate-kubebuilder-zq-com-v1beta1-mydeployment',
    },
    {
      which: 'Validating',
      name: 'validate.mydeployments.kubebuilder.zq.com',
      path: '/validate-kubebuilder-zq-com-v1beta1-mydeployment',
    },
  ] as const)('call the operator where it answers: $path', ({ which, name, path }) => {
    const reinvocation = which === 'Mutating' ? { reinvocationPolicy: 'IfNeeded' } : {};
    expect(configuration(which)?.webhooks).toEqual([
      {
        name,
        admissionReviewVersions: ['v1'],
        clientConfig: {
          service: { name: 'mydeployment-webhook-service', namespace: 'mydeployment-system', path, port: 443 },
        },
        rules: [
          {
            apiGroups: ['kubebuilder.zq.com'],
            apiVersions: ['v1beta1'],
            resources: ['mydeployments'],
            operations: ['CREATE', 'UPDATE'],
            scope: 'Namespaced',
          },
        ],
        matchConditions: [{ name: 'not-being-deleted', expression: '!has(object.metadata.deletionTimestamp)' }],
        matchPolicy: 'Equivalent',
        failurePolicy: 'Fail',
        sideEffects: 'None',
        timeoutSeconds: 10,
        ...reinvocation,
      },
    ]);
  });

  it('reach the operator’s pods through their Service', () => {
    expect(render('Service', 'mydeployment-webhook-service')).toMatchObject({
      spec: {
        ports: [{ name: 'https', port: 443, targetPort: 'webhook' }],
        selector: { 'app.kubernetes.io/name': 'mydeployment', 'app.kubernetes.io/component': 'controller-manager' },
      },
    });
  });

  it('concern only the namespaces that the operator works in', () => {
    for (const which of BOTH) {
      expect(configuration(which, { namespaces: ['blue', 'green'] })).toMatchObject({
        webhooks: [
          {
            namespaceSelector: {
              matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['blue', 'green'] }],
            },
          },
        ],
      });
    }
  });

  it('are left out when webhooks are switched off', () => {
    const names = renderAll({ webhooks: false }).map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name.includes('webhook'))).toEqual([]);
  });
});

describe('certificates of cert-manager', () => {
  const props = { certificates: 'cert-manager', namespace: 'elsewhere' } as const;

  it('are asked for, for both Services', () => {
    const name = 'mydeployment-webhook-certificates';
    expect(render('Issuer', name, props)).toMatchObject({
      apiVersion: 'cert-manager.io/v1',
      metadata: { namespace: 'elsewhere' },
      spec: { selfSigned: {} },
    });
    expect(render('Certificate', name, props)).toMatchObject({
      apiVersion: 'cert-manager.io/v1',
      metadata: { namespace: 'elsewhere' },
      spec: {
        secretName: name,
        issuerRef: { kind: 'Issuer', name },
        dnsNames: [
          'mydeployment-webhook-service.elsewhere.svc',
          'mydeployment-webhook-service.elsewhere.svc.cluster.local',
          'mydeployment-metrics-service.elsewhere.svc',
          'mydeployment-metrics-service.elsewhere.svc.cluster.local',
        ],
        privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
        usages: ['digital signature', 'server auth'],
      },
    });
  });

  it('are trusted by the webhook configurations', () => {
    const annotation = 'cert-manager.io/inject-ca-from';
    for (const which of BOTH) {
      expect(configuration(which, props)?.metadata.annotations).toEqual({
        [annotation]: 'elsewhere/mydeployment-webhook-certificates',
      });
      expect(configuration(which)?.metadata).not.toHaveProperty('annotations');
    }
  });
});
