// How many writes it takes. A controller's speed is the number of writes it causes, so a thousand pods should cost little
// more than a thousand writes: one event a step and not a pod, counts only when they change.

import { describe, expect, it } from '@jest/globals';
import { plan } from '../../../src/kinds/my-deployment/plan/plan.ts';
import { statusChange } from '../../../src/kinds/my-deployment/plan/status-change.ts';
import type { MyDeploymentStatus } from '../../../src/kinds/my-deployment/types.gen.ts';
import { statusInterval } from '../../../src/runtime/status-writer.ts';
import { isReady, isTerminating, type Pod } from '../../../src/workload/pod.ts';
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

/** Writes other than those of pods, the status left out: how often that is written is looked at further down. */
function overhead({ writes }: ModelCluster): number {
  const { createRevision = 0, updateRevision = 0, deleteRevision = 0, event = 0 } = writes;
  return createRevision + updateRevision + deleteRevision + event;
}

/** The same twice as often, with a status that is coalesced after writes that take `tookMs`. */
function liveCoalesced(cluster: ModelCluster, seconds: number, tookMs: number): void {
  let nextStatusAt = 0;
  for (let tick = 0; tick < seconds * 10; tick++) {
    cluster.now += 100;
    for (const pod of cluster.active.filter((one) => !isReady(one)).slice(0, 16)) cluster.makeReady(pod);
    for (const pod of [...cluster.pods.values()].filter(isTerminating).slice(0, 20)) cluster.remove(pod);
    const planned = plan(cluster.snapshot(), cluster.now);
    for (const action of planned.actions) cluster.apply(action);
    const change = statusChange(cluster.object.status, planned.status as MyDeploymentStatus);
    if (change === 'none' || (change === 'details' && cluster.now < nextStatusAt)) continue;
    cluster.storeStatus(planned);
    nextStatusAt = cluster.now + tookMs + statusInterval(tookMs, 100);
  }
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

describe('the status of a thousand pods', () => {
  const TOOK_MS = 10;
  const cluster = new ModelCluster({ selector, template: template('v1'), replicas: 1000 });

  it.each([
    { change: 'created', edit: {}, seconds: 8, atMost: 25, status: { availableReplicas: 1000 } },
    {
      change: 'rolled',
      edit: { template: template('v2') },
      seconds: 16,
      atMost: 60,
      status: { updatedReplicas: 1000 },
    },
    { change: 'taken away', edit: { replicas: 0 }, seconds: 8, atMost: 15, status: { replicas: 0 } },
  ])('is written at most $atMost times while they are $change', ({ edit, seconds, atMost, status }) => {
    forget(cluster);
    cluster.edit(edit);
    liveCoalesced(cluster, seconds, TOOK_MS);
    expect(cluster.object.status).toMatchObject({ ...status, terminatingReplicas: 0 });
    expect(cluster.writes.status).toBeLessThanOrEqual(atMost);
  });
});

describe('the status of few pods', () => {
  it.each([1, 3, 10, 100])('tells the end of a change in the reconcile that sees it, of %d pods', (replicas) => {
    const cluster = new ModelCluster({ selector, template: template('v1'), replicas });
    liveCoalesced(cluster, 5, 1_000);
    const { generation } = cluster.object.metadata;
    const end = { observedGeneration: generation, replicas, availableReplicas: replicas, terminatingReplicas: 0 };
    expect(cluster.object.status).toMatchObject(end);
    const [victim] = cluster.active;
    cluster.terminate(victim as Pod);
    cluster.remove(victim as Pod);
    liveCoalesced(cluster, 0.2, 1_000);
    expect(cluster.object.status).toMatchObject(end);
  });
});
