import { describe, expect, it } from '@jest/globals';
import { folderOf } from '../../src/generate/crd.ts';
import { typesOf } from '../../src/generate/types.ts';
import type { Schema } from '../../src/runtime/custom-resource.ts';

function typesFor(spec: Schema): Promise<string> {
  return typesOf({
    file: 'crds/boxes.yaml',
    kind: 'Box',
    schema: { type: 'object', required: ['spec'], properties: { spec } },
  });
}

const lines = (source: string): string[] => source.split('\n').map((line) => line.trim());

describe('typesOf', () => {
  it('gives an object of the kind the metadata that the API server stores', async () => {
    const source = await typesFor({ type: 'object', properties: { size: { type: 'integer' } } });
    expect(lines(source)).toEqual(
      expect.arrayContaining([
        "import type { ObjectMeta } from '../../runtime/object.ts';",
        'export interface Box {',
        'readonly metadata: ObjectMeta;',
        'readonly spec: BoxSpec;',
        'export interface BoxSpec {',
        'readonly size?: number;',
      ]),
    );
    expect(source).not.toContain('PodTemplate');
  });

  it('names nested objects by their path, items in the singular, and makes everything read-only', async () => {
    const source = await typesFor({
      type: 'object',
      required: ['ports'],
      properties: {
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        names: { type: 'array', items: { type: 'string' }, maxItems: 2 },
        ports: {
          type: 'array',
          items: {
            type: 'object',
            required: ['port'],
            properties: {
              port: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
            },
          },
        },
      },
    });
    expect(lines(source)).toEqual(
      expect.arrayContaining([
        'readonly ports: readonly BoxSpecPort[];',
        'export interface BoxSpecPort {',
        'readonly port: number | string;',
        'readonly names?: readonly string[];',
        'readonly [k: string]: string;',
      ]),
    );
  });

  it('types a pod template as the PodTemplate of the workload code', async () => {
    const containers: Schema = { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } };
    const source = await typesFor({
      type: 'object',
      properties: {
        template: { type: 'object', properties: { spec: { type: 'object', properties: { containers } } } },
      },
    });
    expect(lines(source)).toEqual(
      expect.arrayContaining([
        "import type { PodTemplate } from '../../workload/template-schema.ts';",
        'readonly template?: PodTemplate;',
      ]),
    );
  });
});

it('writes out parts of a pod, so that props made of them need no other types', async () => {
  const part = (field: string): Schema => ({ type: 'object', properties: { [field]: { type: 'string' } } });
  const source = await typesFor({
    type: 'object',
    properties: {
      containers: { type: 'array', items: part('imagePullPolicy') },
      probe: part('failureThreshold'),
    },
  });
  expect(lines(source)).toEqual(
    expect.arrayContaining(['readonly containers?: readonly BoxSpecContainer[];', 'readonly probe?: BoxSpecProbe;']),
  );
  expect(source).not.toContain('template-schema');
});

describe('folderOf', () => {
  it.each([
    ['MyDeployment', 'my-deployment'],
    ['ImoocPod', 'imooc-pod'],
    ['MyDaemonSet', 'my-daemon-set'],
    ['ModelBox', 'model-box'],
    ['Collector', 'collector'],
  ])('%s lives in %s', (kind, folder) => {
    expect(folderOf(kind)).toBe(folder);
  });
});
