import { describe, expect, it } from '@jest/globals';
import type { Deployment, Service } from '../../../src/kinds/model-box/children.ts';
import { type Action, plan } from '../../../src/kinds/model-box/plan.ts';
import { wantedBy } from '../../../src/kinds/model-box/wanted.ts';
import { execute, type WriteResult } from '../../../src/kinds/model-box/writes.ts';
import type { Client } from '../../../src/runtime/client/client.ts';
import type { Patch } from '../../../src/runtime/client/options.ts';
import { ApiError, type ApiFailure } from '../../../src/runtime/errors.ts';
import type { KubeObject, ObjectMeta } from '../../../src/runtime/object.ts';
import { addressed, modelBox, NOW, rolledOut, stored } from './fixture.ts';

const object = modelBox();
const wanted = wantedBy(object);
const deployment = rolledOut(stored<Deployment>(wanted.deployment));
const service = addressed(stored<Service>(wanted.service));

/** What each call is answered with, in order: the resourceVersion of an object, an object, or a failure. */
type Answer = string | KubeObject | ApiFailure;

/** Carries out an action against an API server that answers like this; returns what it was asked. */
async function against(answers: readonly Answer[], action: Action): Promise<{ outcome: WriteResult; calls: string[] }> {
  const calls: string[] = [];
  const left = [...answers];
  const answer = async (call: string): Promise<KubeObject> => {
    calls.push(call);
    const next = left.shift();
    if (next === undefined) throw new Error(`nobody expected ${call}`);
    if (typeof next === 'object') return next;
    if (/^\d+$/.test(next)) return { metadata: { ...object.metadata, resourceVersion: next } };
    throw new ApiError(next as ApiFailure, `${call} refused`, { status: { message: `${next}!` } });
  };
  const client = {
    get: ({ kind }: { kind: string }) => answer(`get ${kind}`),
    create: ({ kind }: { kind: string }, _: unknown, { fieldManager }: { fieldManager: string }) =>
      answer(`create ${kind} as ${fieldManager}`),
    delete: (_: unknown, __: unknown, { uid }: { uid: string }) => answer(`delete ${uid}`),
    patch: (resource: { kind: string }, _: unknown, patch: Patch) => answer(describePatch(resource.kind, patch)),
  };
  const context = { object, client: client as unknown as Client, signal: new AbortController().signal };
  return { outcome: await execute(context, action), calls };
}

function describePatch(kind: string, patch: Patch): string {
  if (patch.type !== 'apply') return `${patch.type} ${kind} ${JSON.stringify(patch.body)}`;
  const { metadata = {}, spec } = patch.body as { metadata?: Partial<ObjectMeta>; spec?: { replicas?: number } };
  const at = ` at ${metadata.uid}/${metadata.resourceVersion}`;
  return `apply ${kind} as ${patch.fieldManager}${at}${patch.force ? '' : ' gently'}, replicas ${spec?.replicas}`;
}

/** The first thing to do about these. */
function actionFor(found: { object?: typeof object; deployment?: Deployment | undefined; service?: Service }): Action {
  const live = { deployment, service, ...found };
  const snapshot = {
    object: found.object ?? object,
    deployment: { live: live.deployment, answer: undefined },
    service: { live: live.service, answer: undefined },
  };
  return plan(snapshot, NOW).actions[0] as Action;
}

const edited = actionFor({ deployment: { ...deployment, spec: { ...deployment.spec, replicas: 9 } } });
const orphan = actionFor({ deployment: { ...deployment, metadata: { ...deployment.metadata, ownerReferences: [] } } });
const { replicas: _, ...undecided } = object.spec;
const handover = actionFor({ object: { ...object, spec: undecided } });
const replaced = actionFor({ object: modelBox({ serviceType: 'Headless' }) });

describe('a creation', () => {
  const absent = actionFor({ deployment: undefined });

  it('is a POST, which cannot change what another client has made', async () => {
    const { outcome, calls } = await against(['8'], absent);
    expect(calls).toEqual(['create Deployment as modelbox']);
    expect(outcome).toMatchObject({ came: 'done', stored: { metadata: { resourceVersion: '8' } } });
  });

  it.each<{ answer: ApiFailure; came: string }>([
    { answer: 'AlreadyExists', came: 'late' },
    { answer: 'Forbidden', came: 'failed' },
    { answer: 'Invalid', came: 'failed' },
    { answer: 'NotFound', came: 'failed' }, // the namespace
    { answer: 'Connection', came: 'failed' },
  ])('comes to nothing: $answer', async ({ answer, came }) => {
    const { outcome, calls } = await against([answer], absent);
    expect(calls).toHaveLength(1);
    expect(outcome).toMatchObject(came === 'late' ? { came } : { came, message: `Deployment: ${answer}!` });
  });
});

