import { expect, it } from '@jest/globals';
import { installationNames } from '../../src/runtime/installation.ts';

it('names the parts of an installation after its operator', () => {
  expect(installationNames('website')).toEqual({
    namespace: 'website-system',
    manager: 'website-controller-manager',
    serviceAccount: 'website-controller-manager',
    webhookService: 'website-webhook-service',
    metricsService: 'website-metrics-service',
    webhookCertificates: 'website-webhook-certificates',
    webhookAuthority: 'website-webhook-authority',
    mutatingWebhooks: 'website-mutating-webhook-configuration',
    validatingWebhooks: 'website-validating-webhook-configuration',
  });
});
