// Creates and deletes pods, many at once. What is about to be written is noted down before the requests leave (see
// own-writes.ts), one failure stops no other write, and what cannot be done is returned as data for the owner's status.

import { ApiError, isApiError } from '../runtime/errors.ts';
import { controllerOf, keyOf } from '../runtime/object.ts';
import type { Action, NamedPod } from './action.ts';
import { buildPod, podName } from './build-pod.ts';
import { slowStart } from './slow-start.ts';
import { pods, type WriteContext } from './write-context.ts';

type CreatePods = Extract<Action, { do: 'createPods' }>;
type CreateNamedPods = Extract<Action, { do: 'createNamedPods' }>;
type DeletePod = Extract<Action, { do: 'deletePod' }>;

export interface PodFailure {
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly revision: string;
  /** The server's own words. */
  readonly message: string;
  readonly error: unknown;
}

/** Creates pods with a slow start; returns why some could not be created. */
export function createPods(context: WriteContext, { revision, source, count }: CreatePods): Promise<PodFailure[]> {
  const { owner, identity, namespace, own } = context;
  const names = own.expectPods(identity, source.hash, count, {
    nameWith: (suffix) => podName(owner.metadata.name, source.hash, suffix),
    isThere: (name) => context.pods.get(keyOf({ namespace, name })) !== undefined,
  });
  return createExpected(
    context,
    revision,
    names.map((name) => ({ name, source })),
  );
}

/** Creates pods of given names with a slow start; returns why some could not be created. */
export function createNamedPods(context: WriteContext, action: CreateNamedPods): Promise<PodFailure[]> {
  context.own.expectNamedPods(
    context.identity,
    action.pods.map(({ name }) => name),
  );
  return createExpected(context, action.revision, action.pods);
}

async function createExpected(
  context: WriteContext,
  revision: string,
  expected: readonly NamedPod[],
): Promise<PodFailure[]> {
  const { own, namespace } = context;
  const tried = new Set<NamedPod>();
  const create = (index: number): Promise<void> => {
    const pod = expected[index] as NamedPod;
    tried.add(pod);
    return createPod(context, pod);
  };
  const result = await slowStart(expected.length, create, own.granted.firstBatch(namespace));
  own.granted.note(namespace, result);
  for (const pod of expected) if (!tried.has(pod)) own.podNotCreated(context.identity, pod.name);
  return result.failures.map((error) => failure('FailedCreate', revision, error));
}

async function createPod(context: WriteContext, { name, source }: NamedPod): Promise<void> {
  const { owner, identity, client, own, signal } = context;
  try {
    const { metadata } = await client.create(pods, buildPod(owner, source, name), { signal });
    own.wrote(identity, pods, metadata.resourceVersion);
    own.podCreated(identity, name, metadata.resourceVersion);
  } catch (error) {
    if (isApiError(error, 'AlreadyExists')) return own.podCreated(identity, name);
    if (isUnsure(error) && (await isThere(context, name))) return;
    if (isUnsure(error)) own.podPerhapsCreated(identity, name, source.hash);
    else own.podNotCreated(identity, name);
    // The namespace is going and the owner with it: nothing is wrong, and nobody needs to hear of it.
    if (!isNamespaceTerminating(error)) throw error;
  }
}

/** Looks once whether a create was carried out although its answer was lost. */
async function isThere(
  { owner, identity, namespace, client, own, signal }: WriteContext,
  name: string,
): Promise<boolean> {
  try {
    const pod = await client.get(pods, { namespace, name }, { attempts: 1, signal });
    if (controllerOf(pod)?.uid !== owner.metadata.uid) return false;
    own.wrote(identity, pods, pod.metadata.resourceVersion);
    own.podCreated(identity, name, pod.metadata.resourceVersion);
    return true;
  } catch {
    return false; // then nobody knows, and the next attempt uses the same name
  }
}

/** Deletes pods all at once; returns why some could not be deleted. */
export async function deletePods(context: WriteContext, actions: readonly DeletePod[]): Promise<PodFailure[]> {
  const { owner, identity, namespace, own } = context;
  // Records were written since the plan was made: meanwhile a pod may have gone, or have been taken from its owner.
  const ours = actions.filter(({ name }) => {
    const pod = context.pods.get(keyOf({ namespace, name }));
    return pod !== undefined && controllerOf(pod)?.uid === owner.metadata.uid;
  });
  own.expectDeletions(
    identity,
    ours.map(({ uid }) => uid),
  );
  const results = await Promise.allSettled(ours.map((action) => deletePod(context, action)));
  return results.flatMap((result, index) =>
    result.status === 'fulfilled' ? [] : [failure('FailedDelete', (ours[index] as DeletePod).revision, result.reason)],
  );
}

async function deletePod(context: WriteContext, { name, uid, resourceVersion }: DeletePod): Promise<void> {
  const { identity, namespace, client, own, signal } = context;
  const unchanged = resourceVersion === undefined ? {} : { resourceVersion };
  try {
    const deleted = await client.delete(pods, { namespace, name }, { uid, ...unchanged, signal });
    if (deleted !== undefined) own.wrote(identity, pods, deleted.metadata.resourceVersion);
  } catch (error) {
    const isConflict = isApiError(error, 'Conflict');
    // Gone already, or replaced by another of that name: the cache is about to show it.
    if (isApiError(error, 'NotFound') || (isConflict && resourceVersion === undefined)) return;
    if (isConflict) return own.podChanged(identity, uid);
    if (isUnsure(error)) own.podPerhapsDeleted(identity, { name, uid });
    else own.podNotDeleted(identity, uid);
    throw error;
  }
}

/** True when the server may have carried the request out although it did not say so. */
function isUnsure(error: unknown): boolean {
  return !isApiError(error) || isApiError(error, 'Connection', 'Timeout', 'ServerError', 'Aborted');
}

function isNamespaceTerminating(error: unknown): boolean {
  return isApiError(error, 'Forbidden') && error.causes.some(({ reason }) => reason === 'NamespaceTerminating');
}

function failure(reason: PodFailure['reason'], revision: string, error: unknown): PodFailure {
  const message = error instanceof ApiError ? (error.status?.message ?? error.message) : String(error);
  return { reason, revision, message, error };
}
