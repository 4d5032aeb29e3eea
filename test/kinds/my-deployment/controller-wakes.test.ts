// Whom a change wakes: the owner of what changed, or whoever might adopt it. Cases of Kubernetes' Deployment and ReplicaSet
// controllers, where a ControllerRevision stands for a ReplicaSet.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import { plan } from '../../../src/kinds/my-deployment/plan/plan.ts';
import type { MyDeployment } from '../../../src/kinds/my-deployment/types.gen.ts';
import type { KubeObject, ObjectMeta } from '../../../src/runtime/object.ts';
import { controllerReference, type Owner } from '../../../src/runtime/owner.ts';
import { controllerRevisions, pods as podKind } from '../../../src/workload/write-context.ts';
import { ControllerWorld } from './controller-world.ts';
import { myDeployment, NOW, pods, revision, secondsAgo, snapshotOf } from './fixture.ts';

/** A MyDeployment that is at rest without any pods. */
function resting(name: string, app = 'web', namespace = 'default'): MyDeployment & Owner {
  const selector = { matchLabels: { app } };
  const metadata = { name, namespace, uid: `${name}-uid` };
  const object = myDeployment({ metadata, selector, replicas: 0, paused: true });
  const { status } = plan(snapshotOf(object), NOW);
  return { ...object, ...(status && { status }) };
}

const one = resting('one');
const two = resting('two');
const other = resting('other', 'other');
const elsewhere = resting('elsewhere', 'web', 'elsewhere');
const orphaned = { ownerReferences: [] };

let world: ControllerWorld;

beforeEach(async () => {
  world = await ControllerWorld.start(...[one, two, other, elsewhere].map((each) => [myDeployments, each] as const));
  expect(world.requests).toEqual([]);
  world.forget();
});

afterEach(() => world.stop());

const woken = () => [...new Set(world.woken)].sort();

function revisionOf(owner: Owner, metadata: Partial<ObjectMeta> = {}): KubeObject {
  return revision(owner, 'v1', { number: 1, replicas: 0, metadata });
}

function podOf(owner: Owner, metadata: Partial<ObjectMeta> = {}): KubeObject {
  const name = `${owner.metadata.name}-pod`;
  return pods(owner, revision(owner, 'v1', { number: 1 }), [
    { metadata: { name, uid: name, ...metadata } },
  ])[0] as KubeObject;
}

describe('deployment_controller_test.go: a revision that', () => {
  it.each([
    { name: 'TestAddReplicaSet: is there wakes its owner', next: revisionOf(one), wakes: ['default/one'] },
    { name: 'TestAddReplicaSet: is there wakes its owner alone', next: revisionOf(two), wakes: ['default/two'] },
    {
      name: 'TestAddReplicaSetOrphan: nobody owns wakes all who select it',
      next: revisionOf(one, orphaned),
      wakes: ['default/one', 'default/two'],
    },
    {
      name: 'TestUpdateReplicaSet: changes wakes its owner',
      prev: revisionOf(one),
      next: revisionOf(one),
      wakes: ['default/one'],
    },
    {
      name: 'TestUpdateReplicaSetOrphanWithNewLabels: gets labels wakes all who select it now',
      prev: revisionOf(one, { ...orphaned, labels: { app: 'nobody' } }),
      next: revisionOf(one, orphaned),
      wakes: ['default/one', 'default/two'],
    },
    {
      name: 'TestUpdateReplicaSetChangeControllerRef: changes hands wakes both owners',
      prev: revisionOf(one, { ownerReferences: [controllerReference(two)] }),
      next: revisionOf(one),
      wakes: ['default/one', 'default/two'],
    },
    {
      name: 'TestUpdateReplicaSetRelease: is let go wakes all who select it',
      prev: revisionOf(one),
      next: revisionOf(one, orphaned),
      wakes: ['default/one', 'default/two'],
    },
  ])('$name', async ({ prev, next, wakes }) => {
    if (prev !== undefined) await world.show('ADDED', controllerRevisions, prev);
    world.forget();
    await world.show(prev === undefined ? 'ADDED' : 'MODIFIED', controllerRevisions, next);
    expect(woken()).toEqual(wakes);
  });

  it('TestDeleteReplicaSet: is gone wakes its owner', async () => {
    await world.show('ADDED', controllerRevisions, revisionOf(one));
    world.forget();
    await world.show('DELETED', controllerRevisions, revisionOf(one));
    expect(woken()).toEqual(['default/one']);
  });

  it('TestDeleteReplicaSetOrphan: nobody owned moves nothing when it goes', async () => {
    const foreign = revision(one, 'v1', { number: 1, metadata: orphaned });
    await world.show('ADDED', controllerRevisions, foreign);
    await world.show('DELETED', controllerRevisions, foreign);
    expect(world.requests).toEqual([]);
  });
});

