import { describe, expect, it } from '@jest/globals';
import { configMaps } from '../../src/runtime/built-in.ts';
import { done } from '../../src/runtime/controller/result.ts';
import { isApiError } from '../../src/runtime/errors.ts';
import { withFinalizer } from '../../src/runtime/finalizer.ts';
import type { KubeObject } from '../../src/runtime/object.ts';
import { useSharedCluster } from '../support/cluster.ts';

const finalizer = 'test.io/clean-up';

const cluster = await useSharedCluster();
const namespace = await cluster.namespace();

function create(name: string, finalizers: readonly string[]): Promise<KubeObject> {
  return cluster.client.create(configMaps, { metadata: { namespace, name, finalizers } });
}

function read(name: string): Promise<KubeObject> {
  return cluster.client.get(configMaps, { namespace, name });
}

/** One reconcile of the object as it was read; says what was called. */
async function step(object: KubeObject): Promise<string[]> {
  const calls: string[] = [];
  await withFinalizer(object, {
    finalizer,
    apply: async () => {
      calls.push('apply');
      return done;
    },
    cleanUp: async () => {
      calls.push('cleanUp');
    },
    patch: (body) => cluster.client.patch(configMaps, object.metadata, { type: 'json', body }),
  });
  return calls;
}

describe('withFinalizer, as a real API server takes its patches', () => {
  it.each([
    { name: 'alone', others: [] },
    { name: 'among-others', others: ['other.io/a', 'other.io/b'] },
  ])('lives through an object, $name', async ({ name, others }) => {
    expect(await step(await create(name, others))).toEqual([]);
    expect((await read(name)).metadata.finalizers).toEqual([...others, finalizer]);
    expect(await step(await read(name))).toEqual(['apply']);

    await cluster.client.delete(configMaps, { namespace, name });
    expect(await step(await read(name))).toEqual(['cleanUp']);
    const left = await read(name).catch((error: unknown) => error);
    if (others.length === 0) expect(isApiError(left, 'NotFound')).toBe(true);
    else expect(left).toMatchObject({ metadata: { finalizers: others } });
  });

  it('refuses to work from a list that has changed meanwhile', async () => {
    const stale = await create('changed', ['other.io/a']);
    const body = { metadata: { finalizers: ['other.io/a', 'other.io/late'] } };
    await cluster.client.patch(configMaps, stale.metadata, { type: 'merge', body });
    await expect(step(stale)).rejects.toMatchObject({ reason: 'Invalid' });
    expect((await read('changed')).metadata.finalizers).toEqual(['other.io/a', 'other.io/late']);
  });

  it('leaves a new object of the same name alone', async () => {
    const gone = await create('again', []);
    await cluster.client.delete(configMaps, gone.metadata);
    await create('again', []);
    await expect(step(gone)).rejects.toMatchObject({ reason: 'Invalid' });
    expect((await read('again')).metadata.finalizers).toBeUndefined();
  });
});
