import { describe, expect, it } from '@jest/globals';
import { injectionOf, resourceOf, type WebhookConfiguration } from '../../../src/runtime/certificates/injection.ts';

const bundle = 'PEM of a CA\n';
const caBundle = Buffer.from(bundle).toString('base64');
const configuration = (...bundles: readonly (string | undefined)[]): WebhookConfiguration => ({
  metadata: { name: 'x', uid: 'u', resourceVersion: '1' },
  webhooks: bundles.map((each, index) => ({
    name: `webhook-${index}`,
    clientConfig: each === undefined ? {} : { caBundle: each },
  })),
});

describe('the patch that injects a CA', () => {
  it.each([
    { name: 'there are no webhooks', object: configuration(), patch: [] },
    { name: 'all have it', object: configuration(caBundle, caBundle), patch: [] },
    {
      name: 'one has another',
      object: configuration(caBundle, 'b2xk'),
      patch: [
        // Refused by the API server if somebody has put another webhook in this place.
        { op: 'test', path: '/webhooks/1/name', value: 'webhook-1' },
        { op: 'add', path: '/webhooks/1/clientConfig/caBundle', value: caBundle },
      ],
    },
    {
      name: 'one has none',
      object: configuration(undefined),
      patch: [
        { op: 'test', path: '/webhooks/0/name', value: 'webhook-0' },
        { op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: caBundle },
      ],
    },
  ])('when $name', ({ object, patch }) => {
    expect(injectionOf(object, bundle)).toEqual(patch);
  });

  it('copes with a configuration without a list', () => {
    const { webhooks: _, ...empty } = configuration();
    expect(injectionOf(empty, bundle)).toEqual([]);
  });

  it('goes to the resource of the kind', () => {
    const target = { kind: 'MutatingWebhookConfiguration', name: 'x' } as const;
    expect(resourceOf(target)).toEqual({
      group: 'admissionregistration.k8s.io',
      version: 'v1',
      kind: 'MutatingWebhookConfiguration',
      plural: 'mutatingwebhookconfigurations',
      namespaced: false,
    });
  });
});