describe('replica_set_test.go: a pod that', () => {
  it.each([
    { name: 'has no labels concerns nobody', pod: podOf(one, { ...orphaned, labels: {} }), wakes: [] },
    {
      name: 'is selected in another namespace only concerns nobody here',
      pod: podOf(one, { ...orphaned, namespace: 'empty' }),
      wakes: [],
    },
    {
      name: 'is selected wakes by key, not by name',
      pod: podOf(one, { ...orphaned, namespace: 'elsewhere' }),
      wakes: ['elsewhere/elsewhere'],
    },
  ])('TestPodControllerLookup: $name', async ({ pod, wakes }) => {
    await world.show('ADDED', podKind, pod);
    expect(woken()).toEqual(wakes);
  });

  it('TestWatchPods: failed wakes its owner', async () => {
    await world.show('ADDED', podKind, podOf(one));
    world.forget();
    await world.show('MODIFIED', podKind, { ...podOf(one), status: { phase: 'Failed' } } as KubeObject);
    expect(woken()).toEqual(['default/one']);
  });

  const toOther = { labels: { app: 'other' } };

  it.each([
    { name: 'case 1: gets labels that others select', prev: podOf(one), next: podOf(one, toOther), wakes: ['one'] },
    {
      name: 'case 2: is let go by the one that selects it',
      prev: podOf(other, toOther),
      next: podOf(other, { ...toOther, ...orphaned }),
      wakes: ['other'],
    },
    {
      name: 'case 3: is let go by one and selected by another',
      prev: podOf(one, toOther),
      next: podOf(one, { ...toOther, ...orphaned }),
      wakes: ['one', 'other'],
    },
    {
      name: 'case 4: changes its labels and keeps its owner',
      prev: podOf(other),
      next: podOf(other, toOther),
      wakes: ['other'],
    },
  ])('TestUpdatePods: $name', async ({ prev, next, wakes }) => {
    await world.show('ADDED', podKind, prev);
    world.forget();
    await world.show('MODIFIED', podKind, next);
    expect(woken()).toEqual(wakes.map((name) => `default/${name}`));
  });

  it('TestOverlappingRSs: is owned wakes its owner, however many select it', async () => {
    for (let index = 0; index < 9; index++) await world.show('ADDED', myDeployments, resting(`same-${index}`));
    world.forget();
    await world.show('ADDED', podKind, podOf(resting('same-3')));
    expect(woken()).toEqual(['default/same-3']);
  });

  it('TestDeleteFinalStateUnknown: went while nobody watched wakes its owner', async () => {
    await world.show('ADDED', podKind, podOf(one));
    await world.lose(podKind);
    world.forget();
    await world.relist(podKind);
    expect(woken()).toEqual(['default/one']);
  });
});

it('replica_set_test.go TestWatchControllers: an object that appears is worked on', async () => {
  await world.show('ADDED', myDeployments, myDeployment({ replicas: 2 }));
  expect(woken()).toEqual(['default/web']);
  expect(world.asked('create', podKind)).toHaveLength(2);
});

describe('deployment_controller_test.go: the end of an old pod wakes a Recreate', () => {
  const recreate = myDeployment({ replicas: 2, strategy: { type: 'Recreate' } });
  const old = revision(recreate, 'v1', { number: 1, replicas: 0, of: 2, ceiling: 2 });
  const update = revision(recreate, 'v2', { number: 2, replicas: 0, of: 2, ceiling: 2 });
  const leaving = pods(recreate, old, [
    { phase: 'Running', metadata: { deletionTimestamp: secondsAgo(9) } },
    { phase: 'Running', metadata: { deletionTimestamp: secondsAgo(9) } },
  ]) as [KubeObject, KubeObject];

  async function show(...revisions: readonly KubeObject[]): Promise<void> {
    for (const each of revisions) await world.show('ADDED', controllerRevisions, each);
    for (const pod of leaving) await world.show('ADDED', podKind, pod);
    await world.show('ADDED', myDeployments, recreate);
    await world.catchUp();
    world.forget();
  }

  it('TestPodDeletionEnqueuesRecreateDeployment: new pods start after the last, and not before', async () => {
    await show(old, update);
    await world.show('DELETED', podKind, leaving[0]);
    expect([woken(), world.asked('create', podKind)]).toEqual([['default/web'], []]);
    await world.catchUp();
    world.forget();
    await world.show('DELETED', podKind, leaving[1]);
    expect(woken()).toEqual(['default/web']);
    expect(world.asked('create', podKind)).toHaveLength(2);
  });

  it('TestPodDeletionPartialReplicaSetOwnershipEnqueueRecreateDeployment: also beside history that nobody owns', async () => {
    await show(old, update, revision(recreate, 'v0', { number: 0, replicas: 1, metadata: orphaned }));
    await world.show('DELETED', podKind, leaving[0]);
    await world.show('DELETED', podKind, leaving[1]);
    expect(woken()).toEqual(['default/web']);
  });
});
