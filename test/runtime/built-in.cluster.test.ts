import { describe, expect, it } from '@jest/globals';
import * as builtIn from '../../src/runtime/built-in.ts';
import { apiVersionOf } from '../../src/runtime/resource.ts';
import { useSharedCluster } from '../support/cluster.ts';

const { client } = await useSharedCluster();

interface Discovery {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

describe('the descriptors of built-in kinds', () => {
  it.each(Object.entries(builtIn))('%s is what the API server serves', async (_, resource) => {
    const { group, kind, plural, namespaced } = resource;
    const path = `/${group === '' ? 'api' : 'apis'}/${apiVersionOf(resource)}`;
    const { resources }: Discovery = JSON.parse((await client.raw('GET', path)).body);
    expect(resources).toContainEqual(expect.objectContaining({ name: plural, kind, namespaced }));
  });
});
