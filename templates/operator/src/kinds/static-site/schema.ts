// StaticSite as the API server sees it. `kubectl explain staticsite` reads this, and `make generate` makes types.gen.ts of it.

import { type CustomResource, conditionsSchema, count, observedGeneration, type Resource } from 'mydeployment/runtime';
import type { StaticSite } from './types.gen.ts';

export const staticSites: Resource<StaticSite> = {
  group: 'acme.example.com',
  version: 'v1alpha1',
  kind: 'StaticSite',
  plural: 'staticsites',
  namespaced: true,
};

export const staticSiteDefinition: CustomResource<StaticSite> = {
  resource: staticSites,
  singular: 'staticsite',
  shortNames: [],
  categories: [],
  description: 'Serves a text over HTTP.',
  spec: {
    type: 'object',
    description: 'What should be there.',
    required: ['text'],
    properties: {
      text: { type: 'string', description: 'What is served.', minLength: 1, maxLength: 100_000 },
      replicas: { ...count('How many pods serve it.'), maximum: 100, default: 1 },
    },
  },
  status: {
    type: 'object',
    description: 'What was last seen. Written by the operator.',
    default: {},
    properties: {
      observedGeneration,
      readyReplicas: count('How many pods are ready.'),
      conditions: conditionsSchema('Ready.'),
    },
  },
  columns: [
    { name: 'replicas', type: 'integer', jsonPath: '.spec.replicas' },
    { name: 'ready', type: 'integer', jsonPath: '.status.readyReplicas' },
    { name: 'age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
};
