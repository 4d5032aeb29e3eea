// pods.surgeOnDrain, as stories on the model cluster: nodes are cordoned, and pods evicted where their budget allows it.

import { describe, expect, it } from '@jest/globals';
import { isReady, type Pod } from '../../../src/workload/pod.ts';
import type { ModelCluster } from '../../support/model-cluster.ts';
import {
  conditions,
  type Policy,
  promote,
  rest,
  roll,
  running,
  untilPromoted,
  versionOf,
  versions,
} from '../../support/rollout-story.ts';
import { template } from './fixture.ts';

const surging: Policy = { pods: { surgeOnDrain: true } };
const pace = (maxSurge: number, maxUnavailable = 0) =>
  ({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } }) as const;

/** All pods are on these nodes, in turn; all of them have to be healthy. */
function onNodes(
  replicas: number,
  surge: number,
  nodes: readonly string[],
  policy: Policy | 'none' = surging,
): ModelCluster {
  const cluster = running({ replicas, ...pace(surge, surge === 0 ? 1 : 0) }, policy);
  for (const [index, pod] of cluster.active.entries())
    cluster.pods.set(pod.metadata.name, { ...pod, spec: { nodeName: nodes[index % nodes.length] as string } });
  cluster.protect(replicas);
  return cluster;
}

function on(cluster: ModelCluster, node: string): Pod[] {
  return cluster.active.filter(({ spec }) => spec?.nodeName === node);
}

/** What the eviction API does for a budget that wants so many healthy pods. */
function evict(cluster: ModelCluster, node: string): boolean {
  const [pod] = on(cluster, node);
  const healthy = cluster.active.filter(isReady).length;
  if (pod === undefined || healthy - 1 < (cluster.budgets.get('web')?.status?.desiredHealthy ?? 0)) return false;
  cluster.terminate(pod);
  return true;
}

/** Evicts until no pod is left or nothing moves. Returns how many pods were created, and the most that were active. */
function drain(cluster: ModelCluster, node: string): { made: number; most: number } {
  const before = new Set(cluster.pods.keys());
  const made = new Set<string>();
  let most = 0;
  for (let round = 0; round < 30; round++) {
    rest(cluster);
    for (const name of cluster.pods.keys()) if (!before.has(name)) made.add(name);
    most = Math.max(most, cluster.active.length);
    if (!evict(cluster, node)) break;
  }
  return { made: made.size, most };
}

