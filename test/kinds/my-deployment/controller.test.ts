// What the controller does about what it sees, and about what comes of its requests: cases of Kubernetes' ReplicaSet and
// Deployment controllers, played between a cache that lags when told to and an API server that refuses when told to.

import { afterEach, describe, expect, it } from '@jest/globals';
import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import { ApiError } from '../../../src/runtime/errors.ts';
import type { KubeObject } from '../../../src/runtime/object.ts';
import { controllerRevisions, pods as podKind } from '../../../src/workload/write-context.ts';
import { ControllerWorld, type Placed, type Request } from './controller-world.ts';
import { mixedPods, myDeployment, NOW, type ObjectOptions, pods, revision, secondsAgo } from './fixture.ts';

let world: ControllerWorld;

afterEach(() => world.stop());

/** A MyDeployment of v2 with its revision, and this many pods of which all are ready. */
function sized(replicas: number, present: number, options: ObjectOptions = {}) {
  const object = myDeployment({ replicas, ...options });
  const update = revision(object, 'v2', { number: 1, replicas, of: replicas, ceiling: replicas + 1 });
  const all = mixedPods(object, update, present, present);
  const placed: Placed[] = [
    [myDeployments, object],
    [controllerRevisions, update],
    ...all.map((pod): Placed => [podKind, pod]),
  ];
  return { object, update, pods: all, placed };
}

/** A pod that the controller asked for, as the cache shows it. */
function created(of: ReturnType<typeof sized>, name: string): KubeObject {
  return pods(of.object, of.update, [{ metadata: { name, uid: `uid-of-${name}` } }])[0] as KubeObject;
}

const statuses = () => world.requests.filter(({ verb, plural }) => verb === 'patch' && plural === 'mydeployments');
const isStatus = ({ body }: Request) => body?.status !== undefined;
const onPods = () => world.requests.filter(({ plural }) => plural === 'pods').map(({ verb }) => verb);

describe('replica_set_test.go: while the cache does not show what was asked for', () => {
  it('TestSyncReplicaSetDormancy: nothing more is created, and afterwards what is missing', async () => {
    const web = sized(2, 1);
    world = await ControllerWorld.start(...web.placed);
    const [first] = world.asked('create', podKind) as [string];
    expect(onPods()).toEqual(['create']);
    world.forget();

    await world.show('MODIFIED', myDeployments, web.object);
    expect(world.outcomes).toEqual(['notYet']);
    expect(world.requests).toEqual([]);

    // The pod comes and goes. Making another one fails, which leaves nothing to wait for, so it is tried again.
    world.refuse = ({ verb }) => (verb === 'create' ? new ApiError('Forbidden', 'fake error') : undefined);
    await world.show('ADDED', podKind, created(web, first));
    await world.catchUp();
    await world.show('DELETED', podKind, created(web, first));
    expect(onPods()).toEqual(['create']);
    expect(world.outcomes.at(-1)).toBe('failed');
    world.forget();
    world.refuse = () => undefined;
    await world.catchUp();
    await world.clock.advance(1_000);
    await world.settled();
    expect(onPods()).toEqual(['create']);
  });

  it('TestRSSyncExpectations: a pod that is seen before its create is answered is counted once', async () => {
    const answer = Promise.withResolvers<undefined>();
    const web = sized(2, 1);
    world = await ControllerWorld.start();
    world.refuse = ({ verb }) => (verb === 'create' ? answer.promise : undefined);
    for (const [resource, object] of web.placed.toReversed()) await world.show('ADDED', resource, object);
    await world.show('ADDED', podKind, created(web, world.asked('create', podKind)[0] as string));
    answer.resolve(undefined);
    await world.settled();
    await world.catchUp();
    await world.clock.advance(1_000);
    await world.settled();
    expect(onPods()).toEqual(['create']);
  });

  it('TestDeleteControllerAndExpectations, TestExpectationsOnRecreate: a new object of the name waits for nothing', async () => {
    const web = sized(1, 0);
    world = await ControllerWorld.start(...web.placed);
    expect(onPods()).toEqual(['create']);
    await world.show('DELETED', myDeployments, web.object);
    await world.clock.advance(1_000);
    world.forget();
    const again = { ...web.object, metadata: { ...web.object.metadata, uid: 'another-uid' } };
    await world.show('ADDED', myDeployments, again);
    expect(onPods()).toEqual(['create']);
    expect(world.requests.find(({ plural }) => plural === 'pods')?.body?.metadata).toMatchObject({
      ownerReferences: [{ uid: 'another-uid' }],
    });
    world.forget();
    await world.clock.advance(1_000);
    expect(world.requests).toEqual([]);
  });

  it('TestDeletionTimestamp: a pod that begins to go counts as gone, once', async () => {
    const web = sized(1, 3);
    world = await ControllerWorld.start(...web.placed);
    const victims = web.pods.filter(({ metadata }) => world.asked('delete', podKind).includes(metadata.name));
    const [first, second] = victims.map((pod) => ({
      ...pod,
      metadata: { ...pod.metadata, deletionTimestamp: secondsAgo(0) },
    })) as [KubeObject, KubeObject];
    await world.catchUp();
    world.forget();
    // Changing again, and being gone at last, do not make up for the second one.
    for (const type of ['MODIFIED', 'MODIFIED', 'DELETED'] as const) await world.show(type, podKind, first);
    await world.moment();
    expect(statuses()).toEqual([]);
    await world.show('MODIFIED', podKind, second);
    await world.moment();
    expect(statuses()).toMatchObject([{ body: { status: { replicas: 1, terminatingReplicas: 1 } } }]);
    expect(onPods()).toEqual([]);
  });
});

