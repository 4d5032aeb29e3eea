import { describe, expect, it } from '@jest/globals';
import { type OpenApiSchema, structuralSchema } from '../../src/generate/openapi.ts';

/** Converts the type `Root`; the others can be referred to. */
function convert(schemas: Readonly<Record<string, OpenApiSchema>>): object {
  return structuralSchema({ components: { schemas } }, 'Root');
}

const quantity: OpenApiSchema = { oneOf: [{ type: 'string' }, { type: 'number' }] };
const intOrString = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };

describe('structuralSchema', () => {
  it('puts types in the place of references, however they are wrapped', () => {
    const Leaf: OpenApiSchema = { type: 'string', description: 'long words' };
    const direct = { $ref: '#/components/schemas/Leaf' };
    expect(
      convert({ Leaf, Root: { type: 'object', properties: { direct, wrapped: { allOf: [direct], default: {} } } } }),
    ).toEqual({ type: 'object', properties: { direct: { type: 'string' }, wrapped: { type: 'string' } } });
  });

  it.each<{ name: string; root: OpenApiSchema; expected: object }>([
    {
      name: 'keeps how lists and maps merge',
      root: {
        type: 'object',
        properties: {
          list: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
          map: { type: 'object', additionalProperties: { type: 'string' }, 'x-kubernetes-map-type': 'atomic' },
        },
      },
      expected: {
        type: 'object',
        properties: {
          list: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
          map: { type: 'object', additionalProperties: { type: 'string' }, 'x-kubernetes-map-type': 'atomic' },
        },
      },
    },
    {
      name: 'drops patch strategies, enums and descriptions',
      root: { type: 'string', enum: ['A'], description: 'x', ...{ 'x-kubernetes-patch-strategy': 'merge' } },
      expected: { type: 'string' },
    },
    {
      name: 'keeps a default that says something',
      root: { type: 'string', default: 'TCP' },
      expected: { type: 'string', default: 'TCP' },
    },
    { name: 'drops an empty string as default', root: { type: 'string', default: '' }, expected: { type: 'string' } },
    { name: 'drops zero as default', root: { type: 'integer', default: 0 }, expected: { type: 'integer' } },
    { name: 'turns a quantity into int-or-string', root: quantity, expected: intOrString },
    {
      name: 'turns int-or-string into the form that CRDs know',
      root: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
      expected: intOrString,
    },
    {
      name: 'keeps free-form objects open',
      root: { type: 'object' },
      expected: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
    {
      name: 'gives a key of a list a default unless it is required or has one',
      root: {
        type: 'array',
        items: {
          type: 'object',
          required: ['port'],
          properties: {
            port: { type: 'integer' },
            protocol: { type: 'string', default: 'TCP' },
            name: { type: 'string' },
          },
        },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['port', 'protocol', 'name'],
      },
      expected: {
        type: 'array',
        items: {
          type: 'object',
          required: ['port'],
          properties: {
            port: { type: 'integer' },
            protocol: { type: 'string', default: 'TCP' },
            name: { type: 'string', default: '' },
          },
        },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['port', 'protocol', 'name'],
      },
    },
  ])('$name', ({ root, expected }) => {
    expect(convert({ Root: root })).toEqual(expected);
  });

  it('says which reference leads nowhere', () => {
    expect(() => convert({ Root: { $ref: '#/components/schemas/Gone' } })).toThrow(
      'the OpenAPI document has no schema for #/components/schemas/Gone',
    );
  });
});
