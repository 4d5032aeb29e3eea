import { describe, expect, it } from '@jest/globals';
import { plan } from '../../../src/kinds/my-deployment/plan/plan.ts';
import { DESIRED_REPLICAS, REPLICAS } from '../../../src/kinds/my-deployment/plan/record.ts';
import { ROLLBACK_TO } from '../../../src/kinds/my-deployment/plan/rollback.ts';
import { ZONE_LABEL } from '../../../src/kinds/my-deployment/plan/spread.ts';
import { readAttempt } from '../../../src/policy/attempt.ts';
import { ABORT, PROMOTE } from '../../../src/policy/requests.ts';
import type { Action } from '../../../src/workload/action.ts';
import { isTerminating, type Pod } from '../../../src/workload/pod.ts';
import type { ModelCluster } from '../../support/model-cluster.ts';
import {
  conditions,
  revisionOf,
  roll,
  running,
  untilPromoted,
  versionOf,
  versions,
} from '../../support/rollout-story.ts';
import {
  mixedPods,
  myDeployment,
  NOW,
  type ObjectOptions,
  pods,
  revision,
  secondsAgo,
  snapshotOf,
  template,
} from './fixture.ts';

/** Actions in a few words: what is done, to how many pods of which revision. */
function inShort(actions: readonly Action[]): string[] {
  const words = actions.map((action) => {
    switch (action.do) {
      case 'createPods':
        return `createPods ${action.revision} ${action.count}`;
      case 'deletePod':
        return `deletePod ${action.revision}`;
      default:
        return action.do;
    }
  });
  const grouped = Map.groupBy(words, (word) => word);
  return [...grouped].map(([word, same]) => (word.startsWith('deletePod') ? `${word} ${same.length}` : word));
}

/** An object at rest with 3 pods of v2. */
function atRest(options: ObjectOptions = {}) {
  const object = myDeployment({ replicas: 3, ...options });
  const update = revision(object, 'v2', { number: 1, replicas: 3, of: 3, ceiling: 4 });
  return { object, update, name: update.metadata.name, pods: mixedPods(object, update, 3, 3) };
}

