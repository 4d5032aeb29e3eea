// Writes history. A revision's name contains the hash of its template, so a name that is taken is either the operator's
// own earlier attempt, which is accepted, or a hash collision, which the owner counts so that the next hash differs.

import { isApiError } from '../runtime/errors.ts';
import { controllerOf } from '../runtime/object.ts';
import type { Action } from './action.ts';
import { sameTemplate, templateOf } from './revision.ts';
import { controllerRevisions, type WriteContext } from './write-context.ts';

type Of<Do extends Action['do']> = Extract<Action, { do: Do }>;

/** Creates a revision; false when another object has its name. */
export async function createRevision(context: WriteContext, { manifest }: Of<'createRevision'>): Promise<boolean> {
  const { client, writes, signal } = context;
  try {
    const { metadata } = await client.create(controllerRevisions, manifest, { signal });
    writes.wrote(controllerRevisions, metadata.resourceVersion);
    return true;
  } catch (error) {
    if (isApiError(error, 'AlreadyExists')) return isOurs(context, manifest);
    // The revision may exist: a plan that does not know of it would record its count a second time.
    writes.perhapsUpdated(controllerRevisions, manifest.metadata.name as string);
    if (isApiError(error, 'Connection', 'Timeout', 'ServerError') && (await isThere(context, manifest))) return true;
    throw error;
  }
}

async function isThere(context: WriteContext, manifest: Of<'createRevision'>['manifest']): Promise<boolean> {
  try {
    return await isOurs(context, manifest);
  } catch (error) {
    if (isApiError(error, 'NotFound')) return false;
    throw error;
  }
}

async function isOurs(context: WriteContext, manifest: Of<'createRevision'>['manifest']): Promise<boolean> {
  const { owner, namespace, client, writes, signal } = context;
  const name = manifest.metadata.name as string;
  const taken = await client.get(controllerRevisions, { namespace, name }, { signal });
  writes.wrote(controllerRevisions, taken.metadata.resourceVersion);
  writes.confirmed({ write: 'update', resource: controllerRevisions, name });
  return controllerOf(taken)?.uid === owner.metadata.uid && sameTemplate(templateOf(taken), templateOf(manifest));
}

/** Changes a revision's number and annotations; the API server refuses when another client has changed it since. */
export async function updateRevision(context: WriteContext, action: Of<'updateRevision'>): Promise<void> {
  const { namespace, client, writes, signal } = context;
  const { name, uid, resourceVersion, number, annotations } = action;
  const body = {
    metadata: { uid, resourceVersion, annotations },
    ...(number !== undefined && { revision: number }),
  };
  try {
    const updated = await client.patch(controllerRevisions, { namespace, name }, { type: 'merge', body }, { signal });
    writes.wrote(controllerRevisions, updated.metadata.resourceVersion);
  } catch (error) {
    writes.perhapsUpdated(controllerRevisions, name);
    throw error;
  }
}

/** Deletes a revision, unless another of that name has replaced it. */
export async function deleteRevision(context: WriteContext, { name, uid }: Of<'deleteRevision'>): Promise<void> {
  const { namespace, client, writes, signal } = context;
  try {
    const deleted = await client.delete(controllerRevisions, { namespace, name }, { uid, signal });
    if (deleted !== undefined) writes.wrote(controllerRevisions, deleted.metadata.resourceVersion);
  } catch (error) {
    if (!isApiError(error, 'NotFound', 'Conflict')) throw error;
  }
}
