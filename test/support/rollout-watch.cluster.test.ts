// The watch over rollouts, on a real API server without an operator: this test plays one that breaks the promises.

import { beforeAll, expect, it } from '@jest/globals';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../src/kinds/my-deployment/types.gen.ts';
import type { Owner } from '../../src/runtime/owner.ts';
import { buildPod } from '../../src/workload/build-pod.ts';
import { isReady, type Pod } from '../../src/workload/pod.ts';
import { pods } from '../../src/workload/write-context.ts';
import { useSharedCluster } from './cluster.ts';
import { installCrds } from './crds.ts';
import { eventually } from './eventually.ts';
import { type RolloutWatch, watchRollouts } from './rollout-watch.ts';

const cluster = await useSharedCluster();
const { client } = cluster;

beforeAll(() => installCrds(cluster));

interface BadOperator {
  readonly watch: RolloutWatch;
  create(...names: readonly string[]): Promise<void>;
  remove(...names: readonly string[]): Promise<void>;
}

/** Makes and removes pods of a MyDeployment of 2, of which 3 may exist and 2 have to be available, as it likes. */
async function badOperator(): Promise<BadOperator> {
  const namespace = await cluster.namespace();
  const watch = await watchRollouts(client, namespace);
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } };
  const spec: MyDeployment['spec'] = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template };
  const owner = await client.create(myDeployments, { metadata: { namespace, name: 'web' }, spec });
  return {
    watch,
    async create(...names) {
      for (const name of names) {
        await client.create(pods, buildPod(owner as MyDeployment & Owner, { hash: 'abc', template }, name));
        await eventually(async () => expect(isReady(await client.get<Pod>(pods, { namespace, name }))).toBe(true));
      }
    },
    async remove(...names) {
      for (const name of names) await client.delete(pods, { namespace, name });
    },
  };
}

it('has nothing to say while promises are kept', async () => {
  const { watch, create, remove } = await badOperator();
  await create('one', 'two', 'three');
  await remove('one');
  await create('four');
  expect(await watch.close()).toEqual([]);
  expect(watch.history.filter(({ kind }) => kind === 'Pod').length).toBeGreaterThanOrEqual(8);
});

it('notices one pod too many, although it is gone at once', async () => {
  const { watch, create, remove } = await badOperator();
  await create('one', 'two', 'three', 'four');
  await remove('four');
  expect(await watch.close()).toEqual([expect.stringMatching(/^4 pods where 3 are allowed\n/)]);
});

it('notices one pod too few, unless the test took one away itself', async () => {
  const { watch, create, remove } = await badOperator();
  await create('one', 'two');
  watch.disturb('one');
  await remove('one');
  await create('three');
  await remove('two', 'three');
  expect(await watch.close()).toEqual([expect.stringMatching(/^three was taken away, 0 are left where 2 have to be/)]);
});
