// Carries out what a plan asks for: server-side apply under our own field manager, so that what we no longer want goes
// and what others own stays. One write that fails does not stop the other; what came of each is returned.

import type { Client } from '../../runtime/client/client.ts';
import { ApiError, isApiError } from '../../runtime/errors.ts';
import type { KubeObject, ObjectRef } from '../../runtime/object.ts';
import type { Resource } from '../../runtime/resource.ts';
import { deployments, services } from './children.ts';
import { FIELD_MANAGER, HANDOVER_MANAGER, modelBoxes } from './names.ts';
import type { Action, ChildKind } from './plan.ts';
import type { ModelBox } from './types.gen.ts';

export const CHILDREN: Readonly<Record<ChildKind, Resource>> = { Deployment: deployments, Service: services };

export type Outcome =
  | { readonly came: 'done'; readonly action: Action; readonly stored: KubeObject | undefined }
  /** What was decided about is no longer what is there: the next plan will know more. */
  | { readonly came: 'late'; readonly action: Action; readonly because: string }
  | { readonly came: 'failed'; readonly action: Action; readonly error: unknown; readonly message: string };

export interface WriteContext {
  readonly object: ModelBox;
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** Carries out one action; rejects only when it was told to stop. */
export async function carryOut(context: WriteContext, action: Action): Promise<Outcome> {
  try {
    return await write(context, action);
  } catch (error) {
    if (isApiError(error, 'Aborted')) throw error;
    const message = error instanceof ApiError ? (error.status?.message ?? error.message) : String(error);
    return isApiError(error, 'Conflict')
      ? { came: 'late', action, because: message }
      : { came: 'failed', action, error, message: `${action.kind}: ${message}` };
  }
}

async function write(context: WriteContext, action: Action): Promise<Outcome> {
  switch (action.do) {
    case 'apply':
      return apply(context, action);
    case 'delete':
      return remove(context, action);
    default:
      return action satisfies never;
  }
}

type Apply = Action & { readonly do: 'apply' };

async function apply(context: WriteContext, action: Apply): Promise<Outcome> {
  if (action.adopts && !(await isStillThere(context))) {
    return { came: 'late', action, because: 'the ModelBox is going or gone' };
  }
  const resourceVersion = await keepReplicas(context, action);
  try {
    return { came: 'done', action, stored: await applyManifest(context, action, resourceVersion) };
  } catch (error) {
    if (!isApiError(error, 'Invalid') || action.takeBack.length === 0) throw error;
    const { metadata } = await takeBack(context, action);
    return { came: 'done', action, stored: await applyManifest(context, action, metadata.resourceVersion) };
  }
}

function applyManifest(
  context: WriteContext,
  { kind, manifest }: Apply,
  resourceVersion?: string,
): Promise<KubeObject> {
  const metadata = { ...manifest.metadata, ...(resourceVersion && { resourceVersion }) };
  return applyAs(FIELD_MANAGER, context, kind, { ...manifest, metadata });
}

function takeBack(context: WriteContext, { kind, takeBack: body }: Apply): Promise<KubeObject> {
  const { client, signal } = context;
  return client.patch(CHILDREN[kind], refOf(context), { type: 'json', body }, { signal });
}

/** Hands the number of pods to a manager that never takes it back; returns the version that comes of it. */
async function keepReplicas(
  context: WriteContext,
  { kind, resourceVersion, keepReplicas: replicas }: Apply,
): Promise<string | undefined> {
  if (replicas === undefined) return resourceVersion;
  const body = { metadata: { resourceVersion }, spec: { replicas } };
  const { metadata } = await applyAs(HANDOVER_MANAGER, context, kind, body);
  return metadata.resourceVersion;
}

function applyAs(fieldManager: string, context: WriteContext, kind: ChildKind, body: object): Promise<KubeObject> {
  const { client, signal } = context;
  return client.patch(CHILDREN[kind], refOf(context), { type: 'apply', body, fieldManager, force: true }, { signal });
}

async function remove(context: WriteContext, action: Action & { readonly do: 'delete' }): Promise<Outcome> {
  const { client, signal } = context;
  try {
    const stored = await client.delete(CHILDREN[action.kind], refOf(context), { uid: action.uid, signal });
    return { came: 'done', action, stored };
  } catch (error) {
    if (isApiError(error, 'NotFound')) return { came: 'late', action, because: 'it is gone already' };
    throw error;
  }
}

/** While an owner is deleted, its orphans must stay orphans: with a reference to it they would be deleted, too. */
async function isStillThere({ object, client, signal }: WriteContext): Promise<boolean> {
  try {
    const { metadata } = await client.get(modelBoxes, refOf({ object }), { signal });
    return metadata.uid === object.metadata.uid && metadata.deletionTimestamp === undefined;
  } catch (error) {
    if (isApiError(error, 'NotFound')) return false;
    throw error;
  }
}

/** Where the ModelBox is, and everything that bears its name. */
function refOf({ object }: Pick<WriteContext, 'object'>): ObjectRef {
  const { name, namespace = '' } = object.metadata;
  return { namespace, name };
}
