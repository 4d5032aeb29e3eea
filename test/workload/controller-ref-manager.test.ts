// Kubernetes' cases of adopting and letting go, against an API that answers as told: what is asked of it, and when.

import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError, type ApiFailure } from '../../src/runtime/errors.ts';
import type { ObjectMeta, OwnerReference } from '../../src/runtime/object.ts';
import type { Action } from '../../src/workload/action.ts';
import { executeClaims } from '../../src/workload/claim-writes.ts';
import type { WriteContext } from '../../src/workload/write-context.ts';
import { box, boxContext } from './box-context.ts';

let requests: string[];
/** What patches meet. */
let failure: ApiFailure | undefined;
/** Whether admission removes every owner. */
let isTakenBack: boolean;
/** The owner, and whatever else is looked at, as the API server has it. */
let live: Partial<ObjectMeta>;

beforeEach(() => {
  requests = [];
  failure = undefined;
  isTakenBack = false;
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
      const { ownerReferences } = (body as { metadata: { ownerReferences: readonly Reference[] } }).metadata;
      const kept = ownerReferences.filter(({ $patch }) => $patch !== 'delete');
      return { metadata: { name, resourceVersion: '7', ownerReferences: isTakenBack ? [] : kept } };
    },
  };
  return boxContext(client, { owner: box(uid) });
}

type Reference = OwnerReference & { readonly $patch?: string };
type ClaimAction = Extract<Action, { do: 'adoptPod' | 'releasePod' | 'adoptRevision' }>;
const execute = (...actions: ClaimAction[]) => executeClaims(contextOf('box-uid'), actions);

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
    await executeClaims(contextOf(owner), [{ do: 'releasePod', name: 'a', uid: pod }]);
    const body = `{"metadata":{"uid":"${podText}","ownerReferences":[{"$patch":"delete","uid":"${ownerText}"}]}}`;
    expect(requests).toEqual([`patch pods a ${body}`]);
  });
});

describe('controller_history_test.go TestRealHistory_AdoptControllerRevision', () => {
  const adopt = { do: 'adoptRevision', name: 'r', uid: 'r-uid' } as const;

  it('adopting an orphan succeeds', async () => {
    await execute(adopt);
    expect(requests).toEqual([
      'get box',
      `patch controllerrevisions r {"metadata":{"uid":"r-uid","ownerReferences":[${REFERENCE}]}}`,
    ]);
  });

  it('adopting what another controller owns fails: the API server allows one only', async () => {
    failure = 'Invalid';
    expect(await execute(adopt)).toEqual([{ reason: 'FailedAdopt', message: 'r: Invalid' }]);
  });

  it('adopting what is not there is over: nothing is left to adopt', async () => {
    failure = 'NotFound';
    expect(await execute(adopt)).toEqual([]);
  });
});

describe('controller_history_test.go TestRealHistory_ReleaseControllerRevision, for pods', () => {
  const release = { do: 'releasePod', name: 'p', uid: 'p-uid' } as const;

  it.each<{ name: string; answer: ApiFailure | undefined; looks: string[] }>([
    { name: 'an owned one', answer: undefined, looks: [] },
    { name: 'an orphan', answer: 'Invalid', looks: ['get p'] },
    { name: "another controller's", answer: 'Invalid', looks: ['get p'] },
    { name: 'one that is not there', answer: 'NotFound', looks: [] },
  ])('releasing $name succeeds, without a look at the owner', async ({ answer, looks }) => {
    failure = answer;
    expect(await execute(release)).toEqual([]);
    expect(requests.slice(1)).toEqual(looks);
  });

  it('fails when nobody knows what came of it', async () => {
    failure = 'ServerError';
    expect(await execute(release)).toMatchObject([{ reason: 'FailedRelease', error: { reason: 'ServerError' } }]);
  });
});

describe('replica_set_test.go TestDoNotAdoptOrCreateIfBeingDeletedRace: before anything is adopted', () => {
  const claims: ClaimAction[] = [
    { do: 'adoptPod', name: 'a', uid: 'a-uid' },
    { do: 'adoptPod', name: 'b', uid: 'b-uid' },
    { do: 'releasePod', name: 'c', uid: 'c-uid' },
  ];

  it('the owner is looked at once, however many there are', async () => {
    await execute(...claims);
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
    await expect(execute(...claims)).rejects.toThrow(says);
    expect(requests).toEqual(['get box']);
  });
});

it('replica_set_test.go TestPatchPodFails: one failure stops no other claim', async () => {
  failure = 'ServerError';
  const both: ClaimAction[] = ['a', 'b'].map((name) => ({ do: 'adoptPod', name, uid: `${name}-uid` }));
  expect(await execute(...both)).toMatchObject([{ message: 'a: ServerError' }, { message: 'b: ServerError' }]);
  expect(requests).toHaveLength(3);
});

describe('a claim that the API server refuses', () => {
  const adopt: ClaimAction = { do: 'adoptPod', name: 'a', uid: 'a-uid' };
  const release: ClaimAction = { do: 'releasePod', name: 'a', uid: 'a-uid' };
  const ours = { uid: 'a-uid', ownerReferences: [{ ...JSON.parse(REFERENCE) }] };

  it.each<{ name: string; claim: ClaimAction; answer: ApiFailure; found?: Partial<ObjectMeta>; reason: string }>([
    { name: 'an adoption that is forbidden', claim: adopt, answer: 'Forbidden', reason: 'FailedAdopt' },
    { name: 'an adoption that is invalid', claim: adopt, answer: 'Invalid', reason: 'FailedAdopt' },
    { name: 'an adoption that a webhook denies', claim: adopt, answer: 'BadRequest', reason: 'FailedAdopt' },
    { name: 'a release that is forbidden', claim: release, answer: 'Forbidden', reason: 'FailedRelease' },
    { name: 'a release that is invalid', claim: release, answer: 'Invalid', found: ours, reason: 'FailedRelease' },
  ])('is data, is remembered, and throws nothing: $name', async ({ claim, answer, found, reason }) => {
    failure = answer;
    const context = contextOf('box-uid');
    if (found !== undefined) live = found;
    const refusal = { reason, message: `a: ${answer}` };
    expect(await executeClaims(context, [claim])).toEqual([refusal]);
    expect([...context.writes.refusals]).toEqual([['a-uid', { ...refusal, forMs: 2_000 }]]);
  });

  it('is one that admission takes back, too', async () => {
    isTakenBack = true;
    expect(await execute(adopt)).toEqual([
      { reason: 'FailedAdopt', message: 'pods "a": admission took the change of its owner back' },
    ]);
  });

  it('keeps pods from being adopted whose revision could not be', async () => {
    failure = 'Forbidden';
    expect(await execute({ do: 'adoptRevision', name: 'r', uid: 'r-uid' }, adopt)).toHaveLength(1);
    expect(requests.filter((request) => request.startsWith('patch pods'))).toEqual([]);
  });

  it('is not remembered when nobody knows what came of it: that has to be tried again at once', async () => {
    failure = 'Timeout';
    const context = contextOf('box-uid');
    expect(await executeClaims(context, [adopt])).toMatchObject([{ error: { reason: 'Timeout' } }]);
    expect(context.writes.refusals.size).toBe(0);
  });
});
