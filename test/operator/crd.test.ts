import { describe, expect, it } from '@jest/globals';
import { App, Chart, Testing } from 'cdk8s';
import { KINDS } from '../../src/kinds/kinds.ts';
import { CustomResourceDefinition } from '../../src/operator/crd.ts';
import type { CustomResource, Schema } from '../../src/runtime/custom-resource.ts';

const box: CustomResource = {
  resource: { group: 'example.com', version: 'v1', kind: 'Box', plural: 'boxes', namespaced: true },
  singular: 'box',
  shortNames: ['bx'],
  categories: ['all'],
  description: 'A box.',
  spec: {
    type: 'object',
    properties: { size: { type: 'integer' } },
    'x-kubernetes-validations': [
      { rule: 'self.size > 0', message: 'must be positive', fieldPath: '.size', reason: 'FieldValueInvalid' },
    ],
  },
  status: { type: 'object', properties: { size: { type: 'integer' } } },
  columns: [{ name: 'size', type: 'integer', jsonPath: '.spec.size' }],
};

function render(kind: CustomResource): unknown {
  const chart = new Chart(new App(), 'test');
  new CustomResourceDefinition(chart, 'crd', kind);
  const [manifest] = Testing.synth(chart);
  return manifest;
}

describe('CustomResourceDefinition', () => {
  it('renders a kind completely, rules with the field they blame included', () => {
    expect(render(box)).toEqual({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'boxes.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: {
          kind: 'Box',
          listKind: 'BoxList',
          plural: 'boxes',
          singular: 'box',
          shortNames: ['bx'],
          categories: ['all'],
        },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            additionalPrinterColumns: box.columns,
            subresources: { status: {} },
            schema: {
              openAPIV3Schema: {
                type: 'object',
                description: 'A box.',
                required: ['spec'],
                properties: { spec: box.spec, status: box.status },
              },
            },
          },
        ],
      },
    });
  });

  it('lists every version: one is stored, one deprecated, one no longer served', () => {
    const { description, spec, status, columns } = box;
    const other = { description, spec, status, columns: [] };
    const otherVersions = [
      { ...other, name: 'v1beta1', served: true, deprecationWarning: 'use v1' },
      { ...other, name: 'v1alpha1', served: false },
    ];
    const { versions } = (render({ ...box, otherVersions }) as { spec: { versions: Record<string, unknown>[] } }).spec;
    expect(versions.map(({ schema: _, subresources: __, ...version }) => version)).toEqual([
      { name: 'v1', served: true, storage: true, additionalPrinterColumns: columns },
      {
        ...{ name: 'v1beta1', served: true, storage: false, additionalPrinterColumns: [] },
        ...{ deprecated: true, deprecationWarning: 'use v1' },
      },
      { name: 'v1alpha1', served: false, storage: false, additionalPrinterColumns: [] },
    ]);
  });

  it('adds rules about the object as a whole', () => {
    const rules = [{ rule: 'size(self.metadata.name) < 10', message: 'too long' }];
    const schema = { openAPIV3Schema: { 'x-kubernetes-validations': rules } };
    expect(render({ ...box, rules })).toMatchObject({ spec: { versions: [{ schema }] } });
  });

  it('adds the scale subresource for kinds that have replicas', () => {
    const scale = {
      specReplicasPath: '.spec.size',
      statusReplicasPath: '.status.size',
      labelSelectorPath: '.status.selector',
    };
    expect(render({ ...box, scale })).toMatchObject({ spec: { versions: [{ subresources: { status: {}, scale } }] } });
  });

  it('says nothing of short names and categories that there are none of', () => {
    const names = (render({ ...box, shortNames: [], categories: [] }) as { spec: { names: object } }).spec.names;
    expect(Object.keys(names).sort()).toEqual(['kind', 'listKind', 'plural', 'singular']);
  });

  it('knows kinds that live outside of namespaces', () => {
    const clusterWide = { ...box, resource: { ...box.resource, namespaced: false } };
    expect(render(clusterWide)).toMatchObject({ spec: { scope: 'Cluster' } });
  });
});

/** What kubectl and Helm, which read YAML 1.1, take for a boolean unless it is quoted. */
const YAML_BOOLEAN = /^(y|n|yes|no|on|off|true|false)$/i;

function wordsOf({ properties = {}, items, additionalProperties, enum: values = [] }: Schema): readonly string[] {
  const inner = [...Object.values(properties), items, additionalProperties].filter((schema) => schema !== undefined);
  return [...Object.keys(properties), ...values, ...inner.flatMap(wordsOf)];
}

it.each(Object.values(KINDS).map(({ definition }) => [definition.resource.kind, definition] as const))(
  'every field of %s can be written without quotes',
  (_, { spec }) => {
    const words = wordsOf(spec);
    expect(words.length).toBeGreaterThan(0);
    expect(words.filter((word) => YAML_BOOLEAN.test(word))).toEqual([]);
  },
);
