import { expect, it } from '@jest/globals';
import type { CustomResource } from '../../../src/runtime/custom-resource.ts';
import { installationNames } from '../../../src/runtime/installation.ts';
import { webhookPlaces } from '../../../src/runtime/operator/run-kinds.ts';

const definition = (kind: string): CustomResource =>
  ({
    resource: { group: 'example.com', version: 'v1', kind, plural: `${kind.toLowerCase()}s`, namespaced: true },
    singular: kind.toLowerCase(),
  }) as CustomResource;

it.each([
  { kinds: [], injects: ['sites.example.com', 'pages.example.com'] },
  { kinds: ['page'], injects: ['pages.example.com'] },
  { kinds: ['other'], injects: [] },
])('the CA goes into the CRDs of the kinds that run: --kinds=$kinds', ({ kinds, injects }) => {
  const converted = [definition('Site'), definition('Page')];
  const { configurations } = webhookPlaces(installationNames('acme'), converted, { kinds });
  const crds = configurations.filter(({ kind }) => kind === 'CustomResourceDefinition');
  expect(crds.map(({ name }) => name)).toEqual(injects);
  expect(configurations).toHaveLength(2 + injects.length);
});
