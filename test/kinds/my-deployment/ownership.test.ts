// Which pods and revisions are a MyDeployment's own, which it takes, which it lets go and which are none of its business.

import { describe, expect, it } from '@jest/globals';
import { ownershipOf, selectorOf } from '../../../src/kinds/my-deployment/plan/ownership.ts';
import { ALIASES, nextRevision } from '../../../src/kinds/my-deployment/plan/record.ts';
import type { ObjectMeta } from '../../../src/runtime/object.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { type ControllerRevision, hashOf } from '../../../src/workload/revision.ts';
import { myDeployment, pods, revision } from './fixture.ts';

const object = myDeployment();
const old = revision(object, 'v1', { number: 1, replicas: 1 });
const update = revision(object, 'v2', { number: 2, replicas: 1 });
const orphaned = { ownerReferences: [] };

function pod(of: ControllerRevision, metadata: Partial<ObjectMeta> = {}): Pod {
  return pods(object, of, [{ readyFor: 60, metadata }])[0] as Pod;
}

function claimsOn(subject: Pod, revisions: readonly ControllerRevision[] = [old, update], owner = object) {
  const { pods: claimed } = ownershipOf(owner, { revisions, pods: [subject] });
  const [is] = (['owned', 'adopt', 'release'] as const).filter((part) => claimed[part].length > 0);
  return is ?? 'nothing';
}

const hash = hashOf(update);
const web = { app: 'web' };

describe('a pod that nobody owns', () => {
  it.each([
    { name: 'of the present revision', labels: { ...web, 'pod-template-hash': hash }, is: 'adopt' },
    { name: 'of an old revision', labels: { ...web, 'pod-template-hash': hashOf(old) }, is: 'adopt' },
    {
      name: 'of a StatefulSet-like hash label only',
      labels: { ...web, 'controller-revision-hash': hash },
      is: 'adopt',
    },
    { name: 'that a user made with kubectl run', labels: web, is: 'nothing' },
    { name: "with somebody else's hash", labels: { ...web, 'pod-template-hash': '5d4f8c7b9' }, is: 'nothing' },
    { name: 'with our hash and other labels', labels: { app: 'api', 'pod-template-hash': hash }, is: 'nothing' },
    { name: 'without labels', labels: {}, is: 'nothing' },
  ])('$name: $is', ({ labels, is }) => {
    expect(claimsOn(pod(update, { labels, ...orphaned }))).toBe(is);
  });

  it('of a ReplicaSet that was taken over is adopted by the hash that its revision records', () => {
    const aliased = revision(object, 'v2', { number: 2, replicas: 1, annotations: { [ALIASES]: 'other,5d4f8c7b9' } });
    const taken = pod(update, { labels: { ...web, 'pod-template-hash': '5d4f8c7b9' }, ...orphaned });
    expect(claimsOn(taken, [aliased])).toBe('adopt');
  });
});

describe('a MyDeployment that is created again', () => {
  const orphan = (version: ControllerRevision) => ({ ...version, metadata: { ...version.metadata, ...orphaned } });

  it('takes back pods of its template, although nothing records it any more', () => {
    expect(claimsOn(pod(update, orphaned), [])).toBe('adopt');
  });

  it('takes back older pods along with the record of theirs', () => {
    expect(claimsOn(pod(old, orphaned), [])).toBe('nothing');
    expect(claimsOn(pod(old, orphaned), [orphan(old)])).toBe('adopt');
  });

  it('leaves pods whose record may not be adopted: they would be of a revision that nobody knows', () => {
    const refusals = new Map([[update.metadata.uid, { reason: 'FailedAdopt', message: 'no', forMs: 1 } as const]]);
    const near = { revisions: [orphan(update)], pods: [pod(update, orphaned)], refusals };
    expect(ownershipOf(object, near)).toMatchObject({ orphanRevisions: [], pods: { adopt: [] } });
  });

  it('steers clear of a hash that collided before, and so leaves its pods alone', () => {
    const collided = myDeployment({ status: { replicas: 0, collisionCount: 1 } });
    expect(claimsOn(pod(update, orphaned), [], collided)).toBe('nothing');
  });

  it('knows no next revision while its template is recorded', () => {
    const { hash: next } = nextRevision(object, [{ name: update.metadata.name }]);
    expect(claimsOn(pod(old, orphaned), [update])).toBe('nothing');
    expect(claimsOn(pod(update, { labels: { ...web, 'pod-template-hash': next }, ...orphaned }), [update])).toBe(
      'nothing',
    );
  });
});

describe('a pod that it owns', () => {
  it.each([
    { name: 'as it was made', labels: { ...web, 'pod-template-hash': hash }, is: 'owned' },
    {
      name: 'whose selected label was changed is let go',
      labels: { app: 'x', 'pod-template-hash': hash },
      is: 'release',
    },
    { name: 'whose hashes were removed is let go', labels: web, is: 'release' },
    {
      name: 'whose hash no revision has stays: its record may have been deleted, or not be seen yet',
      labels: { ...web, 'pod-template-hash': 'unheard' },
      is: 'owned',
    },
    {
      name: 'that lost one of two hashes stays',
      labels: { ...web, 'controller-revision-hash': hash },
      is: 'owned',
    },
  ])('$name: $is', ({ labels, is }) => {
    expect(claimsOn(pod(update, { labels }))).toBe(is);
  });
});

describe('what was refused', () => {
  const refusals = new Map([['x', { reason: 'FailedAdopt', message: 'no', forMs: 1 } as const]]);

  it.each([
    { name: 'an adoption', metadata: orphaned },
    { name: 'a release', metadata: { labels: { app: 'x' } } },
  ])('$name is not proposed again, and the pod does not count', ({ metadata }) => {
    const near = { revisions: [update], pods: [pod(update, { uid: 'x', ...metadata })], refusals };
    expect(ownershipOf(object, near).pods).toEqual({ owned: [], adopt: [], release: [] });
  });
});

it('the pods of a revision are known by the selector and the hash, whatever the selector says about hashes', () => {
  const exists = { key: 'tier', operator: 'Exists' } as const;
  const ofRevision = { key: 'pod-template-hash', operator: 'In', values: ['h'] };
  expect(selectorOf({ matchLabels: web, matchExpressions: [exists] }, 'h')).toEqual({
    matchLabels: web,
    matchExpressions: [exists, ofRevision],
  });
  expect(selectorOf({ matchLabels: { 'pod-template-hash': 'mine' } }, 'h')).toEqual({
    matchLabels: { 'pod-template-hash': 'mine' },
    matchExpressions: [ofRevision],
  });
});