describe('where a plan goes', () => {
  it('gone: nothing at all', () => {
    expect(plan(undefined, NOW)).toEqual({ actions: [], status: undefined, events: [], checkAgainAt: undefined });
  });

  it('deployment_controller_test.go TestDontSyncDeploymentsWithEmptyPodSelector: a warning, once a generation', () => {
    const object = myDeployment({ selector: {}, metadata: { generation: 2 }, status: { replicas: 4 } });
    const warned = plan(snapshotOf(object), NOW);
    expect(warned).toMatchObject({
      actions: [],
      status: { replicas: 4, observedGeneration: 2 },
      events: [{ type: 'Warning', reason: 'SelectingAll' }],
    });
    const again = { ...object, status: { replicas: 4, observedGeneration: 2 } };
    expect(plan(snapshotOf(again), NOW).events).toEqual([]);
  });

  it('warns about a selector of everything in the very first generation, too', () => {
    expect(plan(snapshotOf(myDeployment({ selector: {} })), NOW)).toMatchObject({
      status: { replicas: 0, observedGeneration: 1 },
      events: [{ reason: 'SelectingAll' }],
    });
  });

  it('deployment_controller_test.go TestSyncDeploymentDontDoAnythingDuringDeletion: the status and nothing else', () => {
    const { object, update, pods: all } = atRest({ version: 'v3', metadata: { deletionTimestamp: secondsAgo(1) } });
    const orphan = pods(object, update, [{ metadata: { name: 'orphan', ownerReferences: [] } }]);
    const planned = plan(snapshotOf(object, [update], [...all.slice(0, 2), ...orphan]), NOW);
    expect(planned).toMatchObject({ actions: [], events: [], status: { replicas: 2, observedGeneration: 1 } });
  });

  it('deployment_controller_test.go TestSyncDeploymentCreatesReplicaSet: the record first, then its pods', () => {
    const object = myDeployment({ replicas: 3 });
    const { actions, events } = plan(snapshotOf(object), NOW);
    expect(inShort(actions)).toEqual([
      'createRevision',
      `createPods ${revision(object, 'v2', { number: 1 }).metadata.name} 3`,
    ]);
    expect(events.map(({ reason }) => reason)).toEqual(['RevisionCreated']);
  });

  it('replica_set_test.go TestSyncReplicaSetDoesNothing: at rest there is nothing to do', () => {
    const { object, update, pods: all } = atRest();
    const first = plan(snapshotOf(object, [update], all), NOW);
    const settled = plan(snapshotOf({ ...object, ...(first.status && { status: first.status }) }, [update], all), NOW);
    expect(settled).toEqual({ actions: [], status: first.status, events: [], checkAgainAt: undefined });
  });

  it('deployment_controller_test.go TestReentrantRollback: the request is served, and nothing else done meanwhile', () => {
    const metadata = { annotations: { [ROLLBACK_TO]: '0' } };
    const object = myDeployment({ replicas: 3, version: 'v3', metadata });
    const one = revision(object, 'v1', { number: 1, replicas: 0 });
    const two = revision(object, 'v2', { number: 2, replicas: 3, of: 3, ceiling: 4 });
    const { actions } = plan(snapshotOf(object, [one, two], []), NOW);
    expect(actions).toMatchObject([{ do: 'updateOwner', template: template('v2') }]);
  });

  it('a paused object keeps its request until it is resumed', () => {
    const { object, update, pods: all } = atRest({ paused: true, metadata: { annotations: { [ROLLBACK_TO]: '0' } } });
    expect(plan(snapshotOf(object, [update], all), NOW).actions).toEqual([]);
  });

  it('refuses a strategy that does not exist', () => {
    const object = myDeployment({ strategy: { type: 'BlueGreen' as 'Recreate' } });
    expect(() => plan(snapshotOf(object), NOW)).toThrow('neither Recreate nor RollingUpdate: BlueGreen');
  });
});

describe('claims', () => {
  const { object, update, pods: all } = atRest();
  const orphan = pods(object, update, [{ readyFor: 60, metadata: { name: 'orphan', uid: 'o', ownerReferences: [] } }]);
  const strayed = pods(object, update, [
    { readyFor: 60, metadata: { name: 'strayed', uid: 's', labels: { app: 'debug' } } },
  ]);

  it.each([
    { name: 'an orphan is adopted', extra: orphan, actions: [{ do: 'adoptPod', name: 'orphan', uid: 'o' }] },
    {
      name: 'one that stopped matching is released',
      extra: strayed,
      actions: [{ do: 'releasePod', name: 'strayed', uid: 's' }],
    },
  ])('$name, before anything is created or deleted', ({ extra, actions }) => {
    const planned = plan(snapshotOf(object, [update], [...all.slice(0, 1), ...extra]), NOW);
    expect(planned.actions).toEqual(actions);
    expect(planned.status).toMatchObject({ replicas: 1 });
  });

  it('replicaset_test.go TestExtraPodsAdoptionAndDeletion: one too many after the adoption, one goes', () => {
    const adopted = pods(object, update, [{ metadata: { name: 'adopted', uid: 'a' } }]);
    const { actions } = plan(snapshotOf(object, [update], [...all, ...adopted]), NOW);
    expect(actions).toMatchObject([{ do: 'deletePod', name: 'adopted' }]);
  });

  it('a pod whose record is gone is rolled away like an old pod', () => {
    const labels = { app: 'web', 'pod-template-hash': 'unheard' };
    const stray = pods(object, update, [{ readyFor: 60, metadata: { name: 'x', uid: 'x', labels } }]);
    const { actions } = plan(snapshotOf(object, [update], [...all, ...stray]), NOW);
    expect(actions).toMatchObject([{ do: 'deletePod', name: 'x', revision: '(unknown)' }]);
  });

  it('adopts the history of an owner before us along with its pods, so that nothing restarts', () => {
    const ownerReferences: [] = [];
    const past = revision(object, 'v2', { number: 4, replicas: 3, of: 3, ceiling: 4, metadata: { ownerReferences } });
    const orphans = all.map((pod): Pod => ({ ...pod, metadata: { ...pod.metadata, ownerReferences } }));
    const { actions } = plan(snapshotOf(object, [past], orphans), NOW);
    expect(inShort(actions)).toEqual(['adoptRevision', 'adoptPod']);
    expect(actions).toHaveLength(4);
  });

  it('replica_set_test.go TestDoNotPatchPodWithOtherControlRef: another controller’s pods are not looked at', () => {
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'x', uid: 'x', controller: true }];
    const theirs = all.map((pod): Pod => ({ ...pod, metadata: { ...pod.metadata, ownerReferences } }));
    const { actions, status } = plan(snapshotOf(object, [update], theirs), NOW);
    expect(inShort(actions)).toEqual([`createPods ${update.metadata.name} 3`]);
    expect(status).toMatchObject({ replicas: 0 });
  });
});

