// Rollouts as stories, on the model cluster: what a person does, and what there is afterwards.

import { describe, expect, it } from '@jest/globals';
import type { MyDeploymentSpec } from '../../../src/kinds/my-deployment/types.gen.ts';
import { isActive, isReady, isTerminating, type Pod } from '../../../src/workload/pod.ts';
import type { ControllerRevision } from '../../../src/workload/revision.ts';
import { ModelCluster } from '../../support/model-cluster.ts';
import { runToRest } from '../../support/model-steps.ts';
import { template } from './fixture.ts';

const selector = { matchLabels: { app: 'web' } };
const pace = (maxSurge: number, maxUnavailable: number) =>
  ({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }) as const;

function running(spec: Partial<MyDeploymentSpec>): ModelCluster {
  const cluster = new ModelCluster({ selector, template: template('v1'), ...spec });
  runToRest(cluster);
  return cluster;
}

function imageOf(revision: ControllerRevision): string {
  return /web:(\w+)/.exec(JSON.stringify(revision.data))?.[1] ?? '';
}

/** Active pods by the version of their template. */
function versions(cluster: ModelCluster): Record<string, number> {
  const byHash = new Map(
    [...cluster.revisions.values()].map((one) => [
      one.metadata.labels?.['controller.kubernetes.io/hash'],
      imageOf(one),
    ]),
  );
  const counts: Record<string, number> = {};
  for (const pod of cluster.active) {
    const version = byHash.get(pod.metadata.labels?.['pod-template-hash']) ?? 'unknown';
    counts[version] = (counts[version] ?? 0) + 1;
  }
  return counts;
}

/** Revision numbers by version. */
function numbers(cluster: ModelCluster): Record<string, number> {
  return Object.fromEntries([...cluster.revisions.values()].map((one) => [imageOf(one), one.revision]));
}

function reason(cluster: ModelCluster, type = 'Progressing'): string | undefined {
  return cluster.object.status?.conditions?.find((condition) => condition.type === type)?.reason;
}

const shuttingDown = (cluster: ModelCluster): Pod[] => [...cluster.pods.values()].filter(isTerminating);

describe('deployment_test.go TestDeploymentRollingUpdate', () => {
  it('rolls out, back and over', () => {
    const cluster = running({ replicas: 5 });
    cluster.edit({ template: template('v2') });
    runToRest(cluster);
    expect({ pods: versions(cluster), numbers: numbers(cluster) }).toEqual({
      pods: { v2: 5 },
      numbers: { v1: 1, v2: 2 },
    });

    cluster.edit({ template: template('v1') });
    runToRest(cluster);
    expect({ pods: versions(cluster), numbers: numbers(cluster) }).toEqual({
      pods: { v1: 5 },
      numbers: { v1: 3, v2: 2 },
    });

    cluster.edit({ template: template('v3') });
    cluster.settle();
    cluster.edit({ template: template('v4') });
    runToRest(cluster);
    expect({ pods: versions(cluster), numbers: numbers(cluster) }).toEqual({
      pods: { v4: 5 },
      numbers: { v1: 3, v2: 2, v3: 4, v4: 5 },
    });
  });
});

describe('deployment_test.go TestPausedDeployment and TestScalePausedDeployment', () => {
  it('makes nothing while paused from the start, and begins when resumed', () => {
    const cluster = new ModelCluster({ selector, template: template('v1'), replicas: 1, paused: true });
    cluster.settle();
    expect({ pods: cluster.pods.size, revisions: cluster.revisions.size }).toEqual({ pods: 0, revisions: 0 });
    expect(reason(cluster)).toBe('DeploymentPaused');
    cluster.edit({ paused: false });
    runToRest(cluster);
    expect(versions(cluster)).toEqual({ v1: 1 });
    expect(reason(cluster)).toBe('NewReplicaSetAvailable');
  });

  it('does not roll while paused, scales nevertheless, and rolls when resumed', () => {
    const cluster = running({ replicas: 2 });
    cluster.edit({ paused: true, template: template('v2') });
    runToRest(cluster);
    expect(versions(cluster)).toEqual({ v1: 2 });
    cluster.edit({ replicas: 5 });
    runToRest(cluster);
    expect({ pods: versions(cluster), numbers: numbers(cluster) }).toEqual({ pods: { v1: 5 }, numbers: { v1: 1 } });
    cluster.edit({ paused: false });
    cluster.reconcile();
    expect(reason(cluster)).toBe('NewReplicaSetCreated');
    runToRest(cluster);
    expect(versions(cluster)).toEqual({ v2: 5 });
  });
});

