// Adopts orphans and releases objects that no longer match. Both writes name the UID of the object, and before an
// adoption the API server is asked whether the owner still exists: with a lagging cache, the operator could otherwise
// give pods to an owner that is gone, and the garbage collector would delete them.
//
// A claim that the API server refuses, for example because a policy protects the pod, is returned as data and
// remembered (refused-writes.ts), so that the next plan continues without it. When the result of a claim is unknown,
// the reconcile stops: the pod may belong to the owner already, and creating another one could exceed the limit.

import type { OwnerWrites } from '../runtime/consistency/owner-writes.ts';
import { ApiError, isApiError } from '../runtime/errors.ts';
import { controllerOf, type KubeObject } from '../runtime/object.ts';
import { controllerReference } from '../runtime/owner.ts';
import type { Resource } from '../runtime/resource.ts';
import type { Action } from './action.ts';
import { type PodFailure, wordsOf } from './pod-writes.ts';
import { controllerRevisions, pods, type WriteContext } from './write-context.ts';

type ClaimAction = Extract<Action, { do: 'adoptPod' | 'releasePod' | 'adoptRevision' }>;

/** Executes claims after one live read of the owner if there is anything to adopt; returns the claims that failed. */
export async function executeClaims(context: WriteContext, actions: readonly ClaimAction[]): Promise<PodFailure[]> {
  if (actions.some((action) => action.do !== 'releasePod')) await assertOwnerLives(context);
  // Pods are adopted because of their revision, so the revision is adopted first.
  const isOfRevision = ({ do: claim }: ClaimAction): boolean => claim === 'adoptRevision';
  const failures = await executeAtOnce(context, actions.filter(isOfRevision));
  if (failures.length > 0) return failures;
  return executeAtOnce(
    context,
    actions.filter((action) => !isOfRevision(action)),
  );
}

async function executeAtOnce(context: WriteContext, actions: readonly ClaimAction[]): Promise<PodFailure[]> {
  const results = await Promise.allSettled(actions.map((action) => executeClaim(context, action)));
  return results.flatMap((result, index) =>
    result.status === 'fulfilled' ? [] : [failureOf(context, actions[index] as ClaimAction, result.reason)],
  );
}

/** The failure as data. A refusal is remembered; any other failure is retried soon. */
function failureOf({ writes }: WriteContext, action: ClaimAction, error: unknown): PodFailure {
  const reason = action.do === 'releasePod' ? 'FailedRelease' : 'FailedAdopt';
  const refusal = { reason, message: wordsOf(error) } as const;
  if (!isApiError(error, 'BadRequest', 'Forbidden', 'Invalid', 'Other')) return { ...refusal, error };
  writes.noteRefusal(action.uid, refusal);
  return refusal;
}

function executeClaim(context: WriteContext, action: ClaimAction): Promise<void> {
  switch (action.do) {
    case 'adoptPod':
      return adopt(context, pods, action);
    case 'adoptRevision':
      return adopt(context, controllerRevisions, action);
    case 'releasePod':
      return release(context, action);
    default:
      return action satisfies never;
  }
}

async function assertOwnerLives({ owner, ownerResource, namespace, client, signal }: WriteContext): Promise<void> {
  const { name, uid } = owner.metadata;
  const { metadata } = await client.get(ownerResource, { namespace, name }, { signal });
  if (metadata.uid !== uid) {
    throw new Error(`original ${owner.kind} ${namespace}/${name} is gone: got uid ${metadata.uid}, wanted ${uid}`);
  }
  if (metadata.deletionTimestamp !== undefined) {
    throw new Error(`${owner.kind} ${namespace}/${name} has just been deleted at ${metadata.deletionTimestamp}`);
  }
}

async function adopt<T extends KubeObject>(
  { owner, namespace, client, writes, signal }: WriteContext,
  resource: Resource<T>,
  { name, uid }: ClaimAction,
): Promise<void> {
  // Merged into the list by UID, so that references to other owners stay.
  const body = { metadata: { uid, ownerReferences: [controllerReference(owner)] } };
  try {
    const adopted = await client.patch(resource, { namespace, name }, { type: 'strategic', body }, { signal });
    writes.wrote(resource, adopted.metadata.resourceVersion);
    if (controllerOf(adopted)?.uid !== owner.metadata.uid) throw takenBack(resource, name);
    writes.clearRefusal(uid);
  } catch (error) {
    // Deleted, or replaced by another object of that name: nothing is left to adopt.
    if (!isApiError(error, 'NotFound', 'Conflict')) throw error;
    noteConflict(writes, error);
  }
}

async function release(context: WriteContext, { name, uid }: ClaimAction): Promise<void> {
  const { owner, namespace, client, writes, signal } = context;
  const body = { metadata: { uid, ownerReferences: [{ $patch: 'delete', uid: owner.metadata.uid }] } };
  try {
    const released = await client.patch(pods, { namespace, name }, { type: 'strategic', body }, { signal });
    writes.wrote(pods, released.metadata.resourceVersion);
    if (controllerOf(released)?.uid === owner.metadata.uid) throw takenBack(pods, name);
    writes.clearRefusal(uid);
  } catch (error) {
    // Deleted, replaced, or already without the reference: in every case the owner no longer has it.
    if (!isApiError(error, 'NotFound', 'Conflict', 'Invalid')) throw error;
    if (isApiError(error, 'Invalid') && (await isStillOurs(context, { name, uid }))) throw error;
    noteConflict(writes, error);
  }
}

/** Policies also refuse a change as invalid. */
async function isStillOurs(
  { owner, namespace, client, signal }: WriteContext,
  { name, uid }: Pick<ClaimAction, 'name' | 'uid'>,
): Promise<boolean> {
  const pod = await client.get(pods, { namespace, name }, { signal });
  return pod.metadata.uid === uid && controllerOf(pod)?.uid === owner.metadata.uid;
}

function takenBack({ plural }: Resource, name: string): ApiError {
  return new ApiError('Other', `${plural} "${name}": admission took the change of its owner back`);
}

/** The API server also returns a conflict for a patch of an object that other clients change continuously. */
function noteConflict(writes: OwnerWrites, error: ApiError): void {
  if (isApiError(error, 'Conflict')) writes.outdated();
}
