// Both versions of Collector on a real API server, with the operator as it is installed: the API server asks it to convert, and it
// moves what was stored in the other version.

import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { collectors } from '../../../src/kinds/collector/names.ts';
import type { Collector } from '../../../src/kinds/collector/types.gen.ts';
import type { CollectorV2Beta1 } from '../../../src/kinds/collector/v2beta1.gen.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { customResourceDefinitions } from '../../../src/runtime/storage-migration.ts';
import { useStage } from '../../e2e/stage.ts';
import { eventually } from '../../support/eventually.ts';

const stage = await useStage({ name: 'versions', operator: { flags: ['--kinds=collector'] } });
const { client } = stage;
const v2: Resource<CollectorV2Beta1> = { ...collectors, version: 'v2beta1', objectType: undefined as never };
const target = { kind: 'Deployment', name: 'web' } as const;
let namespace: string;

beforeAll(async () => {
  namespace = await stage.namespace();
});

async function kubectl(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await stage.kubectl(['-n', namespace, ...args]);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

it('is read and written in both, and is what the operator works on', async () => {
  const ref = { namespace, name: 'new' };
  const created = await client.create(v2, { metadata: ref, spec: { targetRef: target, changeHistoryLimit: 3 } });
  expect(created.spec).toEqual({ targetRef: target, changeHistoryLimit: 3, quietSeconds: 5 });
  expect((await client.get(collectors, ref)).spec).toEqual({ target, historyLimit: 3, quietSeconds: 5 });
  await kubectl(
    'patch',
    'collectors.v1.collector.ip.my.domain',
    'new',
    '--type=merge',
    '-p={"spec":{"historyLimit":4}}',
  );
  await eventually(async () => {
    const { metadata, spec, status } = await client.get(v2, ref);
    expect(spec.changeHistoryLimit).toBe(4);
    expect(status).toMatchObject({ observedGeneration: metadata.generation, target: 'Deployment/web' });
  });
});

it('is held to the rules of the version that a client writes', async () => {
  const wrong = client.create(v2, {
    metadata: { namespace, name: 'wrong' },
    spec: { targetRef: { kind: 'Deployment' } },
  });
  await expect(wrong).rejects.toMatchObject({ reason: 'Invalid', causes: [{ field: 'spec.targetRef' }] });
});

it('is v1 for those who name no version', async () => {
  expect(await kubectl('get', 'col', 'new', '-o', 'jsonpath={.apiVersion}')).toBe('collector.ip.my.domain/v1');
});

it('is stored in v1 again after a release that stored v2beta1', async () => {
  const name = 'collectors.collector.ip.my.domain';
  const shipped = parse(readFileSync('crds/collectors.yaml', 'utf8')) as {
    readonly spec: { readonly versions: readonly { readonly name: string }[] };
  };
  const storing = (version: string) => {
    const versions = shipped.spec.versions.map((each) => ({ ...each, storage: each.name === version }));
    return client.patch(customResourceDefinitions, { name }, { type: 'merge', body: { spec: { versions } } });
  };
  const storedVersions = async () => (await client.get(customResourceDefinitions, { name })).status?.storedVersions;
  const ref = { namespace, name: 'old' };

  await stage.operator.stop();
  await storing('v2beta1');
  // The API server takes a moment to store in another version. Without an operator it can answer in that version only.
  await eventually(async () => {
    await client.create(v2, { metadata: ref, spec: { targetRef: target } });
    await client.delete(v2, ref);
  });
  await eventually(() => client.create(v2, { metadata: ref, spec: { targetRef: target } }));
  await storing('v1');
  expect(await storedVersions()).toEqual(['v1', 'v2beta1']);

  await stage.startOperator();
  await eventually(async () => expect(await storedVersions()).toEqual(['v1']));
  await stage.operator.stop();
  // Nobody converts now: this is what is stored.
  const { spec }: Collector = await eventually(() => client.get(collectors, ref));
  expect(spec).toMatchObject({ target });
});