describe('an apply', () => {
  it('takes what is ours by force, from the object and the version that were looked at', async () => {
    const { outcome, calls } = await against([deployment, '8'], edited);
    expect(calls).toEqual(['get Deployment', 'apply Deployment as modelbox at child-uid/7, replicas 2']);
    expect(outcome).toMatchObject({ came: 'done', stored: { metadata: { resourceVersion: '8' } } });
  });

  it('first makes an apply of what a POST has written, so that it can take that away again', async () => {
    const managedFields = [
      { manager: 'modelbox', operation: 'Update', subresource: 'status' },
      { manager: 'other', operation: 'Update' },
      { manager: 'modelbox', operation: 'Update' },
    ];
    const created = { ...deployment, metadata: { ...deployment.metadata, managedFields } };
    const { calls } = await against([created, '8', '9'], edited);
    expect(calls).toEqual([
      'get Deployment',
      'json Deployment [{"op":"replace","path":"/metadata/resourceVersion","value":"7"},' +
        '{"op":"replace","path":"/metadata/managedFields/2/operation","value":"Apply"}]',
      'apply Deployment as modelbox at child-uid/8, replicas 2',
    ]);
  });

  it('does that once', async () => {
    const managedFields = [
      { manager: 'modelbox', operation: 'Apply' },
      { manager: 'modelbox', operation: 'Update' },
    ];
    const applied = { ...deployment, metadata: { ...deployment.metadata, managedFields } };
    expect((await against([applied, '8'], edited)).calls).toHaveLength(2);
  });

  it.each<{ name: string; answers: Answer[] }>([
    { name: 'changed it', answers: [{ metadata: { ...deployment.metadata, resourceVersion: '8' } }] },
    { name: 'put another in its place', answers: [{ metadata: { ...deployment.metadata, uid: 'other' } }] },
    { name: 'deleted it', answers: ['NotFound'] },
    { name: 'changed it after the look', answers: [deployment, 'Conflict'] },
  ])('comes too late when another client $name', async ({ answers }) => {
    const { outcome, calls } = await against(answers, edited);
    expect(outcome.came).toBe('late');
    expect(calls).toHaveLength(answers.length);
  });

  it('fails with what the API server says', async () => {
    expect((await against([deployment, 'Forbidden'], edited)).outcome).toMatchObject({
      came: 'failed',
      message: 'Deployment: Forbidden!',
    });
  });

  it('ends when it is told to', async () => {
    await expect(against(['Aborted'], edited)).rejects.toMatchObject({ reason: 'Aborted' });
  });

  it('hands over the number of pods before it lets go of it', async () => {
    const { calls } = await against([deployment, '8', '9'], handover);
    expect(calls).toEqual([
      'get Deployment',
      'apply Deployment as modelbox-handover at child-uid/7, replicas 2',
      'apply Deployment as modelbox at child-uid/8, replicas undefined',
    ]);
  });

  it('takes back what others made impossible, and tries again', async () => {
    const { outcome, calls } = await against([deployment, 'Invalid', '8', '9'], edited);
    expect(calls).toEqual([
      'get Deployment',
      'apply Deployment as modelbox at child-uid/7, replicas 2',
      expect.stringMatching(/^json Deployment .*"path":"\/metadata\/resourceVersion","value":"7"/),
      'apply Deployment as modelbox at child-uid/8, replicas 2',
    ]);
    expect(outcome).toMatchObject({ came: 'done' });
  });
});

describe('taking an orphan back', () => {
  it.each<{ name: string; answers: Answer[]; came: string }>([
    { name: 'when the ModelBox is there', answers: [object, deployment, '8'], came: 'done' },
    { name: 'not when it is gone', answers: ['NotFound'], came: 'late' },
    {
      name: 'not when it is another',
      answers: [modelBox({}, { metadata: { ...object.metadata, uid: 'new' } })],
      came: 'late',
    },
    {
      name: 'not when it is going',
      answers: [modelBox({}, { metadata: { ...object.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } })],
      came: 'late',
    },
    { name: 'not when nobody can tell', answers: ['Timeout'], came: 'failed' },
  ])('$name', async ({ answers, came }) => {
    const { outcome, calls } = await against(answers, orphan);
    expect(outcome.came).toBe(came);
    expect(calls[0]).toBe('get ModelBox');
    expect(calls).toHaveLength(answers.length);
  });
});

describe('a replacement', () => {
  it.each<{ name: string; answer: Answer; came: string }>([
    { name: 'deletes the Service that was looked at', answer: '8', came: 'done' },
    { name: 'comes too late when it is gone', answer: 'NotFound', came: 'late' },
    { name: 'comes too late when it is another', answer: 'Conflict', came: 'late' },
    { name: 'fails', answer: 'Forbidden', came: 'failed' },
  ])('$name', async ({ answer, came }) => {
    const { outcome, calls } = await against([answer], replaced);
    expect([calls, outcome.came]).toEqual([['delete child-uid'], came]);
  });
});
