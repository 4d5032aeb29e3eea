import { describe, expect, it } from '@jest/globals';
import {
  type CustomResource,
  groupVersionOf,
  refine,
  type Schema,
  versionsOf,
} from '../../src/runtime/custom-resource.ts';

const schema: Schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer' } } } },
};

it.each([
  { apiVersion: 'example.com/v1', group: 'example.com', version: 'v1' },
  { apiVersion: 'v1', group: '', version: 'v1' },
])('$apiVersion is version $version of group "$group"', ({ apiVersion, group, version }) => {
  expect(groupVersionOf(apiVersion)).toEqual({ group, version });
});

describe('refine', () => {
  it('adds to one node and keeps the rest, without touching the original', () => {
    const before = structuredClone(schema);
    expect(refine(schema, 'spec.name', { maxLength: 63 })).toEqual({
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { name: { type: 'string', maxLength: 63 }, size: { type: 'integer' } } },
      },
    });
    expect(schema).toEqual(before);
  });

  it('reaches the items of a list', () => {
    const volume = { type: 'object', properties: { path: { type: 'string' } } } as const;
    const list = (items: Schema): Schema => ({ type: 'object', properties: { volumes: { type: 'array', items } } });
    const refined = { ...volume, properties: { path: { type: 'string', minLength: 1 } } } as const;
    expect(refine(list(volume), 'volumes[].path', { minLength: 1 })).toEqual(list(refined));
    expect(refine(list(volume), 'volumes[]', { required: ['path'] })).toEqual(list({ ...volume, required: ['path'] }));
  });

  it('refuses a path that the schema does not have, naming it', () => {
    expect(() => refine(schema, 'spec.nmae', { maxLength: 63 })).toThrow('the schema has no property "nmae"');
  });
});

describe('versionsOf', () => {
  const stored = {
    description: 'Boxes.',
    spec: schema,
    status: { type: 'object' },
    columns: [],
    resource: { group: 'example.org', version: 'v2', kind: 'Box', plural: 'boxes', namespaced: true },
  } as unknown as CustomResource;
  const { description, spec, status, columns } = stored;

  it('serves and stores the one version that most kinds have', () => {
    expect(versionsOf(stored)).toEqual([
      { name: 'v2', served: true, storage: true, description, spec, status, columns },
    ]);
  });

  it('keeps rules and scale, and adds the other versions, which are never stored', () => {
    const rules = [{ rule: 'true', message: 'never' }];
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
    const older = { name: 'v1', served: false, description: 'Old boxes.', spec, status, columns };
    const kind = { ...stored, rules, scale, otherVersions: [older] } as unknown as CustomResource;
    expect(versionsOf(kind)).toEqual([
      { name: 'v2', served: true, storage: true, description, spec, status, columns, rules, scale },
      { ...older, storage: false },
    ]);
  });
});
