import { describe, expect, it } from '@jest/globals';
import { observe, oldRevisions } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import type { Refusals } from '../../../src/runtime/consistency/refusals.ts';
import type { ControllerRevision } from '../../../src/workload/revision.ts';
import { mixedPods, myDeployment, NOW, pods, revision, secondsAgo, snapshotOf } from './fixture.ts';

const ALIASES = 'mydeployment.kubebuilder.zq.com/pod-template-hash-aliases';
const object = myDeployment({ replicas: 3 });
const old = revision(object, 'v1', { number: 1, replicas: 2 });
const update = revision(object, 'v2', { number: 2, replicas: 1 });

describe('what belongs to a MyDeployment', () => {
  it('is sorted by revision and counted', () => {
    const all = [
      ...pods(object, old, [{ readyFor: 60 }, {}, { readyFor: 60, metadata: { deletionTimestamp: secondsAgo(1) } }]),
      ...pods(object, update, [{ readyFor: 60 }, { phase: 'Failed' }]),
    ];
    const rollout = observe(snapshotOf(object, [update, old], all), NOW);
    const seen = rollout.revisions.map(({ name, desired, living, active, ready, available }) => ({
      ...{ name, desired, ready, available },
      living: living.length,
      active: active.length,
    }));
    expect(seen).toEqual([
      { name: old.metadata.name, desired: 2, living: 3, active: 2, ready: 1, available: 1 },
      { name: update.metadata.name, desired: 1, living: 1, active: 1, ready: 1, available: 1 },
    ]);
    expect(rollout.update).toBe(rollout.revisions[1]);
    expect(oldRevisions(rollout)).toEqual([rollout.revisions[0]]);
  });

  it('knows its own kind, which items of a list do not say', () => {
    const { apiVersion: _, kind: __, ...bare } = object;
    expect(observe(snapshotOf(bare), NOW).object).toEqual(object);
  });

  it.each([
    { name: 'a count that was recorded', replicas: 5, desired: 5 },
    { name: 'no record: what it has', replicas: undefined, desired: 2 },
  ])('is meant to have $name', ({ replicas, desired }) => {
    const one = revision(object, 'v1', { number: 1, ...(replicas !== undefined && { replicas }) });
    const [seen] = observe(snapshotOf(object, [one], mixedPods(object, one, 2, 2)), NOW).revisions;
    expect(seen).toMatchObject({ desired });
  });
});

describe('the revision of a pod', () => {
  const hash = update.metadata.name.slice('web-'.length);

  it.each([
    { name: 'both labels', labels: { 'controller-revision-hash': hash, 'pod-template-hash': hash }, known: true },
    { name: 'only controller-revision-hash', labels: { 'controller-revision-hash': hash }, known: true },
    { name: 'only pod-template-hash', labels: { 'pod-template-hash': hash }, known: true },
    { name: 'the hash of a ReplicaSet that was taken over', labels: { 'pod-template-hash': '5d4f8c7b9' }, known: true },
    { name: 'an unknown hash', labels: { 'pod-template-hash': 'unheard' }, known: false },
  ])('$name: known is $known', ({ labels, known }) => {
    const aliased = revision(object, 'v2', { number: 2, replicas: 1, annotations: { [ALIASES]: 'other,5d4f8c7b9' } });
    const [pod] = pods(object, update, [{ metadata: { labels: { app: 'web', ...labels } } }]);
    const { revisions } = observe(snapshotOf(object, [aliased], pod ? [pod] : []), NOW);
    const holder = revisions.find(({ active }) => active.length === 1);
    expect(holder?.name).toBe(known ? update.metadata.name : '(unknown)');
  });

  it('unknown: such pods come first, are meant to be as many as they are, and have no template', () => {
    const forgotten = revision(object, 'v0', { number: 9 });
    const { revisions } = observe(snapshotOf(object, [old, update], mixedPods(object, forgotten, 2, 1)), NOW);
    expect(revisions.map(({ name }) => name)).toEqual(['(unknown)', old.metadata.name, update.metadata.name]);
    expect(revisions[0]).toMatchObject({ desired: 2, available: 1, number: 0, template: undefined });
  });

  it('unknown: there is no such revision once all of them have ended', () => {
    const forgotten = revision(object, 'v0', { number: 9 });
    const ended = pods(object, forgotten, [{ phase: 'Failed' }]);
    expect(observe(snapshotOf(object, [update], ended), NOW).revisions).toHaveLength(1);
  });
});

