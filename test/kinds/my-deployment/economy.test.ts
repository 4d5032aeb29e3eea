// How many writes it takes. A controller's speed is the number of writes it causes, so a thousand pods should cost little
// more than a thousand writes: one event a step and not a pod, counts only when they change.

import { describe, expect, it } from '@jest/globals';
import { isReady, isTerminating } from '../../../src/workload/pod.ts';
import { ModelCluster } from '../../support/model-cluster.ts';
import { runToRest } from '../../support/model-steps.ts';
import { template } from './fixture.ts';

const selector = { matchLabels: { app: 'web' } };

/** A cluster that makes 20 pods ready in every fifth of a second, and reconciles as often. */
function liveFor(cluster: ModelCluster, seconds: number): void {
  for (let tick = 0; tick < seconds * 5; tick++) {
    cluster.now += 200;
    for (const pod of cluster.active.filter((one) => !isReady(one)).slice(0, 20)) cluster.makeReady(pod);
    for (const pod of [...cluster.pods.values()].filter(isTerminating)) cluster.remove(pod);
    cluster.reconcile();
  }
}

/** Writes other than those of pods, the status left out: when that is written is not the plan's decision. */
function overhead({ writes }: ModelCluster): number {
  const { createRevision = 0, updateRevision = 0, deleteRevision = 0, event = 0 } = writes;
  return createRevision + updateRevision + deleteRevision + event;
}

function forget(cluster: ModelCluster): void {
  for (const key of Object.keys(cluster.writes)) delete cluster.writes[key as keyof typeof cluster.writes];
}

describe('a thousand pods', () => {
  const cluster = new ModelCluster({ selector, template: template('v1'), replicas: 1000 });

  it('are created with one record and one event', () => {
    liveFor(cluster, 12);
    expect(cluster.ready).toHaveLength(1000);
    expect(cluster.writes).toMatchObject({ createRevision: 1, event: 1 });
    expect(overhead(cluster)).toBe(2);
  });

  it('are rolled at 25 % / 25 % with less than thirty other writes', () => {
    forget(cluster);
    cluster.edit({ template: template('v2') });
    liveFor(cluster, 16);
    expect(cluster.object.status).toMatchObject({ updatedReplicas: 1000, availableReplicas: 1000, replicas: 1000 });
    expect(cluster.writes.deletePod).toBe(1000);
    expect(overhead(cluster)).toBeLessThan(30);
  });

  it('are healed with none', () => {
    forget(cluster);
    for (const pod of cluster.active.slice(0, 100)) cluster.terminate(pod);
    liveFor(cluster, 3);
    expect(cluster.ready).toHaveLength(1000);
    expect(overhead(cluster)).toBe(0);
  });

  it('are taken away with one record and one event', () => {
    forget(cluster);
    cluster.edit({ replicas: 0 });
    liveFor(cluster, 1);
    expect(cluster.active).toHaveLength(0);
    expect(cluster.writes.deletePod).toBe(1000);
    expect(overhead(cluster)).toBe(2);
  });
});

describe('a small rollout', () => {
  it('takes a step for every pod that becomes available, as Kubernetes does', () => {
    const cluster = new ModelCluster({ selector, template: template('v1'), replicas: 3 });
    runToRest(cluster);
    cluster.edit({ template: template('v2') });
    cluster.settle();
    for (let round = 0; round < 3; round++) {
      const [next] = cluster.active.filter((pod) => !isReady(pod));
      if (next !== undefined) cluster.makeReady(next);
      cluster.settle();
    }
    for (const pod of [...cluster.pods.values()].filter(isTerminating)) cluster.remove(pod);
    cluster.settle();
    expect(cluster.object.status).toMatchObject({ updatedReplicas: 3, replicas: 3, availableReplicas: 3 });
  });
});