describe('pods that are not what they were', () => {
  const { object, update, name, pods: all } = atRest();
  const [one, two, three] = all as [Pod, Pod, Pod];

  it.each([
    { name: 'failed', pod: { ...three, status: { phase: 'Failed' } } },
    { name: 'completed (kruise #1433)', pod: { ...three, status: { phase: 'Succeeded' } } },
    { name: 'shutting down', pod: { ...three, metadata: { ...three.metadata, deletionTimestamp: secondsAgo(1) } } },
  ])('replicaset_test.go TestDeletingAndFailedPods: one $name is replaced and left alone', ({ pod }) => {
    const { actions } = plan(snapshotOf(object, [update], [one, two, pod]), NOW);
    expect(inShort(actions)).toEqual([`createPods ${name} 1`]);
  });

  it('an old pod that dies in mid-rollout comes back from its own revision', () => {
    const rolling = myDeployment({ replicas: 10, maxSurge: 3, maxUnavailable: 2, version: 'v3' });
    const old = revision(rolling, 'v2', { number: 1, replicas: 8, of: 10, ceiling: 13 });
    const broken = revision(rolling, 'v3', { number: 2, replicas: 5, of: 10, ceiling: 13 });
    const left = [...mixedPods(rolling, old, 7, 7), ...mixedPods(rolling, broken, 5, 0)];
    const { actions } = plan(snapshotOf(rolling, [old, broken], left), NOW);
    expect(inShort(actions)).toEqual([`createPods ${old.metadata.name} 1`]);
  });

  it('an old pod that dies while paused comes back from its own revision too', () => {
    const paused = myDeployment({ replicas: 3, paused: true, version: 'v3' });
    const { actions } = plan(snapshotOf(paused, [update], [one, two]), NOW);
    expect(inShort(actions)).toEqual([`createPods ${name} 1`]);
  });

  it('kruise #1478: pods that will not be available for years do not keep it from scaling down', () => {
    const waiting = myDeployment({ replicas: 1, minReadySeconds: 1_000_000, progressDeadlineSeconds: 2_000_000 });
    const { actions } = plan(snapshotOf(waiting, [update], all), NOW);
    expect(inShort(actions)).toEqual(['updateRevision', `deletePod ${name} 2`]);
  });

  it('kruise #376: undone with one stuck, the stuck one goes', () => {
    const undone = myDeployment({ replicas: 3, maxSurge: 1, maxUnavailable: 0 });
    const stuck = revision(undone, 'v3', { number: 2, replicas: 1, of: 3, ceiling: 4 });
    const { actions } = plan(snapshotOf(undone, [update, stuck], [...all, ...pods(undone, stuck, [{}])]), NOW);
    expect(actions.filter((action) => action.do === 'deletePod')).toMatchObject([{ revision: stuck.metadata.name }]);
  });
});