describe('a drain of a node whose budget allows nothing', () => {
  it.each([
    { name: 'one at a time', replicas: 4, surge: 1, held: 2, most: 5 },
    { name: 'as many at a time as the surge allows', replicas: 4, surge: 2, held: 2, most: 6 },
    { name: 'no more than there are on the node', replicas: 4, surge: 4, held: 2, most: 6 },
    { name: 'of a single replica', replicas: 1, surge: 1, held: 1, most: 2 },
  ])('ends, with exactly one new pod for each: $name', ({ replicas, surge, held, most }) => {
    const cluster = onNodes(replicas, surge, ['node-0', 'node-1']);
    cluster.cordon('node-0');
    expect(drain(cluster, 'node-0')).toEqual({ made: held, most });
    expect(on(cluster, 'node-0')).toEqual([]);
    expect(cluster.active).toHaveLength(replicas);
    expect(conditions(cluster)).toEqual(['Progressing=True NewReplicaSetAvailable']);
  });

  it.each<{ name: string; surge: number; policy: Policy | 'none' }>([
    { name: 'without a policy', surge: 1, policy: 'none' },
    { name: 'without the field', surge: 1, policy: {} },
    { name: 'with the field switched off', surge: 1, policy: { pods: { surgeOnDrain: false } } },
    { name: 'without a surge', surge: 0, policy: surging },
  ])('does not end $name, and nothing is done', ({ surge, policy }) => {
    const cluster = onNodes(4, surge, ['node-0', 'node-1'], policy);
    cluster.cordon('node-0');
    expect(cluster.settle().actions).toEqual([]);
    expect(drain(cluster, 'node-0')).toEqual({ made: 0, most: 4 });
    expect(on(cluster, 'node-0')).toHaveLength(2);
  });

  it('gets no surplus where the budget allows a disruption, or there is none', () => {
    const loose = onNodes(4, 1, ['node-0', 'node-1']);
    loose.protect(3);
    const free = onNodes(4, 1, ['node-0', 'node-1']);
    free.budgets.clear();
    const elsewhere = onNodes(4, 1, ['node-0', 'node-1']);
    elsewhere.protect(4, { matchLabels: { app: 'other' } });
    for (const cluster of [loose, free, elsewhere]) {
      cluster.cordon('node-0');
      rest(cluster);
      expect(cluster.active).toHaveLength(4);
    }
  });

  it('counts pods of others that the same budget is about', () => {
    const cluster = onNodes(4, 1, ['node-0', 'node-1']);
    cluster.addPod({ name: 'other', labels: { app: 'web' }, ownerReferences: [OTHER] });
    cluster.cordon('node-0');
    rest(cluster);
    expect(cluster.active).toHaveLength(4);
    cluster.protect(5);
    rest(cluster);
    expect(cluster.active).toHaveLength(5);
  });

  it('keeps the surplus pod as long as the node is cordoned, and says so', () => {
    const cluster = onNodes(4, 1, ['node-0', 'node-1']);
    cluster.cordon('node-0');
    rest(cluster);
    for (let hour = 0; hour < 3; hour++) {
      cluster.now += 3_600_000;
      expect(cluster.settle().actions).toEqual([]);
      expect(cluster.active).toHaveLength(5);
    }
    expect(conditions(cluster)).toEqual(['Progressing=True NewReplicaSetAvailable', 'Reconciling=True SurgingOnDrain']);
    cluster.cordon('node-0', false);
    rest(cluster);
    expect(cluster.active).toHaveLength(4);
    expect(conditions(cluster)).toEqual(['Progressing=True NewReplicaSetAvailable']);
  });

  it('makes no more pods while the surplus does not become ready, or is lost', () => {
    const cluster = onNodes(4, 2, ['node-0', 'node-1']);
    cluster.cordon('node-0');
    cluster.settle();
    expect(cluster.active).toHaveLength(6);
    const starting = cluster.active.filter((pod) => !isReady(pod));
    for (const pod of starting) cluster.crash(pod);
    expect(cluster.settle().actions).toEqual([]);
    cluster.terminate(cluster.pods.get(starting[0]?.metadata.name as string) as Pod);
    cluster.settle();
    expect(cluster.active).toHaveLength(6);
  });

  it('makes the next surplus pod at once while others are left on the node', () => {
    const cluster = onNodes(4, 1, ['node-0', 'node-1']);
    cluster.cordon('node-0');
    rest(cluster);
    expect(evict(cluster, 'node-0')).toBe(true);
    cluster.settle();
    expect([cluster.active.length, on(cluster, 'node-0').length]).toEqual([5, 1]);
  });

  it('is scaled meanwhile', () => {
    const cluster = onNodes(4, 1, ['node-0', 'node-1']);
    cluster.cordon('node-0');
    rest(cluster);
    cluster.edit({ replicas: 6 });
    cluster.protect(6);
    rest(cluster);
    expect(cluster.active).toHaveLength(7);
    cluster.edit({ replicas: 0 });
    rest(cluster);
    expect(cluster.active).toHaveLength(0);
  });

  it('works while the object is paused', () => {
    const cluster = onNodes(4, 1, ['node-0', 'node-1']);
    cluster.edit({ paused: true });
    rest(cluster);
    cluster.cordon('node-0');
    expect(drain(cluster, 'node-0')).toEqual({ made: 2, most: 5 });
    expect(cluster.active).toHaveLength(4);
  });

  it('has the surplus in the stable revision while a rollout rests in a step, and goes on from there', () => {
    const policy: Policy = { ...surging, steps: [{ replicas: 1, pause: untilPromoted }], rollback: {} };
    const cluster = onNodes(4, 1, ['node-0', 'node-1'], policy);
    roll(cluster, 'v2');
    expect(versions(cluster)).toEqual({ v1: 3, v2: 1 });
    const held = on(cluster, 'node-0').filter((pod) => versionOf(cluster, pod) === 'v1').length;
    expect(held).toBeGreaterThan(0);
    cluster.cordon('node-0');
    rest(cluster);
    expect(versions(cluster)).toEqual({ v1: 4, v2: 1 });
    expect(conditions(cluster)).toContain('Reconciling=True AwaitingPromotion');
    drain(cluster, 'node-0');
    expect(on(cluster, 'node-0')).toEqual([]);
    expect(versions(cluster)).toEqual({ v1: 3, v2: 1 });
    promote(cluster, 2, 1);
    expect(versions(cluster)).toEqual({ v2: 4 });
  });

  it('lets a rollout go on that begins meanwhile', () => {
    const cluster = onNodes(4, 1, ['node-0', 'node-1']);
    cluster.cordon('node-0');
    rest(cluster);
    cluster.edit({ template: template('v2') });
    rest(cluster);
    expect(versions(cluster)).toEqual({ v2: 4 });
    expect(on(cluster, 'node-0')).toEqual([]);
  });

  it('waits for the room that a terminating pod takes up', () => {
    const policy: Policy = { pods: { surgeOnDrain: true, podReplacementPolicy: 'TerminationComplete' } };
    const cluster = onNodes(4, 1, ['node-0', 'node-1'], policy);
    cluster.cordon('node-0');
    rest(cluster);
    evict(cluster, 'node-0');
    cluster.settle();
    expect(cluster.pods.size).toBe(5);
    expect(drain(cluster, 'node-0').most).toBeLessThanOrEqual(5);
    expect(on(cluster, 'node-0')).toEqual([]);
  });
});

const OTHER = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'other', uid: 'other', controller: true };