describe('controller_history_test.go TestRealHistory_ListControllerRevisions', () => {
  const orphaned = { ownerReferences: [] };
  const stranger = { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x', controller: true }] };

  it.each([
    { name: 'selects none', revisions: [], owned: 0, orphans: 0 },
    { name: 'selects all', revisions: [old, update], owned: 2, orphans: 0 },
    {
      name: "doesn't select another Objects history",
      revisions: [old, revision(object, 'v2', { number: 2, replicas: 1, metadata: stranger })],
      owned: 1,
      orphans: 0,
    },
    {
      name: 'selects orphans',
      revisions: [old, revision(object, 'v2', { number: 2, replicas: 1, metadata: orphaned })],
      owned: 1,
      orphans: 1,
    },
    {
      name: 'leaves orphans of other kinds alone',
      revisions: [old, revision(object, 'v2', { number: 2, metadata: orphaned })],
      owned: 1,
      orphans: 0,
    },
    {
      name: 'leaves orphans that it does not select alone',
      revisions: [
        revision(object, 'v2', { number: 2, replicas: 1, metadata: { ...orphaned, labels: { app: 'api' } } }),
      ],
      owned: 0,
      orphans: 0,
    },
    {
      name: 'keeps its own whatever their labels',
      revisions: [revision(object, 'v2', { number: 2, replicas: 1, metadata: { labels: {} } })],
      owned: 1,
      orphans: 0,
    },
  ])('$name', ({ revisions, owned, orphans }) => {
    const rollout = observe(snapshotOf(object, revisions), NOW);
    expect(rollout.revisions).toHaveLength(owned);
    expect(rollout.orphanRevisions).toHaveLength(orphans);
  });
});

describe('deployment_controller_test.go: of two MyDeployments that select the same', () => {
  const other = myDeployment({ metadata: { name: 'other', uid: 'other-uid' } });
  const mine = revision(object, 'v1', { number: 1, replicas: 1 });
  const theirs = revision(other, 'v1', { number: 1, replicas: 1, metadata: { uid: 'theirs' } });

  it('TestGetReplicaSetsForDeployment: each has what it owns', () => {
    const namesOf = (owner: typeof object) =>
      observe(snapshotOf(owner, [mine, theirs]), NOW).revisions.map(({ name }) => name);
    expect(namesOf(object)).toEqual([mine.metadata.name]);
    expect(namesOf(other)).toEqual([theirs.metadata.name]);
  });

  it('TestGetReplicaSetsForDeploymentAdoptRelease: an orphan is to be adopted; unlike a ReplicaSet, none is let go', () => {
    const orphan = revision(object, 'v2', { number: 2, replicas: 1, metadata: { ownerReferences: [] } });
    const unselected = revision(object, 'v1', { number: 1, replicas: 1, metadata: { labels: { app: 'other' } } });
    const { revisions, orphanRevisions } = observe(snapshotOf(object, [orphan, unselected]), NOW);
    expect(orphanRevisions).toEqual([orphan]);
    expect(revisions.map(({ name }) => name)).toEqual([unselected.metadata.name]);
  });

  it('TestGetPodMapForReplicaSets: pods are with their revision, without those that ended or have no owner', () => {
    const [running, ended, orphan] = pods(object, old, [
      { phase: 'Running' },
      { phase: 'Failed' },
      { phase: 'Running', metadata: { ownerReferences: [] } },
    ]);
    const [newer] = pods(object, update, [{ phase: 'Running' }]);
    const all = [running, ended, orphan, newer].filter((pod) => pod !== undefined);
    const rollout = observe(snapshotOf(object, [old, update], all), NOW);
    expect(rollout.revisions.map(({ living }) => living)).toEqual([[running], [newer]]);
    expect(rollout.pods.adopt).toEqual([orphan]);
  });
});

describe('replica_set_test.go TestGetReplicaSetsWithSameController: the revisions of one owner', () => {
  const leaving = revision(object, 'v1', { number: 1, replicas: 1, metadata: { deletionTimestamp: secondsAgo(1) } });
  const stranger = { apiVersion: 'v1', kind: 'MyDeployment', name: 'x', uid: 'x', controller: true };
  const unrelated = revision(object, 'v3', { number: 3, replicas: 1, metadata: { ownerReferences: [stranger] } });

  it.each([
    { name: 'one that is on its way out', revisions: [leaving, unrelated], found: [leaving] },
    { name: 'one without others', revisions: [update, unrelated], found: [update] },
    {
      name: 'one with others, but not those of another owner',
      revisions: [old, update, unrelated],
      found: [old, update],
    },
  ])('$name', ({ revisions, found }) => {
    const seen = observe(snapshotOf(object, revisions), NOW).revisions.map(({ name }) => name);
    expect(seen).toEqual(found.map(({ metadata }) => metadata.name));
  });
});

describe('deployment_util_test.go TestFindOldReplicaSets', () => {
  const duplicate = revision(object, 'v2', { number: 1, replicas: 0, metadata: { name: 'web-again', uid: 'again' } });
  const older = revision(object, 'v1', { number: 0, replicas: 0 });

  it.each<{ name: string; revisions: ControllerRevision[]; found: ControllerRevision[] }>([
    { name: 'Get old ReplicaSets', revisions: [update, older], found: [older] },
    { name: 'Get old ReplicaSets with no new ReplicaSet', revisions: [older], found: [older] },
    {
      name: 'Get old ReplicaSets with two new ReplicaSets: the newer one is seen as the new one',
      revisions: [older, update, duplicate],
      found: [older, duplicate],
    },
    { name: 'Get empty old ReplicaSets', revisions: [update], found: [] },
  ])('$name', ({ revisions, found }) => {
    const seen = oldRevisions(observe(snapshotOf(object, revisions), NOW)).map(({ name }) => name);
    expect(seen).toEqual(found.map(({ metadata }) => metadata.name));
  });
});

it('knows what the API server has refused a moment ago', () => {
  const refusals = new Map([['u', { reason: 'FailedUpdate', message: 'no', forMs: 1 }]]) as Refusals;
  expect(observe({ ...snapshotOf(myDeployment()), refusals }, NOW).refusals).toBe(refusals);
  expect(observe(snapshotOf(myDeployment()), NOW).refusals.size).toBe(0);
});
