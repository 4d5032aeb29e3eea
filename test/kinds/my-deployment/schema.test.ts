// What must hold for the schema before any API server sees it. That an API server takes it and does with it what we
// want is tried in schema.cluster.test.ts.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { myDeployment } from '../../../src/kinds/my-deployment/schema.ts';
import type { Schema } from '../../../src/runtime/custom-resource.ts';
import { nodesOf } from '../../support/schema-paths.ts';

const schema: Schema = { type: 'object', properties: { spec: myDeployment.spec, status: myDeployment.status } };
const nodes = [...nodesOf(schema)];

/** kubectl's client-side apply stores the object it applied in an annotation; annotations end here. */
const ANNOTATION_LIMIT = 262_144;

interface Attribute {
  readonly baseName: string;
  readonly type: string;
}

/** Every field below a type as client-node's generated models list them: a second opinion on what Kubernetes has. */
async function fieldsOf(type: string, path: string): Promise<string[]> {
  const item = /^Array<(.+)>$/.exec(type)?.[1];
  if (item !== undefined) return fieldsOf(item, `${path}[]`);
  const value = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1];
  if (value !== undefined) return fieldsOf(value, `${path}{}`);
  if (!/^(V1|CoreV1)/.test(type) || type === 'V1MicroTime') return [path];
  const model = (await import(`@kubernetes/client-node/dist/gen/models/${type}.js`))[type];
  const attributes: readonly Attribute[] = model.getAttributeTypeMap();
  const below = await Promise.all(attributes.map((field) => fieldsOf(field.type, `${path}.${field.baseName}`)));
  return [path, ...below.flat()];
}

describe('the schema of MyDeployment', () => {
  it('has every field of a Deployment', async () => {
    const ours = new Set(nodes.map(([path]) => path));
    const native = await fieldsOf('V1DeploymentSpec', 'spec');
    expect(native.length).toBeGreaterThan(900);
    expect(native.filter((path) => !ours.has(path))).toEqual([]);
  });

  it('has every field of the status of a StatefulSet, and what HPA and PodDisruptionBudget read', async () => {
    const ours = new Set(nodes.map(([path]) => path));
    const native = await fieldsOf('V1StatefulSetStatus', 'status');
    const ecosystem = ['status.selector', 'status.unavailableReplicas', 'status.terminatingReplicas'];
    expect([...native, ...ecosystem].filter((path) => !ours.has(path))).toEqual([]);
  });

  it('holds only what a structural schema may: no references, no patch strategies, no stray composition', () => {
    const strange = nodes.flatMap(([path, node]) =>
      Object.keys(node)
        .filter((key) => /^\$ref|^x-kubernetes-patch|^allOf|^oneOf|^not$|^title|^example/.test(key))
        .map((key) => `${path}: ${key}`),
    );
    expect(strange).toEqual([]);
  });

  it('gives every node a type, or says that it is an integer or a string', () => {
    const untyped = nodes.filter(([, node]) => node.type === undefined && !node['x-kubernetes-int-or-string']);
    expect(untyped).toEqual([]);
  });

  it('can tell the items of every keyed list apart: each key is required or has a default', () => {
    const keyed = nodes.filter(([, node]) => node['x-kubernetes-list-type'] === 'map');
    expect(keyed.map(([path]) => path)).toEqual(
      expect.arrayContaining(['spec.template.spec.containers', 'spec.template.spec.volumes', 'status.conditions']),
    );
    const loose = keyed.flatMap(([path, { items, 'x-kubernetes-list-map-keys': keys }]) =>
      (keys ?? [])
        .filter((key) => !items?.required?.includes(key) && items?.properties?.[key]?.default === undefined)
        .map((key) => `${path}: ${key}`),
    );
    expect(loose).toEqual([]);
  });

  it('writes no empty default into stored objects, except where a list needs its key', () => {
    const empty = nodes.filter(([, node]) => node.default === '' || JSON.stringify(node.default) === '{}');
    expect(empty.map(([path]) => path)).toEqual(['spec.template.spec.imagePullSecrets[].name']);
  });

  it('describes every field that is not part of the pod template, and all of its metadata', () => {
    const ours = nodes.filter(
      ([path]) =>
        /^(spec|status)\./.test(path) && !/\[\]$|\{\}$/.test(path) && !/\.template\.(spec|metadata\.\w+)\W/.test(path),
    );
    expect(ours.filter(([, node]) => !node.description).map(([path]) => path)).toEqual([]);
  });

  it('fits, with its CRD, into the annotation of a client-side kubectl apply', () => {
    const crd: unknown = parse(readFileSync('crds/mydeployments.yaml', 'utf8'));
    expect(JSON.stringify(crd).length).toBeLessThan(ANNOTATION_LIMIT);
  });
});
