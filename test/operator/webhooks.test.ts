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

  const leaf = 'mydeployment-webhook-certificates';
  const authority = 'mydeployment-webhook-authority';

  interface Certificate {
    readonly spec: {
      readonly secretName: string;
      readonly issuerRef: { readonly kind: string; readonly name: string };
    };
  }

  /** The issuer that a certificate names. */
  function issuerOf(certificate: string): Rendered | undefined {
    const { spec } = render('Certificate', certificate, props) as Rendered & Certificate;
    return render(spec.issuerRef.kind, spec.issuerRef.name, props);
  }

  it('are asked for, for both Services, for a short time', () => {
    expect(render('Certificate', leaf, props)).toMatchObject({
      apiVersion: 'cert-manager.io/v1',
      metadata: { namespace: 'elsewhere' },
      spec: {
        secretName: leaf,
        dnsNames: [
          'mydeployment-webhook-service.elsewhere.svc',
          'mydeployment-webhook-service.elsewhere.svc.cluster.local',
          'mydeployment-metrics-service.elsewhere.svc',
          'mydeployment-metrics-service.elsewhere.svc.cluster.local',
        ],
        duration: '2160h',
        renewBefore: '720h',
        privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
        usages: ['digital signature', 'server auth'],
      },
    });
    expect(render('Certificate', leaf, props)?.spec).not.toHaveProperty('isCA');
  });

  it('are signed by a CA, so that a renewed one is trusted together with the one before it', () => {
    expect(issuerOf(leaf)).toMatchObject({
      apiVersion: 'cert-manager.io/v1',
      metadata: { namespace: 'elsewhere' },
      spec: { ca: { secretName: authority } },
    });
  });

  it('need a CA that lives long, and that keeps its key when it is renewed', () => {
    expect(render('Certificate', authority, props)).toMatchObject({
      metadata: { namespace: 'elsewhere' },
      spec: {
        isCA: true,
        commonName: authority,
        secretName: authority,
        duration: '87600h',
        renewBefore: '29200h',
        privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Never' },
      },
    });
    expect(issuerOf(authority)).toMatchObject({ metadata: { namespace: 'elsewhere' }, spec: { selfSigned: {} } });
  });

  it('are trusted by the webhook configurations through the CA', () => {
    const annotation = 'cert-manager.io/inject-ca-from';
    for (const which of BOTH) {
      expect(configuration(which, props)?.metadata.annotations).toEqual({ [annotation]: `elsewhere/${authority}` });
      expect(configuration(which)?.metadata).not.toHaveProperty('annotations');
    }
  });

  it('leave the key of the CA out of reach of the operator', () => {
    expect(JSON.stringify(render('Deployment', 'mydeployment-controller-manager', props))).not.toContain(authority);
  });
});