describe('what goes', () => {
  it('replica_set_test.go TestRelatedPodsLookup: a node crowded by pods of any revision is relieved first', () => {
    const object = myDeployment({ replicas: 1, maxSurge: 1, maxUnavailable: 1 });
    const old = revision(object, 'v1', { number: 1, replicas: 1, of: 1, ceiling: 2 });
    const update = revision(object, 'v2', { number: 2, replicas: 1, of: 1, ceiling: 2 });
    const [alone, crowded] = mixedPods(object, update, 2, 2) as [Pod, Pod];
    const [neighbour] = mixedPods(object, old, 1, 0) as [Pod];
    const on = (pod: Pod, nodeName: string): Pod => ({ ...pod, spec: { nodeName } });
    const all = [on(alone, 'quiet'), on(crowded, 'busy'), on(neighbour, 'busy')];
    const { actions } = plan(snapshotOf(object, [old, update], all), NOW);
    const gone = actions.filter((action) => action.do === 'deletePod' && action.revision === update.metadata.name);
    expect(gone).toMatchObject([{ name: crowded.metadata.name }]);
  });

  it('scaled down before the new pods exist, old ones that have to serve stay, whatever their share', () => {
    const object = myDeployment({ replicas: 6, maxSurge: 0, maxUnavailable: 1, version: 'v3' });
    const old = revision(object, 'v2', { number: 1, replicas: 6, of: 8, ceiling: 8 });
    const update = revision(object, 'v3', { number: 2, replicas: 2, of: 8, ceiling: 8 });
    const { actions, events } = plan(snapshotOf(object, [old, update], mixedPods(object, old, 6, 6)), NOW);
    expect(inShort(actions)).toEqual(['updateRevision', `deletePod ${old.metadata.name} 1`]);
    expect(events.map(({ message }) => message)).toEqual([
      `Scaled down revision ${old.metadata.name} from 6 to 5; scaled down revision ${update.metadata.name} from 2 to 1`,
    ]);
  });

  it.each([
    { name: 'finished', paused: false, ready: 3, forgotten: 1 },
    { name: 'not finished', paused: false, ready: 2, forgotten: 0 },
    { name: 'paused', paused: true, ready: 2, forgotten: 1 },
    { name: 'scaled', paused: false, replicas: 4, ready: 3, forgotten: 0 },
  ])('old revisions beyond the limit, when the rollout is $name: $forgotten', ({ forgotten, ready, ...options }) => {
    const { object, update } = atRest({ ...options, revisionHistoryLimit: 0 });
    const old = revision(object, 'v1', { number: 0, replicas: 0 });
    const { actions } = plan(snapshotOf(object, [old, update], mixedPods(object, update, 3, ready)), NOW);
    expect(actions.filter((action) => action.do === 'deleteRevision')).toHaveLength(forgotten);
  });
});

describe('the size of the owner is noted', () => {
  const P = 'mydeployment.kubebuilder.zq.com';
  const before = { of: 4, ceiling: 4 };

  it('on every revision with pods when somebody scales, whether its own count changes or not', () => {
    const object = myDeployment({ replicas: 5, maxSurge: 0, maxUnavailable: 1 });
    const old = revision(object, 'v1', { number: 1, replicas: 1, ...before });
    const update = revision(object, 'v2', { number: 2, replicas: 3, ...before });
    const all = [...mixedPods(object, old, 1, 1), ...mixedPods(object, update, 3, 3)];
    const { actions } = plan(snapshotOf(object, [old, update], all), NOW);
    expect(actions.filter((action) => action.do === 'updateRevision')).toMatchObject([
      { uid: 'v1-uid', annotations: { [`${P}/desired-replicas`]: '5', [`${P}/max-replicas`]: '5' } },
      { uid: 'v2-uid', annotations: { [`${P}/replicas`]: '4', [`${P}/desired-replicas`]: '5' } },
    ]);
  });

  it('on none when a paused object only gets another surge', () => {
    const object = myDeployment({ replicas: 4, maxSurge: 2, maxUnavailable: 1, paused: true });
    const update = revision(object, 'v2', { number: 1, replicas: 4, ...before });
    const { actions } = plan(snapshotOf(object, [update], mixedPods(object, update, 4, 4)), NOW);
    expect(actions).toEqual([]);
  });
});

