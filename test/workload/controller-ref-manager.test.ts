// Kubernetes' cases of adopting and letting go, against an API that answers as told: what is asked of it, and when.

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../src/runtime/client/client.ts';
import { ApiError, type ApiFailure } from '../../src/runtime/errors.ts';
import type { ObjectMeta } from '../../src/runtime/object.ts';
import type { Action } from '../../src/workload/action.ts';
import { carryOutClaims } from '../../src/workload/claim-writes.ts';
import { OwnWrites } from '../../src/workload/own-writes.ts';
import type { WriteContext } from '../../src/workload/write-context.ts';
import { FakeClock } from '../support/fake-clock.ts';

let requests: string[];
/** What patches meet. */
let failure: ApiFailure | undefined;
/** The owner as the API server has it. */
let live: Partial<ObjectMeta>;

beforeEach(() => {
  requests = [];
  failure = undefined;
  live = {};
});

function contextOf(uid: string): WriteContext {
  const metadata = { name: 'box', namespace: 'default', uid, resourceVersion: '1' };
  const client = {
    get: async (_: unknown, { name }: { name: string }) => {
      requests.push(`get ${name}`);
      return { metadata: { ...metadata, ...live } };
    },
    patch: async ({ plural }: { plural: string }, { name }: { name: string }, { body }: { body: object }) => {
      requests.push(`patch ${plural} ${name} ${JSON.stringify(body)}`);
      if (failure !== undefined) throw new ApiError(failure, `${name}: ${failure}`);
      return { metadata: { name, resourceVersion: '7' } };
    },
  };
  return {
    owner: { apiVersion: 'example.com/v1', kind: 'Box', metadata },
    identity: { key: 'default/box', uid },
    namespace: 'default',
    ownerResource: { group: 'example.com', version: 'v1', kind: 'Box', plural: 'boxes', namespaced: true },
    client: client as unknown as Client,
    pods: { get: () => undefined },
    own: new OwnWrites({ clock: new FakeClock(), lastSynced: () => undefined }),
    signal: new AbortController().signal,
  };
}

type Claim = Extract<Action, { do: 'adoptPod' | 'releasePod' | 'adoptRevision' }>;
const carryOut = (...actions: Claim[]) => carryOutClaims(contextOf('box-uid'), actions);

const REFERENCE =
  '{"apiVersion":"example.com/v1","kind":"Box","name":"box","uid":"box-uid","controller":true,"blockOwnerDeletion":true}';

describe('controller_ref_manager_test.go TestGeneratePatchBytesForDelete', () => {
  it.each([
    { name: 'the structure of the patch', owner: 'ss1', pod: 'ss2', ownerText: 'ss1', podText: 'ss2' },
    {
      name: 'the uid of the owner is escaped',
      owner: 'ss1"hello',
      pod: 'ss2',
      ownerText: 'ss1\\"hello',
      podText: 'ss2',
    },
    { name: 'the uid of the pod is escaped', owner: 'ss1', pod: 'ss2"hello', ownerText: 'ss1', podText: 'ss2\\"hello' },
  ])('$name', async ({ owner, pod, ownerText, podText }) => {
    await carryOutClaims(contextOf(owner), [{ do: 'releasePod', name: 'a', uid: pod }]);
    const body = `{"metadata":{"uid":"${podText}","ownerReferences":[{"$patch":"delete","uid":"${ownerText}"}]}}`;
    expect(requests).toEqual([`patch pods a ${body}`]);
  });
});

describe('controller_history_test.go TestRealHistory_AdoptControllerRevision', () => {
  const adopt = { do: 'adoptRevision', name: 'r', uid: 'r-uid' } as const;

  it('adopting an orphan succeeds', async () => {
    await carryOut(adopt);
    expect(requests).toEqual([
      'get box',
      `patch controllerrevisions r {"metadata":{"uid":"r-uid","ownerReferences":[${REFERENCE}]}}`,
    ]);
  });

  it('adopting what another controller owns fails: the API server allows one only', async () => {
    failure = 'Invalid';
    await expect(carryOut(adopt)).rejects.toThrow('1 of 1 claims failed');
  });

  it('adopting what is not there is over: nothing is left to adopt', async () => {
    failure = 'NotFound';
    await expect(carryOut(adopt)).resolves.toBeUndefined();
  });
});

describe('controller_history_test.go TestRealHistory_ReleaseControllerRevision, for pods', () => {
  const release = { do: 'releasePod', name: 'p', uid: 'p-uid' } as const;

  it.each<{ name: string; answer: ApiFailure | undefined }>([
    { name: 'an owned one', answer: undefined },
    { name: 'an orphan', answer: 'Invalid' },
    { name: "another controller's", answer: 'Invalid' },
    { name: 'one that is not there', answer: 'NotFound' },
  ])('releasing $name succeeds, without a look at the owner', async ({ answer }) => {
    failure = answer;
    await expect(carryOut(release)).resolves.toBeUndefined();
    expect(requests).toHaveLength(1);
  });

  it('fails when nobody knows what came of it', async () => {
    failure = 'ServerError';
    await expect(carryOut(release)).rejects.toThrow('1 of 1 claims failed');
  });
});

describe('replica_set_test.go TestDoNotAdoptOrCreateIfBeingDeletedRace: before anything is adopted', () => {
  const claims: Claim[] = [
    { do: 'adoptPod', name: 'a', uid: 'a-uid' },
    { do: 'adoptPod', name: 'b', uid: 'b-uid' },
    { do: 'releasePod', name: 'c', uid: 'c-uid' },
  ];

  it('the owner is looked at once, however many there are', async () => {
    await carryOut(...claims);
    expect(requests.map((request) => request.split(' {')[0])).toEqual([
      'get box',
      'patch pods a',
      'patch pods b',
      'patch pods c',
    ]);
  });

  it.each([
    { name: 'is on its way out', owner: { deletionTimestamp: '2026-01-01T00:00:00Z' }, says: 'has just been deleted' },
    { name: 'is another of that name', owner: { uid: 'another-uid' }, says: 'is gone: got uid another-uid' },
  ])('nothing is done for an owner that $name', async ({ owner, says }) => {
    live = owner;
    await expect(carryOut(...claims)).rejects.toThrow(says);
    expect(requests).toEqual(['get box']);
  });
});

it('replica_set_test.go TestPatchPodFails: one failure stops no other claim', async () => {
  failure = 'ServerError';
  const both: Claim[] = ['a', 'b'].map((name) => ({ do: 'adoptPod', name, uid: `${name}-uid` }));
  await expect(carryOut(...both)).rejects.toThrow('2 of 2 claims failed');
  expect(requests).toHaveLength(3);
});
