// Executes the actions of a plan. A missing object is created with a POST, which fails if another client has created
// it. An existing object is changed by server-side apply with our own field manager, so that fields which are no longer
// wanted are removed and fields of other managers stay. The UID and the version that the plan has seen are
// preconditions of every change. One failed write does not stop the other; the result of each is returned.

import type { Client } from '../../runtime/client/client.ts';
import { ApiError, type ApiFailure, isApiError } from '../../runtime/errors.ts';
import type { KubeObject, ObjectRef } from '../../runtime/object.ts';
import type { Resource } from '../../runtime/resource.ts';
import { deployments, services } from './children.ts';
import { asApplied } from './field-ownership.ts';
import { FIELD_MANAGER, HANDOVER_MANAGER, modelBoxes } from './names.ts';
import type { Action, ChildKind } from './plan.ts';
import type { ModelBox } from './types.gen.ts';

export const CHILDREN: Readonly<Record<ChildKind, Resource>> = { Deployment: deployments, Service: services };

export type WriteResult =
  | { readonly came: 'done'; readonly action: Action; readonly stored: KubeObject | undefined }
  /** The object has changed since the plan was made: the next plan decides again. */
  | { readonly came: 'late'; readonly action: Action; readonly because: string }
  | { readonly came: 'failed'; readonly action: Action; readonly error: unknown; readonly message: string };

export interface WriteContext {
  readonly object: ModelBox;
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** How the API server reports that another client has created or changed the object first. */
const TOO_LATE: Readonly<Record<Action['do'], readonly ApiFailure[]>> = {
  create: ['AlreadyExists'],
  apply: ['Conflict', 'NotFound'],
  delete: ['Conflict', 'NotFound'],
};

/** Executes one action; rejects only when it is aborted. */
export async function execute(context: WriteContext, action: Action): Promise<WriteResult> {
  try {
    return await write(context, action);
  } catch (error) {
    if (isApiError(error, 'Aborted')) throw error;
    const message = error instanceof ApiError ? (error.status?.message ?? error.message) : String(error);
    return isApiError(error, ...TOO_LATE[action.do])
      ? { came: 'late', action, because: message }
      : { came: 'failed', action, error, message: `${action.kind}: ${message}` };
  }
}

async function write(context: WriteContext, action: Action): Promise<WriteResult> {
  switch (action.do) {
    case 'create':
      return create(context, action);
    case 'apply':
      return apply(context, action);
    case 'delete':
      return remove(context, action);
    default:
      return action satisfies never;
  }
}

type Apply = Action & { readonly do: 'apply' };

async function create(context: WriteContext, action: Action & { readonly do: 'create' }): Promise<WriteResult> {
  const { client, signal } = context;
  const { kind, manifest } = action;
  const stored = await client.create(CHILDREN[kind], manifest, { fieldManager: FIELD_MANAGER, signal });
  return { came: 'done', action, stored };
}

async function apply(context: WriteContext, action: Apply): Promise<WriteResult> {
  if (action.adopts && !(await isStillThere(context))) {
    return { came: 'late', action, because: 'the ModelBox is going or gone' };
  }
  const live = await context.client.get(CHILDREN[action.kind], refOf(context), { signal: context.signal });
  const { uid, resourceVersion } = live.metadata;
  if (uid !== action.uid || resourceVersion !== action.resourceVersion) {
    return { came: 'late', action, because: `the ${action.kind} has changed since it was looked at` };
  }
  const version = await keepReplicas(context, action, await ownFields(context, action, live));
  try {
    return { came: 'done', action, stored: await applyManifest(context, action, version) };
  } catch (error) {
    if (!isApiError(error, 'Invalid') || action.overwriteOwned.length === 0) throw error;
    const { metadata } = await overwriteOwned(context, action);
    return { came: 'done', action, stored: await applyManifest(context, action, metadata.resourceVersion) };
  }
}

/** Makes the fields of our POST removable by the apply that follows; returns the version after that. */
async function ownFields(context: WriteContext, { kind }: Apply, live: KubeObject): Promise<string> {
  const { client, signal } = context;
  const body = asApplied(live);
  if (body.length === 0) return live.metadata.resourceVersion;
  const { metadata } = await client.patch(CHILDREN[kind], refOf(context), { type: 'json', body }, { signal });
  return metadata.resourceVersion;
}

function applyManifest(
  context: WriteContext,
  { kind, uid, manifest }: Apply,
  resourceVersion: string,
): Promise<KubeObject> {
  const metadata = { ...manifest.metadata, uid, resourceVersion };
  return applyAs(FIELD_MANAGER, context, kind, { ...manifest, metadata });
}

function overwriteOwned(context: WriteContext, { kind, overwriteOwned: body }: Apply): Promise<KubeObject> {
  const { client, signal } = context;
  return client.patch(CHILDREN[kind], refOf(context), { type: 'json', body }, { signal });
}

/** Transfers the replicas to a field manager that never applies again; returns the version after that. */
async function keepReplicas(
  context: WriteContext,
  { kind, uid, keepReplicas: replicas }: Apply,
  resourceVersion: string,
): Promise<string> {
  if (replicas === undefined) return resourceVersion;
  const body = { metadata: { uid, resourceVersion }, spec: { replicas } };
  const { metadata } = await applyAs(HANDOVER_MANAGER, context, kind, body);
  return metadata.resourceVersion;
}

function applyAs(fieldManager: string, context: WriteContext, kind: ChildKind, body: object): Promise<KubeObject> {
  const { client, signal } = context;
  return client.patch(CHILDREN[kind], refOf(context), { type: 'apply', body, fieldManager, force: true }, { signal });
}

async function remove(context: WriteContext, action: Action & { readonly do: 'delete' }): Promise<WriteResult> {
  const { client, signal } = context;
  const stored = await client.delete(CHILDREN[action.kind], refOf(context), { uid: action.uid, signal });
  return { came: 'done', action, stored };
}

/** While an owner is being deleted with orphaning, a reference to it would get its orphans deleted. */
async function isStillThere({ object, client, signal }: WriteContext): Promise<boolean> {
  try {
    const { metadata } = await client.get(modelBoxes, refOf({ object }), { signal });
    return metadata.uid === object.metadata.uid && metadata.deletionTimestamp === undefined;
  } catch (error) {
    if (isApiError(error, 'NotFound')) return false;
    throw error;
  }
}

/** The namespace and name of the ModelBox and of its objects. */
function refOf({ object }: Pick<WriteContext, 'object'>): ObjectRef {
  const { name, namespace = '' } = object.metadata;
  return { namespace, name };
}
