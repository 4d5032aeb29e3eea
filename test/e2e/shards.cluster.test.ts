// Several operators share the namespaces of a cluster. Ranges move while every namespace rolls out: operators die, stop and join, and the
// API server comes back without the gate that filters by shard. Watches of their own hold every rollout to its promises, which two
// operators at work on one namespace would break.

import { afterAll, expect, it } from '@jest/globals';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import { installOperator, type LocalOperator, startOperator } from '../../src/local/operator.ts';
import { namespaces, serviceAccounts } from '../../src/runtime/built-in.ts';
import { containsNamespace, rangesOf } from '../../src/runtime/shards/range.ts';
import { useOwnCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { type RolloutWatch, watchRollouts } from '../support/rollout-watch.ts';
import { filteredFor, grantShards, hasShardGate, rangesHeldBy, shardGateFlags } from '../support/shards.ts';
import { rolling, Scene, version } from './scene.ts';

const SHARDS = 4;
const REPLICAS = 3;
/** A lease runs out after 15 s; a busy machine needs its time. */
const PATIENCE_MS = 120_000;

/** Two namespaces in each range. */
const NAMESPACES = rangesOf(SHARDS).flatMap((range) =>
  Array.from({ length: 100 }, (_, index) => `${index}-shared`)
    .filter((name) => containsNamespace(range, name))
    .slice(0, 2),
);

const operators: LocalOperator[] = [];
afterAll(() => Promise.all(operators.map((operator) => operator.stop())));
const own = await useOwnCluster({ name: 'shards' });
const { client, cluster } = own;
await installOperator(cluster);
await grantShards(client);
await cluster.restart('kube-apiserver', await shardGateFlags(client));
await cluster.restart('kube-controller-manager');
const scenes: Scene[] = [];
const watches: RolloutWatch[] = [];

/** Starts one more; the API server calls its webhooks from then on. */
async function join(): Promise<LocalOperator> {
  const flags = ['--leader-elect', `--shards=${SHARDS}`];
  const joined = await startOperator(cluster, { name: `replica-${operators.length}`, flags });
  operators.push(joined);
  return joined;
}

function shareEvenly(...members: readonly LocalOperator[]): Promise<void> {
  return eventually(async () => {
    const held = await Promise.all(members.map(rangesHeldBy));
    expect(held.map(({ length }) => length)).toEqual(members.map(() => SHARDS / members.length));
    expect(new Set(held.flat()).size).toBe(SHARDS);
  }, PATIENCE_MS);
}

function rollAll(image: string): Promise<unknown> {
  return Promise.all(scenes.map((scene) => scene.change(version(image))));
}

function allRun(image: string): Promise<void> {
  return eventually(async () => {
    const images = await Promise.all(scenes.map((scene) => scene.images()));
    expect(images).toEqual(scenes.map(() => ({ [`web:${image}`]: REPLICAS })));
    const { items } = await client.list(myDeployments);
    for (const { status } of items)
      expect(status).toMatchObject({ updatedReplicas: REPLICAS, readyReplicas: REPLICAS });
  }, PATIENCE_MS);
}

async function serverFilters(isFiltering: boolean, by: LocalOperator): Promise<void> {
  await eventually(async () => expect(await filteredFor(by)).toBe(isFiltering), PATIENCE_MS);
}

it('shares namespaces, hands them over and takes them over, whether or not the API server filters', async () => {
  for (const name of NAMESPACES) {
    await client.create(namespaces, { metadata: { name } });
    await eventually(() => client.get(serviceAccounts, { namespace: name, name: 'default' }));
    const watch = await watchRollouts(client, name);
    watches.push(watch);
    scenes.push(new Scene(own, name, watch));
  }
  const [first, second] = [await join(), await join()];
  await shareEvenly(first, second);
  await serverFilters(await hasShardGate(client), second);
  await Promise.all(scenes.map((scene) => scene.create({ replicas: REPLICAS, ...rolling(1, 1) })));
  await allRun('v1');

  // Webhooks are those of the second, which also answers for namespaces that the first works on.
  const selector = { matchLabels: { app: 'other' } };
  for (const scene of scenes) {
    await expect(scene.create({ selector }, 'bad')).rejects.toThrow('.spec.template.metadata.labels must equal with');
  }

  await rollAll('v2');
  await first.process.kill();
  await allRun('v2');
  await shareEvenly(second);

  const third = await join();
  await shareEvenly(second, third);
  await rollAll('v3');
  await second.stop();
  await allRun('v3');
  await shareEvenly(third);

  await rollAll('v4');
  await cluster.restart('kube-apiserver');
  const fourth = await join();
  await serverFilters(false, fourth);
  await shareEvenly(third, fourth);
  await allRun('v4');
  await rollAll('v5');
  await third.process.kill();
  await allRun('v5');

  const broken = await Promise.all(watches.map((watch) => watch.close('everything')));
  expect(broken.flat()).toEqual([]);
}, 600_000);