/** Of 100 replicas at 25 % / 25 %: 75 old ones that have to serve, and new ones of which the available just became so. */
function steppingUp(old: number, update: number, available: number) {
  const object = myDeployment({ replicas: 100, progressDeadlineSeconds: 2 ** 31 - 1 });
  const one = revision(object, 'v1', { number: 1, replicas: old, of: 100, ceiling: 125 });
  const two = revision(object, 'v2', { number: 2, replicas: update, of: 100, ceiling: 125 });
  const entries = Array.from({ length: update }, (_, index) => (index < available ? { readyFor: 0 } : {}));
  return plan(
    snapshotOf(object, [one, two], [...mixedPods(object, one, old, old), ...pods(object, two, entries)]),
    NOW,
  );
}

describe('a step that is small', () => {
  it('waits while more pods are on their way, and says until when', () => {
    const { actions, checkAgainAt } = steppingUp(75, 50, 3);
    expect(actions).toEqual([]);
    expect(checkAgainAt).toBe(NOW + 2000);
  });

  it('is taken when too few are on their way to make it large', () => {
    const { actions, checkAgainAt } = steppingUp(70, 12, 8);
    expect(actions.map((action) => action.do)).toContain('deletePod');
    expect(checkAgainAt).toBeUndefined();
  });
});

describe('when to look again', () => {
  it.each([
    { name: 'is being deleted', metadata: { deletionTimestamp: secondsAgo(1) } },
    { name: 'has a request to roll back', metadata: { annotations: { [ROLLBACK_TO]: '7' } } },
    { name: 'is paused', paused: true },
  ])('when the next pod becomes available, also while the object $name', ({ name: _, ...options }) => {
    const { object, update } = atRest({ minReadySeconds: 30, ...options });
    const waiting = pods(object, update, [{ readyFor: 5 }, { readyFor: 20 }, { readyFor: 40 }]);
    expect(plan(snapshotOf(object, [update], waiting), NOW).checkAgainAt).toBe(NOW + 10_000);
  });

  it('replica_set_test.go TestReplicaSetAvailabilityCheck: when the next pod becomes available', () => {
    const { object, update } = atRest({ minReadySeconds: 30 });
    const waiting = pods(object, update, [{ readyFor: 5 }, { readyFor: 20 }, { readyFor: 40 }]);
    expect(plan(snapshotOf(object, [update], waiting), NOW).checkAgainAt).toBe(NOW + 10_000);
  });

  it('when the rollout would be overdue', () => {
    const condition = {
      type: 'Progressing',
      status: 'True',
      reason: 'ReplicaSetUpdated',
      lastUpdateTime: secondsAgo(30),
    };
    const conditions = [condition as { type: string; status: 'True' }];
    const status = { replicas: 3, updatedReplicas: 3, updateRevision: atRest().name, conditions };
    const { object, update } = atRest({ progressDeadlineSeconds: 60, status });
    const planned = plan(snapshotOf(object, [update], mixedPods(object, update, 3, 0)), NOW);
    expect(planned.checkAgainAt).toBe(NOW + 30_001);
  });
});