describe('replica_set_test.go: when requests are refused', () => {
  it('TestSyncReplicaSetCreateFailures: a quota of 10 costs a handful of requests, not a hundred', async () => {
    const web = sized(100, 0);
    let left = 10;
    world = await ControllerWorld.start();
    world.refuse = ({ verb }) => {
      if (verb !== 'create') return undefined;
      left -= 1;
      return left < 0 ? new ApiError('Forbidden', 'exceeded quota') : undefined;
    };
    for (const [resource, object] of web.placed.toReversed()) await world.show('ADDED', resource, object);
    expect(onPods()).toHaveLength(1 + 2 + 4 + 8);
    expect(world.outcomes).toContain('failed');
  });

  it('TestControllerUpdateRequeue: a status that could not be written is tried again', async () => {
    const web = sized(1, 1);
    world = await ControllerWorld.start();
    world.refuse = (request) =>
      isStatus(request) ? new ApiError('ServerError', 'failed to update status') : undefined;
    for (const [resource, object] of web.placed.toReversed()) await world.show('ADDED', resource, object);
    await world.moment();
    expect(world.outcomes.at(-1)).toBe('failed');
    world.forget();
    await world.clock.advance(1_000);
    await world.settled();
    expect(statuses().length).toBeGreaterThan(0);
  });

  it('TestControllerUpdateStatusWithFailure: after a conflict, the status is of what is there then', async () => {
    const web = sized(1, 1);
    world = await ControllerWorld.start();
    world.refuse = (request) => (isStatus(request) ? new ApiError('Conflict', 'changed') : undefined);
    for (const [resource, object] of web.placed.toReversed()) await world.show('ADDED', resource, object);
    await world.moment();
    expect(world.outcomes.at(-1)).toBe('retry');
    world.refuse = () => undefined;
    world.forget();
    const changed = { ...web.object, metadata: { ...web.object.metadata, generation: 2 } };
    await world.show('MODIFIED', myDeployments, changed);
    expect(statuses()).toMatchObject([{ body: { status: { observedGeneration: 2, replicas: 1 } } }]);
  });

  it('controller_history_test.go TestRealHistory_UpdateControllerRevision, succeeds on conflict: with what is there then', async () => {
    const web = sized(2, 2);
    const grown = { ...web.object, spec: { ...web.object.spec, replicas: 3 } };
    world = await ControllerWorld.start(...web.placed);
    await world.catchUp();
    world.forget();
    world.refuse = ({ plural }) => (plural === 'controllerrevisions' ? new ApiError('Conflict', 'changed') : undefined);
    await world.show('MODIFIED', myDeployments, grown);
    expect(world.outcomes.at(-1)).toBe('failed');
    expect(onPods()).toEqual([]);
    world.refuse = () => undefined;
    await world.show('MODIFIED', controllerRevisions, {
      ...web.update,
      metadata: { ...web.update.metadata, labels: {} },
    });
    expect(onPods()).toEqual(['create']);
  });

  it('TestPatchPodFails: pods that could not be adopted are tried again, and none is created beside them', async () => {
    const web = sized(2, 2);
    const orphans = web.pods.map((pod) => ({ ...pod, metadata: { ...pod.metadata, ownerReferences: [] } }));
    world = await ControllerWorld.start();
    world.refuse = ({ verb, plural }) =>
      verb === 'patch' && plural === 'pods' ? new ApiError('ServerError', 'fake error') : undefined;
    world.live(myDeployments, web.object);
    for (const pod of orphans) await world.show('ADDED', podKind, pod);
    await world.show('ADDED', controllerRevisions, web.update);
    await world.show('ADDED', myDeployments, web.object);
    expect(onPods()).toEqual(['patch', 'patch']);
    await world.moment();
    expect(world.outcomes).toContain('failed');
    world.forget();
    await world.catchUp();
    await world.clock.advance(1_000);
    await world.settled();
    expect(new Set(onPods())).toEqual(new Set(['patch']));
  });
});

