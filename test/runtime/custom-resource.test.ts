import { describe, expect, it } from '@jest/globals';
import { refine, type Schema } from '../../src/runtime/custom-resource.ts';

const schema: Schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer' } } } },
};

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

  it('refuses a path that the schema does not have, naming it', () => {
    expect(() => refine(schema, 'spec.nmae', { maxLength: 63 })).toThrow('the schema has no property "nmae"');
  });
});
