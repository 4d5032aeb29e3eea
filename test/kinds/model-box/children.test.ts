import { expect, it } from '@jest/globals';
import { deployments, services } from '../../../src/kinds/model-box/children.ts';

it('what a ModelBox makes is where the API server has it', () => {
  expect(deployments).toEqual({
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    plural: 'deployments',
    namespaced: true,
  });
  expect(services).toEqual({ group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true });
});
