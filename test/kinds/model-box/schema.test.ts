// What must hold for the schema before any API server sees it. That an API server takes it and refuses what it should is
// tried in rules.cluster.test.ts.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { modelBox } from '../../../src/kinds/model-box/schema.ts';
import type { Schema } from '../../../src/runtime/custom-resource.ts';
import { nodesOf } from '../../support/schema-paths.ts';

const schema: Schema = { type: 'object', properties: { spec: modelBox.spec, status: modelBox.status } };
const nodes = [...nodesOf(schema)];

/** Below these the schema is that of a pod, which `kubectl explain pod` describes. */
const OF_A_POD = /^spec\.(containers|initContainers|envs|resources|livenessProbe|readinessProbe)\W/;

describe('the schema of ModelBox', () => {
  it('has the fields of the document it comes from', () => {
    const fields = ['name', 'image', 'replicas', 'ports', 'resources', 'envs', 'rollingUpdate'];
    expect(Object.keys(modelBox.spec.properties ?? {})).toEqual(expect.arrayContaining(fields));
    const port = Object.keys(modelBox.spec.properties?.ports?.items?.properties ?? {});
    expect(port.sort()).toEqual(['appProtocol', 'name', 'nodePort', 'port', 'protocol', 'targetPort']);
  });

  it('describes every field of its own', () => {
    const ours = nodes.filter(
      ([path]) => /^(spec|status)\./.test(path) && !/\[\]$|\{\}$/.test(path) && !OF_A_POD.test(path),
    );
    expect(ours.length).toBeGreaterThan(30);
    expect(ours.filter(([, node]) => !node.description).map(([path]) => path)).toEqual([]);
  });

  it('leaves replicas undecided when nothing is said', () => {
    expect(modelBox.spec.properties?.replicas).not.toHaveProperty('default');
  });

  it('names the numbers behind each size', () => {
    const { description = '' } = modelBox.spec.properties?.size ?? {};
    for (const size of ['small', 'medium', 'large']) expect(description).toContain(`${size}: requests`);
  });

  it('fits, with its CRD, into the annotation of a client-side kubectl apply', () => {
    expect(readFileSync('crds/modelboxes.yaml', 'utf8').length).toBeLessThan(262_144);
  });
});