describe('a plan under a policy', () => {
  const oneByOne = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } } as const;
  const ofVersion = (cluster: ModelCluster, version: string) =>
    cluster.active.filter((pod) => versionOf(cluster, pod) === version);

  it('that rejects an attempt has its pods leave before those of the revision in between, as do the plans after it', () => {
    const cluster = running(oneByOne, { steps: [{ replicas: 2, pause: untilPromoted }], rollback: {} });
    const next = () => {
      cluster.settle();
      for (const pod of [...cluster.pods.values()].filter(isTerminating)) cluster.remove(pod);
      for (const pod of cluster.active.filter((each) => cluster.isStarting(each))) cluster.makeReady(pod);
      return versions(cluster);
    };
    roll(cluster, 'v2');
    cluster.edit({ template: template('v3') });
    expect([next(), next()]).toEqual([
      { v1: 8, v2: 2, v3: 1 },
      { v1: 8, v2: 1, v3: 2 },
    ]);
    cluster.ask(ABORT, { number: 3 });
    expect([next(), next()]).toEqual([
      { v1: 9, v2: 1, v3: 1 },
      { v1: 10, v2: 1 },
    ]);
  });

  it('that rejects an attempt brings none of its lost pods back, and records that', () => {
    const cluster = running(oneByOne);
    roll(cluster, 'v2');
    cluster.remove(ofVersion(cluster, 'v2')[0] as Pod);
    cluster.ask(ABORT, { number: 2 });
    cluster.reconcile();
    const { annotations } = revisionOf(cluster, 'v2').metadata;
    expect(readAttempt(annotations).rejected).toMatchObject({ number: 2 });
    expect([versions(cluster), annotations?.[REPLICAS]]).toEqual([{ v1: 10 }, '0']);
  });

  it('says in the status of a paused object why its policy holds it', () => {
    const cluster = running();
    roll(cluster, 'v2');
    cluster.govern({ steps: [{ replicas: 1, gates: ['gone'] }] });
    cluster.edit({ paused: true });
    cluster.settle();
    expect(conditions(cluster)).toContain('Stalled=True PolicyNotAccepted');
  });

  it('answers requests while it scales', () => {
    const cluster = running({}, { rollback: {} });
    cluster.edit({ template: template('v2') });
    cluster.settle();
    cluster.edit({ replicas: 20 });
    cluster.ask(PROMOTE, { number: 2, step: 1 });
    const { events } = cluster.reconcile();
    expect(events.map(({ message }) => message)).toContain('Did not promote revision 2: it is not in a step');
    expect(cluster.policies.get('web')?.metadata.annotations).toEqual({});
  });

  it('records the size of the object on every revision when a step is scaled', () => {
    const cluster = running();
    roll(cluster, 'v2');
    cluster.edit({ replicas: 20 });
    cluster.reconcile();
    const recorded = ['v1', 'v2'].map((version) => revisionOf(cluster, version).metadata.annotations);
    expect(recorded.map((annotations) => annotations?.[DESIRED_REPLICAS])).toEqual(['20', '20']);
    expect(recorded.map((annotations) => annotations?.[REPLICAS])).toEqual(['19', '1']);
  });

  it('writes no revision when a change of the surge changes no count', () => {
    const cluster = running();
    cluster.edit({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 5 } } });
    expect(cluster.reconcile().actions).toEqual([]);
  });

  it.each(['node-0', 'node-1', 'node-2'])(
    'scales down from the zone with more pods, beside one on %s alone',
    (alone) => {
      const cluster = running({ replicas: 3 }, { pods: { scaleDown: { spreadBy: ZONE_LABEL } } });
      for (const [name, node] of cluster.nodes) {
        const labels = { [ZONE_LABEL]: name === alone ? 'a' : 'b' };
        cluster.nodes.set(name, { ...node, metadata: { ...node.metadata, labels } });
      }
      expect(new Set(cluster.active.map(({ spec }) => spec?.nodeName)).size).toBe(3);
      cluster.edit({ replicas: 2 });
      cluster.settle();
      expect(cluster.active.filter(({ spec }) => spec?.nodeName === alone)).toHaveLength(1);
    },
  );
});