describe('deployment_test.go TestScaledRolloutDeployment: replicas and template in one update', () => {
  it.each([
    { name: 'up', from: 3, to: 10 },
    { name: 'down', from: 10, to: 3 },
  ])('$name', ({ from, to }) => {
    const cluster = running({ replicas: from });
    cluster.edit({ replicas: to, template: template('v2') });
    cluster.reconcile();
    expect(cluster.revisions.size).toBe(1);
    runToRest(cluster);
    expect(versions(cluster)).toEqual({ v2: to });
  });
});

describe('deployment.go "deployment should support proportional scaling"', () => {
  it('keeps the mix of 8 old and 5 new: 20 and 13 of 30', () => {
    const cluster = running({ replicas: 10, strategy: pace(3, 2) });
    cluster.edit({ template: template('bad') });
    cluster.settle();
    expect(versions(cluster)).toEqual({ v1: 8, bad: 5 });
    cluster.edit({ replicas: 30 });
    cluster.reconcile();
    expect(versions(cluster)).toEqual({ v1: 20, bad: 13 });
  });
});

describe('deployment_test.go TestSpecReplicasChange: to zero and back', () => {
  it('takes all pods away and makes as many as asked for', () => {
    const cluster = running({ replicas: 4 });
    for (const replicas of [0, 6, 1]) {
      cluster.edit({ replicas });
      runToRest(cluster);
      expect(versions(cluster)).toEqual(replicas === 0 ? {} : { v1: replicas });
      expect(numbers(cluster)).toEqual({ v1: 1 });
    }
  });
});

describe('deployment_test.go TestFailedDeployment', () => {
  it('is overdue when nothing becomes ready, and fine once it does', () => {
    const cluster = new ModelCluster({ selector, template: template('v1'), replicas: 1, progressDeadlineSeconds: 3 });
    const { checkAgainAt } = cluster.settle();
    cluster.now = checkAgainAt as number;
    cluster.settle();
    expect(reason(cluster)).toBe('ProgressDeadlineExceeded');
    runToRest(cluster);
    expect(reason(cluster)).toBe('NewReplicaSetAvailable');
    expect(reason(cluster, 'Available')).toBe('MinimumReplicasAvailable');
  });
});

describe('deployment_test.go TestDeploymentAvailableCondition', () => {
  it('counts a pod as available only when it has been ready long enough', () => {
    const cluster = new ModelCluster({ selector, template: template('v1'), replicas: 4, minReadySeconds: 60 });
    cluster.settle();
    expect(reason(cluster, 'Available')).toBe('MinimumReplicasUnavailable');
    for (const pod of cluster.active) cluster.makeReady(pod);
    const { checkAgainAt } = cluster.settle();
    expect(cluster.object.status).toMatchObject({ readyReplicas: 4, availableReplicas: 0 });
    cluster.now = checkAgainAt as number;
    cluster.settle();
    expect(cluster.object.status).toMatchObject({ readyReplicas: 4, availableReplicas: 4 });
    expect(reason(cluster, 'Available')).toBe('MinimumReplicasAvailable');
  });
});

describe('deployment_test.go TestRecreateDeploymentForPodReplacement', () => {
  it('starts nothing before the last old pod has ended', () => {
    const cluster = running({ replicas: 6, strategy: { type: 'Recreate' } });
    cluster.edit({ template: template('v2') });
    cluster.settle();
    expect({ active: cluster.active.length, leaving: shuttingDown(cluster).length }).toEqual({ active: 0, leaving: 6 });
    for (const pod of shuttingDown(cluster).slice(1)) cluster.remove(pod);
    cluster.settle();
    expect({ active: cluster.active.length, leaving: shuttingDown(cluster).length }).toEqual({ active: 0, leaving: 1 });
    for (const pod of shuttingDown(cluster)) cluster.remove(pod);
    cluster.settle();
    expect(versions(cluster)).toEqual({ v2: 6 });
    cluster.edit({ replicas: 7 });
    cluster.settle();
    expect(versions(cluster)).toEqual({ v2: 7 });
  });
});