describe('a claim that the API server refuses', () => {
  it('is told and noted, and what is missing is made all the same', async () => {
    const web = sized(2, 1);
    const [orphan] = pods(web.object, web.update, [{ metadata: { name: 'orphan', uid: 'o', ownerReferences: [] } }]);
    world = await ControllerWorld.start();
    world.refuse = ({ verb, plural }) =>
      verb === 'patch' && plural === 'pods' ? new ApiError('Forbidden', 'it is protected') : undefined;
    world.live(myDeployments, web.object);
    for (const [resource, object] of [[podKind, orphan] as Placed, ...web.placed.toReversed()])
      await world.show('ADDED', resource, object);
    await world.moment();
    await world.catchUp();
    await world.clock.advance(900);
    await world.settled();
    expect(onPods()).toEqual(['patch', 'create']);
    expect(world.outcomes).not.toContain('failed');
    const message = 'Error adopting orphans: it is protected';
    expect(world.told.filter(({ type }) => type === 'Warning')).toEqual([
      { type: 'Warning', reason: 'FailedAdopt', message },
    ]);
    const condition = { type: 'ReplicaFailure', status: 'True', reason: 'FailedAdopt', message: 'it is protected' };
    expect(statuses().map(({ body }) => body?.status)).toContainEqual(
      expect.objectContaining({ conditions: expect.arrayContaining([expect.objectContaining(condition)]) }),
    );
  });
});

describe('an owner that is being deleted', () => {
  const doomed = { deletionTimestamp: new Date(NOW).toISOString() };
  const orphan = (of: ReturnType<typeof sized>): Placed => {
    const [pod] = pods(of.object, of.update, [{ readyFor: 60, metadata: { name: 'orphan', ownerReferences: [] } }]);
    return [podKind, pod as KubeObject];
  };

  it('replica_set_test.go TestDoNotAdoptOrCreateIfBeingDeleted: takes nothing and makes nothing', async () => {
    const web = sized(2, 0, { metadata: doomed });
    world = await ControllerWorld.start(...web.placed, orphan(web));
    await world.moment();
    expect(onPods()).toEqual([]);
    expect(statuses()).toHaveLength(1);
  });

  it('replica_set_test.go TestDoNotAdoptOrCreateIfBeingDeletedRace: even when only the API server knows', async () => {
    const web = sized(2, 0);
    world = await ControllerWorld.start();
    world.live(myDeployments, sized(2, 0, { metadata: doomed }).object);
    for (const [resource, object] of [orphan(web), ...web.placed.toReversed()])
      await world.show('ADDED', resource, object);
    expect(world.requests.map(({ verb, plural }) => `${verb} ${plural}`)).toEqual(['get mydeployments']);
    expect(world.outcomes.at(-1)).toBe('failed');
  });

  it('deployment_controller_test.go TestSyncDeploymentDeletionRace: nor does it take history', async () => {
    const web = sized(2, 0);
    const past = revision(web.object, 'v1', { number: 0, replicas: 1, metadata: { ownerReferences: [] } });
    world = await ControllerWorld.start();
    world.live(myDeployments, sized(2, 0, { metadata: doomed }).object);
    await world.show('ADDED', controllerRevisions, past);
    await world.show('ADDED', myDeployments, web.object);
    expect(world.requests.map(({ verb, plural }) => `${verb} ${plural}`)).toEqual(['get mydeployments']);
    expect(world.outcomes.at(-1)).toBe('failed');
  });
});

describe('an object whose history is refused', () => {
  it('backs off, although what became of each attempt has to be looked at before the next', async () => {
    world = await ControllerWorld.start();
    world.refuse = ({ verb }) => (verb === 'create' ? new ApiError('Forbidden', 'exceeded quota') : undefined);
    await world.show('ADDED', myDeployments, myDeployment({ replicas: 1 }));
    for (let passed = 0; passed < 20_000; passed += 100) {
      await world.catchUp();
      await world.clock.advance(100);
    }
    // 5 ms, 10 ms, 20 ms … are 12 attempts in 20 s.
    const attempts = world.asked('create', controllerRevisions).length;
    expect(attempts).toBeGreaterThan(5);
    expect(attempts).toBeLessThanOrEqual(14);
  });
});
