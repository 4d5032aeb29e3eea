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

  describe('into a CustomResourceDefinition', () => {
    const service = { namespace: 'here', name: 'webhooks' };
    const target = { kind: 'CustomResourceDefinition', name: 'sites.example.com', service } as const;
    const definition = (clientConfig?: object): WebhookConfiguration =>
      ({
        metadata: { name: 'x', uid: 'u', resourceVersion: '1' },
        spec: { conversion: clientConfig && { webhook: { clientConfig } } },
      }) as WebhookConfiguration;
    const at = '/spec/conversion/webhook/clientConfig';

    it.each([
      { name: 'no webhook converts', object: definition(), patch: [] },
      { name: 'a URL is called, not a Service', object: definition({ url: 'https://elsewhere' }), patch: [] },
      { name: 'it has everything', object: definition({ service, caBundle }), patch: [] },
      {
        name: 'it has no CA',
        object: definition({ service }),
        patch: [{ op: 'add', path: `${at}/caBundle`, value: caBundle }],
      },
      {
        name: 'it was written for an operator elsewhere',
        object: definition({ service: { namespace: 'there', name: 'webhooks', port: 443 }, caBundle }),
        patch: [{ op: 'add', path: `${at}/service/namespace`, value: 'here' }],
      },
      {
        name: 'it was written for an operator of another name',
        object: definition({ service: { namespace: 'here', name: 'theirs' }, caBundle }),
        patch: [{ op: 'add', path: `${at}/service/name`, value: 'webhooks' }],
      },
    ])('when $name', ({ object, patch }) => {
      expect(injectionOf(object, bundle, target)).toEqual(patch);
    });

    it('goes to the resource of CRDs', () => {
      expect(resourceOf(target)).toMatchObject({ group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions' });
    });
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