describe('a rolling update does not wait for what shuts down', () => {
  it('finishes while all old pods are still terminating', () => {
    const cluster = running({ replicas: 4, strategy: pace(1, 1) });
    cluster.edit({ template: template('v2') });
    for (let round = 0; round < 20; round++) {
      cluster.settle();
      for (const pod of cluster.active.filter((one) => !isReady(one))) cluster.makeReady(pod);
    }
    expect({ pods: versions(cluster), leaving: shuttingDown(cluster).length }).toEqual({ pods: { v2: 4 }, leaving: 4 });
    expect(cluster.object.status).toMatchObject({ terminatingReplicas: 4 });
    expect(reason(cluster)).toBe('NewReplicaSetAvailable');
  });
});

describe('deployment_test.go TestDeploymentHashCollision', () => {
  it('finds another name when one of ours holds it with another template, and says so', () => {
    const cluster = running({ replicas: 1 });
    const [held] = [...cluster.revisions.values()] as [ControllerRevision];
    const data = JSON.parse(JSON.stringify(held.data).replace('web:v1', 'web:other')) as unknown;
    cluster.revisions.set(held.metadata.name, { ...held, data });
    runToRest(cluster);
    expect(cluster.object.status).toMatchObject({ collisionCount: 1 });
    expect(versions(cluster)).toEqual({ v1: 1 });
  });
});

describe('stateful_set_control_test.go TestStatefulSetControlRollback', () => {
  it.each([
    { name: 'after the rollout', rolled: { v2: 3 }, rollOut: runToRest },
    { name: 'in the middle of it', rolled: { v1: 3, v2: 1 }, rollOut: (cluster: ModelCluster) => cluster.settle() },
  ])('$name: the pods, the template and its revision are what they were', ({ rolled, rollOut }) => {
    const cluster = running({ replicas: 3 });
    const before = cluster.object.status?.updateRevision;
    cluster.edit({ template: template('v2') });
    rollOut(cluster);
    expect(versions(cluster)).toEqual(rolled);
    cluster.edit({ template: template('v1') });
    runToRest(cluster);
    expect({ pods: versions(cluster), numbers: numbers(cluster) }).toEqual({
      pods: { v1: 3 },
      numbers: { v1: 3, v2: 2 },
    });
    expect(cluster.object.status).toMatchObject({ currentRevision: before, updateRevision: before });
  });
});

describe('stateful_set_control_test.go TestStatefulSetControlLimitsHistory, TestStatefulSetHonorRevisionHistoryLimit', () => {
  it.each([
    { limit: 0, kept: ['v9'] },
    { limit: 2, kept: ['v7', 'v8', 'v9'] },
  ])('keeps $limit old revisions', ({ limit, kept }) => {
    const cluster = running({ replicas: 2, revisionHistoryLimit: limit });
    for (const version of ['v2', 'v3', 'v4', 'v5', 'v6', 'v7', 'v8', 'v9']) {
      cluster.edit({ template: template(version) });
      runToRest(cluster);
    }
    expect(Object.keys(numbers(cluster)).sort()).toEqual(kept);
  });
});

describe('pods taken over from a ReplicaSet', () => {
  it('are of the revision that answers to their hash: nothing restarts', () => {
    const cluster = running({ replicas: 3 });
    const [taken] = [...cluster.revisions.values()] as [ControllerRevision];
    const aliases = { 'mydeployment.kubebuilder.zq.com/pod-template-hash-aliases': '5d4f8c7b9' };
    const annotations = { ...taken.metadata.annotations, ...aliases };
    cluster.revisions.set(taken.metadata.name, { ...taken, metadata: { ...taken.metadata, annotations } });
    for (const pod of cluster.active)
      cluster.patchPod(pod, { labels: { app: 'web', 'pod-template-hash': '5d4f8c7b9' } });
    const before = [...cluster.pods.keys()];
    runToRest(cluster);
    expect([...cluster.pods.values()].filter(isActive).map(({ metadata }) => metadata.name)).toEqual(before);
    expect(cluster.object.status).toMatchObject({ updatedReplicas: 3 });
  });
});
