// A new object of every kind, as it stands before the operator has looked at it: tools that wait for it by kstatus, such as
// Helm and Flux, have to see that it is in progress. No operator runs here.

import { beforeAll, expect, it } from '@jest/globals';
import { KINDS } from '../../src/kinds/kinds.ts';
import type { KubeObject } from '../../src/runtime/object.ts';
import { useSharedCluster } from '../support/cluster.ts';
import { installCrds } from '../support/crds.ts';
import { eventually } from '../support/eventually.ts';
import { kstatusOf } from '../support/kstatus.ts';

const cluster = await useSharedCluster();
let namespace: string;

beforeAll(async () => {
  await installCrds(cluster);
  namespace = await cluster.namespace();
});

it.each(Object.entries(KINDS))('%s is in progress', async (_, { definition }) => {
  const { resource, singular } = definition;
  const create = () => cluster.kubectl(['-n', namespace, 'apply', '-f', `samples/${singular}.yaml`, '-o', 'json']);
  const created = await eventually(async () => {
    const { code, stdout, stderr } = await create();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as KubeObject;
  });
  const read = await cluster.client.get(resource, { namespace, name: created.metadata.name });
  for (const object of [created, read]) {
    expect(object).toMatchObject({ status: { observedGeneration: -1 } });
    expect(kstatusOf(object)).toBe('InProgress');
  }
});
